// A real terminal for the built program: a tmux server of its own, typed into and looked at as a person would.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TempHome } from './home.ts';
import { toShellEnv } from './shells.ts';

export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

export class Tmux {
  private readonly socket: string;
  private readonly env: Record<string, string>;

  constructor(home: TempHome, env: Record<string, string>, columns: number, rows: number) {
    this.socket = `${home.path}/tmux`;
    this.env = env;
    const size = ['-x', String(columns), '-y', String(rows)];
    this.run('-f', '/dev/null', 'new-session', '-d', ...size, 'env PS1="$ " bash --norc');
  }

  type(...keys: readonly string[]): void {
    this.run('send-keys', '-t', '0', ...keys);
  }

  toText(): string {
    return this.run('capture-pane', '-p', '-t', '0');
  }

  ask(format: string): string {
    return this.run('display-message', '-p', '-t', '0', format).trim();
  }

  resize(columns: number, rows: number): void {
    this.run('resize-window', '-t', '0', '-x', String(columns), '-y', String(rows));
  }

  /** Waits for what a person would wait for, and says what was there instead. */
  async until(isThere: (text: string) => boolean, what: string): Promise<string> {
    for (let waitedMs = 0; waitedMs < 40_000; waitedMs += 50) {
      const text = this.toText();
      if (isThere(text)) return text;
      await sleep(50);
    }
    throw new Error(`${what} did not appear:\n${this.toText()}`);
  }

  /** The program that the shell has started last. */
  findProgram(): number | undefined {
    return this.findChildren().at(-1);
  }

  /** Resolves when nothing that was started writes to the home any more. */
  async stop(): Promise<void> {
    const pids = [this.shell, ...this.findChildren()];
    this.run('kill-server');
    while (pids.some((pid) => existsSync(`/proc/${pid}`))) await sleep(20);
  }

  private get shell(): number {
    return Number(this.ask('#{pane_pid}'));
  }

  private findChildren(): number[] {
    const path = `/proc/${this.shell}/task/${this.shell}/children`;
    return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
  }

  private run(...args: readonly string[]): string {
    const done = spawnSync('tmux', ['-S', this.socket, ...args], { env: this.env, encoding: 'utf8' });
    return done.stdout;
  }
}

/** With the built program and a fake `claude` on the path. */
export function toTmuxEnv(home: TempHome): Record<string, string> {
  return { ...toShellEnv(home), TERM: 'screen-256color', COLUMNS: '', LC_ALL: 'C.UTF-8' };
}
