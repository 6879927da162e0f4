// The program as a process: its surroundings, its signals, one place that catches errors, the exit code.

import { homedir } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import type { Context } from './commands/context.ts';
import { separateWords } from './commands/separate-words.ts';
import { toIndexPath, toRoots } from './config.ts';
import { EXIT_ERROR, EXIT_OK, UserError } from './errors.ts';
import { buildProgram, type GlobalFlags } from './program.ts';
import { toJsonText } from './render/json-text.ts';
import { toStoreError } from './store/store-error.ts';

const interruption = new AbortController();
let interruptedBy: NodeJS.Signals | null = null;
/** For errors that SQLite reports without naming the file. */
let indexPath = '';

function toContext(flags: GlobalFlags): Context {
  const at = { env: process.env, homeDir: homedir(), platform: process.platform, cwd: process.cwd() };
  const quiet = flags.quiet ?? false;
  indexPath = toIndexPath(flags.db, at);
  return {
    at,
    indexPath,
    roots: () => toRoots(flags.claudeDir ?? [], at),
    json: flags.json ?? false,
    quiet,
    verbose: flags.verbose ?? false,
    useColor:
      flags.color === 'always' || (flags.color === 'auto' && process.stdout.isTTY && !process.env.NO_COLOR),
    stdout: { isTerminal: process.stdout.isTTY, columns: process.stdout.columns || 80 },
    stderr: { isTerminal: process.stderr.isTTY && !quiet, columns: process.stderr.columns || 80 },
    now: () => new Date(),
    pid: process.pid,
    signal: interruption.signal,
    print: (text) => process.stdout.write(`${text}\n`),
    note: (text) => {
      if (!quiet) process.stderr.write(`${text}\n`);
    },
    warn: (text) => process.stderr.write(`${text}\n`),
    redraw: (text) => process.stderr.write(`\r\x1b[2K${text}`),
    confirm,
  };
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(question, { signal: interruption.signal })).trim());
  } finally {
    prompt.close();
  }
}

function printError(error: unknown, isJson: boolean): number {
  if (interruptedBy !== null) return interruptedBy === 'SIGTERM' ? 143 : 130;
  // commander has already written its help, version or complaint.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_OK;
    if (isJson) printJsonError('usage', error.message.replace(/^error: /, ''), 'recall --help');
    return EXIT_ERROR;
  }
  if (error instanceof UserError) {
    if (isJson) printJsonError(error.code, error.message, error.hint);
    else
      process.stderr.write(
        `recall: ${error.message}\n${error.hint === undefined ? '' : `  try: ${error.hint}\n`}`,
      );
    return error.exitCode;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  if (isJson) printJsonError('internal', error instanceof Error ? error.message : String(error), undefined);
  process.stderr.write(`recall: internal error\n${stack}\n`);
  return EXIT_ERROR;
}

function printJsonError(code: string, message: string, hint: string | undefined): void {
  process.stdout.write(`${toJsonText({ error: { code, message, hint: hint ?? null } })}\n`);
}

/** The first signal stops at the next safe place; a second one at once. */
function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (interruptedBy !== null) process.exit(signal === 'SIGTERM' ? 143 : 130);
      interruptedBy = signal;
      interruption.abort();
    });
  }
}

/** A reader that has seen enough, such as head, is no error. */
function allowBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT_OK);
    throw error;
  });
}

async function main(argv: readonly string[]): Promise<void> {
  allowBrokenPipe();
  stopOnSignals();
  const program = buildProgram({
    toContext,
    setExitCode: (code) => {
      process.exitCode = code;
    },
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(separateWords(program, argv), { from: 'user' });
  } catch (error) {
    process.exitCode = printError(toStoreError(error, indexPath), argv.includes('--json'));
  }
}

await main(process.argv.slice(2));
