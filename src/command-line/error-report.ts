// What went wrong, as a person or a program reads it, and the exit code that says so.

import { CommanderError } from 'commander';
import { EXIT_ERROR, EXIT_OK, UserError } from '../errors.ts';
import { toHintText } from '../hints.ts';
import { toJsonText } from '../render/json.ts';

export interface ErrorReport {
  readonly exitCode: number;
  /** For standard output; empty if there is none. */
  readonly json: string;
  /** For standard error, not yet safe to print: it repeats what was typed and names of files. */
  readonly complaint: string;
}

/** `givenFlags` are repeated in hints. */
export function toErrorReport(error: unknown, isJson: boolean, givenFlags: string): ErrorReport {
  // commander has already printed its help or version.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT_OK : EXIT_ERROR, json: '', complaint: '' };
  if (error instanceof UserError) {
    const { code, exitCode } = error;
    const hint = error.hint === undefined ? null : toHintText(error.hint, givenFlags);
    const message = toHintText(error.wording, givenFlags);
    if (isJson && code !== 'no-output')
      return { exitCode, json: toErrorJson(code, message, hint), complaint: '' };
    return {
      exitCode,
      json: '',
      complaint: `recall: ${message}\n${hint === null ? '' : `  try: ${hint}\n`}`,
    };
  }
  const { message, stack } =
    error instanceof Error ? error : { message: String(error), stack: String(error) };
  return {
    exitCode: EXIT_ERROR,
    json: isJson ? toErrorJson('internal', message, null) : '',
    complaint: `recall: internal error\n${stack}\n`,
  };
}

function toErrorJson(code: string, message: string, hint: string | null): string {
  return `${toJsonText({ error: { code, message, hint } })}\n`;
}
