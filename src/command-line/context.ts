// What every command gets: recall itself, the terminal, and ways to print. Commands return their exit code;
// only cli.ts and process.ts touch the process.

import type { Recall } from '../api/recall.ts';
import type { Surroundings } from '../config.ts';
import type { Hint } from '../hints.ts';
import type { Root } from '../records.ts';
import { fitLines, uncutColumns } from '../render/columns.ts';
import type { SessionLineOptions } from '../render/sessions.ts';
import type { OpenParts } from '../screen/open-screen.ts';

export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
  /** The width is that of a terminal, or was set with COLUMNS. */
  readonly hasWidth: boolean;
}

export interface Context {
  readonly recall: Recall;
  readonly at: Surroundings;
  readonly indexPath: string;
  /** The folders to index; looked up only when a command needs them. */
  readonly roots: () => readonly Root[];
  /** The flags that choose the index and the folders, which hints have to repeat. */
  readonly givenFlags: string;
  /** If no command was typed: what was. It is searched for, but its first word may have been meant as a command. */
  readonly implied: readonly string[] | null;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly useColor: boolean;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Standard input is a terminal. */
  readonly isInteractive: boolean;
  readonly now: () => Date;
  readonly elapsedMs: () => number;
  readonly signal: AbortSignal;
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
  /** The terminal and the threads of the interactive screen. */
  openTerminal(): Promise<Pick<OpenParts, 'device' | 'startThread' | 'useColor'>>;
}

/** What every page of sessions needs to know about its surroundings. */
export function toPageOptions(context: Context): SessionLineOptions {
  const { at, stdout, useColor, now, quiet, givenFlags } = context;
  const columns = stdout.hasWidth ? stdout.columns : uncutColumns;
  return { columns, useColor, now: now(), homeDir: at.homeDir, isQuiet: quiet, givenFlags };
}

/** Wraps text between words for a terminal; a pipe gets every line whole. */
export function fitTo({ isTerminal, columns }: Terminal, text: string): string {
  return isTerminal ? fitLines(text, columns) : text;
}
