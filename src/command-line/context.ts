// What every command gets: recall itself, the terminal, and ways to print; and how progress is shown. Commands return their exit
// code; only cli.ts, process.ts and terminal.ts touch the process.

import type { Host } from '../api/host.ts';
import type { Recall } from '../api/recall.ts';
import type { Hint } from '../hints.ts';
import { fitLines, uncutColumns } from '../render/columns.ts';
import type { SessionLineOptions } from '../render/sessions.ts';

export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** The width is that of a terminal, or was set with COLUMNS. */
  readonly hasWidth: boolean;
}

export interface Context extends Pick<Host, 'at' | 'indexPath' | 'roots' | 'now' | 'elapsedMs' | 'signal'> {
  readonly recall: Recall;
  /** The flags that choose the index and the folders, which hints have to repeat. */
  readonly givenFlags: string;
  /** If no command was typed: what was. It is searched for, but its first word may have been meant as a command. */
  readonly implied: readonly string[] | null;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly useColor: boolean;
  readonly stdout: Terminal;
  readonly isInteractive: boolean;
  /** Results, with a newline after them. */
  print(text: string): void;
  /** Results that are not text, as they are. */
  printBytes(bytes: Buffer): void;
  /** Notes for people, on stderr; not under --quiet. */
  note(text: Hint): void;
  /** Errors in single files, on stderr, even under --quiet. */
  warn(text: string): void;
  /** Gives the terminal to another program until that ends, including interrupts. */
  handOver<T>(run: () => Promise<T>): Promise<T>;
  /** Asks on the terminal; false if there is none. `isYes`: what an empty answer means. */
  confirm(question: string, isYes?: boolean): Promise<boolean>;
}

export function toPageOptions(context: Context): SessionLineOptions {
  const { at, stdout, useColor, now, quiet, givenFlags } = context;
  const columns = stdout.hasWidth ? stdout.columns : uncutColumns;
  return { columns, useColor, now: now(), homeDir: at.homeDir, isQuiet: quiet, givenFlags };
}

/** Wraps text between words for a terminal; a pipe gets every line whole. */
export function fitTo({ isTerminal, columns }: Terminal, text: string): string {
  return isTerminal ? fitLines(text, columns) : text;
}

interface ProgressOutput extends Pick<Host, 'elapsedMs'> {
  readonly terminal: Terminal;
  line(text: string): void;
  redraw(text: string): void;
}

/** A bar that is redrawn a few times a second on a terminal, a plain line every few seconds elsewhere. */
export class ProgressDisplay {
  private readonly output: ProgressOutput;
  private startedAt: number | null = null;
  private shownAt = 0;
  private isDrawn = false;

  constructor(output: ProgressOutput) {
    this.output = output;
  }

  show(toLine: (elapsedMs: number, columns: number) => string): void {
    const { terminal, elapsedMs } = this.output;
    const now = elapsedMs();
    if (this.startedAt === null) [this.startedAt, this.shownAt] = [now, now];
    if (now - this.shownAt < (terminal.isTerminal ? 80 : 5000)) return;
    this.shownAt = now;
    const line = toLine(now - this.startedAt, terminal.isTerminal ? terminal.columns : 120);
    if (terminal.isTerminal) this.output.redraw(line);
    else this.output.line(line);
    this.isDrawn = terminal.isTerminal;
  }

  clear(): void {
    if (this.isDrawn) this.output.redraw('');
    this.isDrawn = false;
    this.startedAt = null;
  }
}
