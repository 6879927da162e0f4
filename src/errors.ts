// The errors that users can do something about, and the exit codes. Anything else is a bug, printed with its stack by cli.ts.

import { type Hint, toHintText } from './hints.ts';

export const EXIT_OK = 0;
export const EXIT_NOTHING_FOUND = 1;
export const EXIT_ERROR = 2;

interface UserErrorOptions {
  /** A stable identifier for scripts, printed with --json. */
  readonly code: string;
  /** The next thing to try, as a command where there is one. */
  readonly hint?: Hint;
  readonly cause?: unknown;
  readonly exitCode?: number;
}

export class UserError extends Error {
  static {
    // A bundle gives it another.
    Object.defineProperty(UserError, 'name', { value: 'UserError' });
  }

  /** The message, for a front end that writes parameters in its own way. */
  readonly wording: Hint;
  readonly code: string;
  readonly hint: Hint | undefined;
  readonly exitCode: number;

  constructor(wording: Hint, options: UserErrorOptions) {
    super(toHintText(wording), 'cause' in options ? { cause: options.cause } : {});
    this.name = 'UserError';
    this.wording = wording;
    this.code = options.code;
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? EXIT_ERROR;
    // One line, also where a program that uses the library does not catch it: the place in a bundle says nothing.
    this.stack = `${this.name}: ${this.message}${this.hint === undefined ? '' : `; try: ${toHintText(this.hint)}`}`;
    for (const key of Object.keys(this)) Object.defineProperty(this, key, { enumerable: false });
  }
}

export function usageError(wording: Hint, hint?: Hint): UserError {
  return new UserError(wording, { code: 'usage', hint });
}

/** The operating system's description of what went wrong with a file (`ENOENT: no such file …` → `no such file or directory`). */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined || !error.message.startsWith(code)) return error.message;
  return error.message.slice(code.length + 2).replace(/, \w+( '.*)?$/s, '');
}

/** Nothing can be written to the archive: the disk is full, or it is read-only. */
export class NotWritable extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path}: ${toReason(cause)}`, { cause });
  }
}
