// Runs the built program as a user would, in a temporary home.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TempHome } from './home.ts';

export const programPath = resolve('dist/recall.cjs');

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** A program, with its arguments, that runs recall: `unshare -n`, `strace -o …`. */
  readonly via?: readonly string[];
  /** Nobody is refused nothing as root, so root runs the program as somebody else. */
  readonly uid?: number;
}

/** Compiled code that all tests share: in a home of its own, each of them would compile the program again. */
export const codeCache = join(tmpdir(), 'recall-test-code', resolve('.').replaceAll(/\W+/g, '-'));

/** Only what a program needs to start, and a home that is not anyone's. */
export function toEnv(home: TempHome, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home.path,
    TZ: 'UTC',
    RECALL_DB: home.indexPath,
    XDG_CACHE_HOME: codeCache,
    ...extra,
  };
}

export function runRecall(home: TempHome, args: readonly string[], options: RunOptions = {}): Result {
  const [program = '', ...rest] = [...(options.via ?? []), process.execPath, programPath, ...args];
  const done = spawnSync(program, rest, {
    ...toSpawnOptions(home, options),
    input: options.input ?? '',
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

export const hasTerminals = existsSync('/usr/bin/script');

/** As a person runs it, who types `input`: stdout and stderr are one terminal. */
export function runAtTerminal(
  home: TempHome,
  args: readonly string[],
  input: string,
  size = { columns: 100, rows: 50 },
  env: Record<string, string> = {},
): Result {
  const quoted = [process.execPath, programPath, ...args].map((part) => `'${part}'`).join(' ');
  const done = spawnSync(
    '/usr/bin/script',
    ['-qec', `stty cols ${size.columns} rows ${size.rows}; ${quoted}`, '/dev/null'],
    {
      ...toSpawnOptions(home, { env: { TERM: 'xterm', PAGER: 'cat', ...env } }),
      input,
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  return { code: done.status, stdout: done.stdout.replaceAll('\r\n', '\n'), stderr: done.stderr };
}

export function startRecall(home: TempHome, args: readonly string[], options: RunOptions = {}): ChildProcess {
  const [program = '', ...rest] = [...(options.via ?? []), process.execPath, programPath, ...args];
  return spawn(program, rest, { ...toSpawnOptions(home, options), stdio: ['ignore', 'pipe', 'pipe'] });
}

function toSpawnOptions(home: TempHome, { cwd, env, uid }: RunOptions) {
  return {
    cwd: cwd ?? home.path,
    env: toEnv(home, env),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  };
}

/** Waits until a started program has said this on stderr, or has ended. */
export async function untilSaid(child: ChildProcess, text: string): Promise<void> {
  let said = '';
  await new Promise<void>((done) => {
    child.on('close', () => done());
    child.stderr?.on('data', (data) => {
      said += data;
      if (said.includes(text)) done();
    });
  });
}

/** Waits for a started program and gathers what it printed. */
export async function finish(child: ChildProcess): Promise<Result> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, stdout, stderr };
}
