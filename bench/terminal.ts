// The built program on a terminal of its own, driven and timed from outside: what was typed, and what came back when.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One write of the screen. */
export interface Painted {
  readonly atMs: number;
  readonly bytes: number;
  /** Rows that were written, from 1. */
  readonly rows: readonly number[];
}

export const size = { columns: 120, rows: 40 } as const;

/** Nothing more is coming. */
const quietMs = 250;

export class TimedTerminal {
  readonly startedAtMs = performance.now();
  readonly painted: Painted[] = [];
  private readonly child: ChildProcess;
  private text = '';
  private lastAtMs = performance.now();

  constructor(command: string, env: Record<string, string>, cwd: string) {
    const line = `stty cols ${size.columns} rows ${size.rows}; exec ${command}`;
    this.child = spawn('script', ['-qfec', line, '/dev/null'], {
      env,
      cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child.stdout?.on('data', (data: Buffer) => this.receive(data.toString('latin1')));
  }

  type(text: string): number {
    const atMs = performance.now();
    this.lastAtMs = atMs;
    this.child.stdin?.write(text);
    return atMs;
  }

  async untilPainted(count = 1): Promise<void> {
    while (this.painted.length < count) await sleep(1);
  }

  async untilQuiet(forMs = quietMs): Promise<void> {
    while (performance.now() - this.lastAtMs < forMs) await sleep(10);
  }

  /** What was painted since then. */
  since(atMs: number): readonly Painted[] {
    return this.painted.filter((each) => each.atMs >= atMs);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.on('close', resolve));
    this.type('\x03');
    await ended;
  }

  /** Of the program itself: the most memory it held, and the processor time it has taken. */
  readUse(): { readonly peakMb: number; readonly cpuMs: number } {
    const pid = findLeaf(this.child.pid ?? 0);
    const peakKb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
    return { peakMb: peakKb / 1024, cpuMs: (user + system) * 10 };
  }

  /** A frame may arrive in several pieces. */
  private receive(data: string): void {
    this.lastAtMs = performance.now();
    this.text += data;
    for (let end = this.text.indexOf(endOfFrame); end >= 0; end = this.text.indexOf(endOfFrame)) {
      const frame = this.text.slice(0, end + endOfFrame.length);
      this.text = this.text.slice(frame.length);
      const rows = [...frame.matchAll(/\x1b\[(\d+);1H\x1b\[2K/g)].map(([, row]) => Number(row));
      this.painted.push({ atMs: this.lastAtMs, bytes: frame.length, rows });
    }
  }
}

const endOfFrame = '\x1b[?2026l';

/** The shell that `script` starts becomes the program. */
function findLeaf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return children.length === 0 ? pid : findLeaf(Number(children[0]));
}
