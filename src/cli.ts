// The program as a process: its surroundings, its signals, one place that catches errors, the exit code.

import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { availableParallelism, devNull, homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommanderError } from 'commander';
import type { Host } from './api/host.ts';
import { Recall } from './api/recall.ts';
import { findRoots } from './api/roots.ts';
import type { GlobalFlags } from './command-line/commander.ts';
import { type Context, fitTo, type Terminal } from './command-line/context.ts';
import { toGivenFlags } from './command-line/given-flags.ts';
import { ProgressDisplay } from './command-line/progress-display.ts';
import { putCommandFirst } from './command-line/put-command-first.ts';
import { separateWords } from './command-line/separate-words.ts';
import { readConfig, type Surroundings, toIndexPath } from './config.ts';
import { EXIT_ERROR, EXIT_OK, toReason, UserError } from './errors.ts';
import { toHintText } from './hints.ts';
import { buildProgram } from './program.ts';
import { toJsonText } from './render/json-text.ts';
import { toEventNote } from './render/notes.ts';
import { toProgressLine, toUpgradeLine } from './render/progress-line.ts';
import { toPrintable } from './text/printable.ts';

/** The built program, which is CommonJS. */
declare const __filename: string;

let interruption: AbortController | null = null;
let interruptedBy: NodeJS.Signals | null = null;
let isHandedOver = false;
/** To be repeated in hints. */
let givenFlags = '';
/** For errors that SQLite reports without naming the file. */
let indexPath = '';

const noTerminal: Terminal = { isTerminal: false, columns: 80, rows: 24 };

/** What not every command needs is made when it is asked for: much of node is loaded only then. */
function toContext(flags: GlobalFlags): Context {
  const at = { env: process.env, homeDir: homedir(), platform: process.platform, cwd: toCwd() };
  const quiet = flags.quiet ?? false;
  indexPath = toIndexPath(flags.db, at);
  const roots = () => findRoots(flags.claudeDir ?? [], at);
  const note: Context['note'] = (text) => {
    if (!quiet) write(2, `${fitTo(toTerminal('stderr'), toHintText(text, givenFlags))}\n`);
  };
  let recall: Recall | null = null;
  return {
    get recall() {
      recall ??= new Recall(toHost(at, roots, note, quiet));
      return recall;
    },
    at,
    indexPath,
    roots,
    givenFlags,
    json: flags.json ?? false,
    quiet,
    verbose: flags.verbose ?? false,
    get useColor() {
      return (
        flags.color === 'always' ||
        (flags.color === 'auto' && !process.env.NO_COLOR && toTerminal('stdout').isTerminal)
      );
    },
    get stdout() {
      return toTerminal('stdout');
    },
    get stderr() {
      return quiet ? noTerminal : toTerminal('stderr');
    },
    get isTyped() {
      return process.stdin.isTTY ?? false;
    },
    now: () => new Date(),
    get signal() {
      return toSignal();
    },
    print: (text) => write(1, `${text}\n`),
    note,
    warn: (text) => write(2, `${fitTo(toTerminal('stderr'), text)}\n`),
    handOver,
    confirm,
  };
}

/** Calls that follow each other closely look at the files once. */
const freshForMs = 1000;

function toHost(at: Surroundings, roots: Host['roots'], note: Context['note'], quiet: boolean): Host {
  const progress = new ProgressDisplay({
    get terminal() {
      return quiet ? noTerminal : toTerminal('stderr');
    },
    elapsedMs,
    line: note,
    redraw: (text) => write(2, `\r\x1b[2K${text}`),
  });
  return {
    at,
    indexPath,
    roots,
    config: () => readConfig(at),
    now: () => new Date(),
    elapsedMs,
    pid: process.pid,
    get signal() {
      return toSignal();
    },
    get threads() {
      return { workerPath: join(dirname(__filename), 'read-worker.cjs'), cores: availableParallelism() };
    },
    freshForMs,
    onEvent: (event) => {
      if (event.type === 'progress') progress.show((...at) => toProgressLine(event.progress, ...at));
      else if (event.type === 'upgrading') progress.show(() => toUpgradeLine(event.progress));
      else if (event.type === 'progress-end') progress.clear();
      const text = toEventNote(event);
      if (text !== null) note(text);
    },
  };
}

function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** A directory that was deleted still has a name, and only `.` needs more than that. */
function toCwd(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? homedir();
  }
}

async function handOver<T>(run: () => Promise<T>): Promise<T> {
  isHandedOver = true;
  try {
    return await run();
  } finally {
    isHandedOver = false;
  }
}

