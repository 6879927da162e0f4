// The one place where the API's host is built, for the command line, the MCP server, the library and the threads of the screen. It
// reads the clock and the machine; what comes from flags and the environment is given.

import { availableParallelism, hostname } from 'node:os';
import type { Host } from './api/host.ts';
import { type GivenRoots, getRoots } from './api/roots.ts';
import { readConfig, type Surroundings, toArchivePath, toIndexPath } from './config.ts';

export interface HostOptions {
  readonly at: Surroundings;
  /** The index and the archive, if they are named. */
  readonly db?: string | undefined;
  readonly archive?: string | undefined;
  readonly givenRoots: GivenRoots;
  /** The program of the threads that read transcripts. */
  readonly workerPath: string;
  /** These two are asked for when they are needed. */
  readonly signal: () => AbortSignal;
  readonly terminal?: () => string | null;
  readonly now?: (() => Date) | undefined;
  readonly freshForMs?: number;
  readonly onEvent?: Host['onEvent'] | undefined;
}

/** Calls in quick succession look at the files only once. */
const usualFreshForMs = 1000;

export function buildHost(options: HostOptions): Host {
  const { at, db, archive, givenRoots, workerPath, now, freshForMs, onEvent } = options;
  const indexPath = toIndexPath(db, at);
  const config = () => readConfig(at);
  return {
    at,
    indexPath,
    archivePath: toArchivePath(archive, at, indexPath),
    machine: hostname(),
    roots: () => getRoots(givenRoots, at, config().agents),
    config,
    now: now ?? (() => new Date()),
    elapsedMs,
    pid: process.pid,
    get terminal() {
      return options.terminal?.() ?? null;
    },
    get signal() {
      return options.signal();
    },
    get threads() {
      return { workerPath, cores: availableParallelism() };
    },
    freshForMs: freshForMs ?? usualFreshForMs,
    onEvent: onEvent ?? (() => {}),
  };
}

function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
