// The process as a command sees it: terminal, output, progress, signals.

import { fstatSync, readFileSync, type Stats, statSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Interface } from 'node:readline/promises';
import type { Host } from './api/host.ts';
import type { Terminal } from './command-line/context.ts';
import { EXIT_ERROR, EXIT_OK, toReason, UserError } from './errors.ts';
import { fitTo } from './render/columns.ts';

let interruption: AbortController | null = null;
let interruptedBy: NodeJS.Signals | null = null;
let isHandedOver = false;

export const noTerminal: Terminal = { isTerminal: false, columns: 80, rows: 24, hasWidth: false };

/** Recognises a pipe or a file without loading the code for terminals. */
export function readTerminal(name: 'stdout' | 'stderr'): Terminal {
  if (mayBeTerminal(name === 'stdout' ? 1 : 2) && process[name].isTTY) {
    const { columns, rows } = process[name];
    return { isTerminal: true, columns: columns || 80, rows: rows || 24, hasWidth: true };
  }
  // Outside a terminal COLUMNS decides, as for other programs.
  const columns = Number(process.env.COLUMNS);
  return Number.isInteger(columns) && columns > 0 ? { ...noTerminal, columns, hasWidth: true } : noTerminal;
}

const streams = ['stdin', 'stdout', 'stderr'] as const;

/** Names the terminal that the program runs in, whatever of it is redirected; null without one. */
export function findTerminalName(): string | null {
  // Loading the code for terminals costs 5 % of a search, so only what may be one is asked for its stream.
  const open = ([0, 1, 2] as const).filter((fd) => mayBeTerminal(fd) && process[streams[fd]].isTTY);
  // Only Windows Terminal tells its tabs apart.
  if (process.platform === 'win32') return open.length === 0 ? null : (process.env.WT_SESSION ?? 'console');
  const device = open[0] === undefined ? findControllingTerminal() : fstatSync(open[0]);
  if (device === null) return null;
  // On Linux a closed window's device is soon another window's; it is made anew, which elsewhere cannot be seen.
  return process.platform === 'linux' ? `${device.rdev}-${Math.round(device.ctimeMs)}` : `${device.rdev}`;
}

/** Even if input and output are all redirected; only Linux says without starting another program. */
function findControllingTerminal(): Stats | null {
  try {
    const [, , , , number] = (readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1) ?? '').split(' ');
    const device = Number(number);
    const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
    return device === 0 ? null : statSync(`/dev/pts/${minor}`);
  } catch {
    return null;
  }
}

/** A quick answer; only a stream knows for sure. */
export function mayBeTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Straight to the descriptor, since creating a stream takes as long as a search. */
export function write(fd: 1 | 2, content: string | Buffer): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that stops early, such as head, is not an error.
      if (code === 'EPIPE') process.exit(fd === 1 ? EXIT_OK : EXIT_ERROR);
      if (code !== 'EAGAIN')
        throw new UserError(`cannot write the output: ${toReason(error)}`, {
          code: 'no-output',
          hint: 'free some space, or write somewhere else',
          cause: error,
        });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Null for Ctrl-D, which is an answer; Ctrl-C ends the program. */
async function ask(prompt: Interface, question: string): Promise<string | null> {
  try {
    return (await prompt.question(question, { signal: stopSignal() })).trim();
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    write(2, '\n');
    if (/Ctrl\+C/.test((error as Error).message)) interruptedBy = 'SIGINT';
    if (interruptedBy !== null) throw error;
    return null;
  }
}

export async function confirm(question: string, isYes = false): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // A command that was typed too early is not an answer.
    for (const text of [fitTo(readTerminal('stderr'), question), 'Please answer y or n: ']) {
      const answer = await ask(prompt, text);
      if (answer === '') return isYes;
      if (answer === null || /^(y(es)?|no?)$/i.test(answer)) return /^y/i.test(answer ?? '');
    }
    return false;
  } finally {
    prompt.close();
  }
}

export async function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const { createInterface } = await import('node:readline/promises');
  const { Writable } = await import('node:stream');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  write(2, question);
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    const answer = await ask(prompt, '');
    if (answer !== null) write(2, '\n');
    return answer || null;
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

export function stopSignal(): AbortSignal {
  interruption ??= new AbortController();
  if (interruptedBy !== null) interruption.abort();
  return interruption.signal;
}

/** The first signal stops at the next safe point; a second one stops immediately. */
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

export function findSignalCode(): number | null {
  return interruptedBy === null ? null : interruptedBy === 'SIGTERM' ? 143 : 130;
}

/** A deleted directory still has a name, and only `.` needs more than that. */
export function readCwd(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? homedir();
  }
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

  show(formatLine: (elapsedMs: number, columns: number) => string): void {
    const { terminal, elapsedMs } = this.output;
    const now = elapsedMs();
    if (this.startedAt === null) [this.startedAt, this.shownAt] = [now, now];
    if (now - this.shownAt < (terminal.isTerminal ? 80 : 5000)) return;
    this.shownAt = now;
    const line = formatLine(now - this.startedAt, terminal.isTerminal ? terminal.columns : 120);
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