function toSignal(): AbortSignal {
  interruption ??= new AbortController();
  if (interruptedBy !== null) interruption.abort();
  return interruption.signal;
}

/** A pipe, a file or the null device is told without loading what terminals need. */
function toTerminal(name: 'stdout' | 'stderr'): Terminal {
  if (!mayBeTerminal(name === 'stdout' ? 1 : 2)) return noTerminal;
  const stream = process[name];
  return { isTerminal: stream.isTTY ?? false, columns: stream.columns || 80, rows: stream.rows || 24 };
}

function mayBeTerminal(fd: number): boolean {
  const device = deviceOf(() => fstatSync(fd));
  return device !== null && device !== deviceOf(() => statSync(devNull));
}

/** Null when it is none, or cannot be asked. */
function deviceOf(ask: () => Stats): number | null {
  try {
    const stat = ask();
    return stat.isCharacterDevice() ? stat.rdev : null;
  } catch {
    return null;
  }
}

/** Straight to the descriptor, since a stream takes as long to make as a search. */
function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that has seen enough, such as head, is no error.
      if (code === 'EPIPE') process.exit(fd === 1 ? EXIT_OK : EXIT_ERROR);
      if (code !== 'EAGAIN') throw toOutputError(error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Nothing more can be said on a stdout that takes nothing; the complaint goes to stderr. */
function toOutputError(error: unknown): UserError {
  return new UserError(`the output could not be written: ${toReason(error)}`, {
    code: 'no-output',
    hint: 'free some space, or write elsewhere',
    cause: error,
  });
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(
      (await prompt.question(fitTo(toTerminal('stderr'), question), { signal: toSignal() })).trim(),
    );
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    write(2, '\n');
    // Ctrl-D is an answer, too; Ctrl-C ends the program.
    if (/Ctrl\+C/.test((error as Error).message)) interruptedBy = 'SIGINT';
    if (interruptedBy !== null) throw error;
    return false;
  } finally {
    prompt.close();
  }
}

function printError(error: unknown, isJson: boolean): number {
  if (interruptedBy !== null) return interruptedBy === 'SIGTERM' ? 143 : 130;
  // commander has already written its help or version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_ERROR;
  if (error instanceof UserError) {
    const hint = error.hint === undefined ? undefined : toHintText(error.hint, givenFlags);
    if (isJson && error.code !== 'no-output') printJsonError(error.code, error.message, hint);
    else complain(`recall: ${error.message}\n${hint === undefined ? '' : `  try: ${hint}\n`}`);
    return error.exitCode;
  }
  const stack = error instanceof Error ? error.stack : String(error);
  if (isJson) printJsonError('internal', error instanceof Error ? error.message : String(error), undefined);
  complain(`recall: internal error\n${stack}\n`);
  return EXIT_ERROR;
}

/** What was typed, or the name of a file, is repeated in complaints: it must not act on the terminal. */
function complain(text: string): void {
  write(2, fitTo(toTerminal('stderr'), toPrintable(text)));
}

function printJsonError(code: string, message: string, hint: string | undefined): void {
  write(1, `${toJsonText({ error: { code, message, hint: hint ?? null } })}\n`);
}

/** The first signal stops at the next safe place; a second one at once. */
function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isHandedOver && signal === 'SIGINT') return;
      if (interruptedBy !== null) process.exit(signal === 'SIGTERM' ? 143 : 130);
      interruptedBy = signal;
      interruption?.abort();
    });
  }
}

async function main(argv: readonly string[]): Promise<void> {
  stopOnSignals();
  const setExitCode = (code: number) => {
    process.exitCode = code;
  };
  const output = {
    writeOut: (text: string) => write(1, fitTo(toTerminal('stdout'), text)),
    writeErr: complain,
  };
  const program = await buildProgram({ toContext, setExitCode, output }, argv);
  givenFlags = toGivenFlags(argv);
  const isJson = argv.includes('--json');
  const ordered = separateWords(program, putCommandFirst(program, argv));
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(ordered, { from: 'user' });
  } catch (error) {
    const isUsage = error instanceof CommanderError && error.exitCode !== 0;
    // Where no command is given, its help says what there is.
    const isSaid = isUsage && error.code === 'commander.help' && !isJson;
    const reason =
      isUsage && !isSaid
        ? (await import('./command-line/usage-error.ts')).toUsageError(error, program, ordered)
        : error;
    process.exitCode = printError(reason, isJson);
  }
}

void main(process.argv.slice(2));
