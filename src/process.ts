// The process as a command sees it: its terminal, its output, its signals. Beside cli.ts the only file that touches it.

import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { devNull, homedir } from 'node:os';
import { fitTo, type Terminal } from './command-line/context.ts';
import { EXIT_ERROR, EXIT_OK, toReason, UserError } from './errors.ts';

let interruption: AbortController | null = null;
let interruptedBy: NodeJS.Signals | null = null;
let isHandedOver = false;

export const noTerminal: Terminal = { isTerminal: false, columns: 80, rows: 24 };

/** A pipe, a file or the null device is recognised without loading what terminals need. */
export function readTerminal(name: 'stdout' | 'stderr'): Terminal {
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
export function write(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that has seen enough, such as head, is not an error.
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

export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test(
      (await prompt.question(fitTo(readTerminal('stderr'), question), { signal: toSignal() })).trim(),
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

export async function handOver<T>(run: () => Promise<T>): Promise<T> {
  isHandedOver = true;
  try {
    return await run();
  } finally {
    isHandedOver = false;
  }
}

export function toSignal(): AbortSignal {
  interruption ??= new AbortController();
  if (interruptedBy !== null) interruption.abort();
  return interruption.signal;
}

/** The first signal stops at the next safe place; a second one at once. */
export function stopOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isHandedOver && signal === 'SIGINT') return;
      if (interruptedBy !== null) process.exit(signal === 'SIGTERM' ? 143 : 130);
      interruptedBy = signal;
      interruption?.abort();
    });
  }
}

/** The exit code for the signal that ended the run; null when none did. */
export function findSignalCode(): number | null {
  return interruptedBy === null ? null : interruptedBy === 'SIGTERM' ? 143 : 130;
}

/** A directory that was deleted still has a name, and only `.` needs more than that. */
export function readCwd(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? homedir();
  }
}

export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
