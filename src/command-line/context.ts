// What every command is given: recall itself, the terminal, and where to say things. Commands return their exit code;
// only cli.ts touches the process.

import type { Recall } from '../api/recall.ts';
import type { Surroundings } from '../config.ts';
import type { Hint } from '../hints.ts';
import type { Root } from '../records.ts';
import { fitLines } from '../render/fit-lines.ts';
import type { SessionLineOptions } from '../render/sessions/session-lines.ts';

export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface Context {
  readonly recall: Recall;
  readonly at: Surroundings;
  readonly indexPath: string;
  /** The folders to index; looked for only when a command needs them. */
  readonly roots: () => readonly Root[];
  /** Of the flags those that say which index and folders are meant, as a hint has to repeat them. */
  readonly givenFlags: string;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly useColor: boolean;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** A person may be typing. */
  readonly isTyped: boolean;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Results, with a newline after them. */
  print(text: string): void;
  /** Notes for people, on stderr; nothing under --quiet. */
  note(text: Hint): void;
  /** Errors of single files, on stderr, also under --quiet. */
  warn(text: string): void;
  /** Lets another program have the terminal until it ends; interrupts are then its own. */
  handOver<T>(run: () => Promise<T>): Promise<T>;
  /** Asks on the terminal; false when there is none. */
  confirm(question: string): Promise<boolean>;
}

/** What every page of sessions has to know of its surroundings. */
export function toPageOptions(context: Context): SessionLineOptions {
  const { at, stdout, useColor, now, quiet, givenFlags } = context;
  return { columns: stdout.columns, useColor, now: now(), homeDir: at.homeDir, isQuiet: quiet, givenFlags };
}

/** What was written without a width in mind, broken between words for a terminal; a pipe gets every line whole. */
export function fitTo({ isTerminal, columns }: Terminal, text: string): string {
  return isTerminal ? fitLines(text, columns) : text;
}
