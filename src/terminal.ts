// The terminal that the screen draws on and takes keys from. It is restored whatever ends the process.

import { closeSync, openSync, writeSync } from 'node:fs';
import { WriteStream } from 'node:tty';
import type { Device, Size } from './screen/screen-terminal.ts';

const terminalPath = '/dev/tty';
const isWindows = process.platform === 'win32';

function openTerminal(): number | undefined {
  if (isWindows) return undefined;
  try {
    return openSync(terminalPath, 'w');
  } catch {
    return undefined;
  }
}

export function canDraw(): boolean {
  const fd = openTerminal();
  if (fd === undefined) return process.stderr.isTTY ?? false;
  closeSync(fd);
  return true;
}

/** Drawn on the terminal itself, so that standard output can be a pipe; on standard error where it has no name. */
export class ProcessDevice implements Device {
  private restore: () => void = () => {};
  private resume: () => void = () => {};
  private end: () => void = () => {};
  private readonly undo: (() => void)[] = [];
  private readonly fd = openTerminal() ?? 2;

  get size(): Size {
    const stream = [process.stdout, process.stderr].find((each) => each.isTTY);
    const { columns, rows } = stream ?? measure();
    return { columns: columns || 80, rows: rows || 24 };
  }

  write(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; ) at += this.writeSome(bytes, at);
    } catch {
      // The terminal has gone away, and nobody is left to look at it.
      this.end();
    }
  }

  private writeSome(bytes: Buffer, at: number): number {
    try {
      return writeSync(this.fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
      return 0;
    }
  }

  setRaw(isRaw: boolean): void {
    try {
      process.stdin.setRawMode(isRaw);
    } catch {
      this.end();
    }
  }

  onInput(listener: (bytes: Uint8Array) => void): void {
    process.stdin.on('data', listener);
    process.stdin.resume();
    this.undo.push(() => process.stdin.off('data', listener).pause());
  }

  onResize(listener: () => void): void {
    // Asking creates Node's own listener first, so that the size is up to date when this one is called.
    const isMeasured = process.stdout.isTTY || process.stderr.isTTY;
    if (isMeasured || !isWindows) this.on('SIGWINCH', listener);
  }

  onEnd(listener: () => void): void {
    this.end = listener;
    process.stdin.on('end', listener);
    this.undo.push(() => process.stdin.off('end', listener));
  }

  guard(restore: () => void, resume: () => void): void {
    this.restore = restore;
    this.resume = resume;
    this.on('exit', restore);
    this.on('uncaughtExceptionMonitor', restore);
    this.on('SIGHUP', () => {
      restore();
      process.exit(129);
    });
    if (isWindows) return;
    this.on('SIGTSTP', this.suspendNow);
    this.on('SIGCONT', () => {
      if (!process.listeners('SIGTSTP').includes(this.suspendNow)) process.on('SIGTSTP', this.suspendNow);
      this.resume();
    });
  }

  /** Inside `$(…)` no shell would continue it. */
  suspend(): void {
    if (!isWindows && process.stdout.isTTY) this.suspendNow();
  }

  private readonly suspendNow = (): void => {
    this.restore();
    process.removeListener('SIGTSTP', this.suspendNow);
    process.kill(0, 'SIGTSTP');
  };

  release(): void {
    for (const undo of this.undo.splice(0)) undo();
    process.removeListener('SIGTSTP', this.suspendNow);
    if (this.fd !== 2) closeSync(this.fd);
  }

  private on(event: string, listener: () => void): void {
    process.on(event, listener);
    this.undo.push(() => process.removeListener(event, listener));
  }
}

/** Where neither standard output nor standard error is the terminal. */
function measure(): Size {
  try {
    const stream = new WriteStream(openSync(terminalPath, 'r+'));
    const { columns, rows } = stream;
    stream.destroy();
    return { columns, rows };
  } catch {
    return { columns: 80, rows: 24 };
  }
}
