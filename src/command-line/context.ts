// What every command is given: its surroundings as plain values, and where to say things. Commands return their
// exit code; only cli.ts touches the process.

import type { Surroundings } from '../config.ts';
import type { ReaderThreads } from '../indexing/reader.ts';

export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
}

export interface Context {
  readonly at: Surroundings;
  readonly indexPath: string;
  /** The Claude folders; looked for only when a command needs them. */
  readonly roots: () => string[];
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
  /** Milliseconds since some moment, for durations. */
  readonly elapsedMs: () => number;
  readonly pid: number;
  readonly signal: AbortSignal;
  /** For reading much at a time. */
  readonly threads: ReaderThreads;
  /** Results, with a newline after them. */
  print(text: string): void;
  /** Notes and progress for people, on stderr; nothing under --quiet. */
  note(text: string): void;
  /** Errors of single files, on stderr, also under --quiet. */
  warn(text: string): void;
  /** Overwrites the last line of stderr; only on a terminal. */
  redraw(text: string): void;
  /** Lets another program have the terminal until it ends; interrupts are then its own. */
  handOver<T>(run: () => Promise<T>): Promise<T>;
  /** Asks on the terminal; false when there is none. */
  confirm(question: string): Promise<boolean>;
}
