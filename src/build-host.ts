// The one place where the API's host is built. It reads the clock and the machine; what comes from flags and the environment is
// given.

import { availableParallelism, hostname } from 'node:os';
import type { Host } from './api/host.ts';
import { getRoots } from './api/roots.ts';
import { readConfig, toArchivePath, toIndexPath } from './config.ts';
import type { GivenRoots, Surroundings } from './records.ts';

export interface HostOptions {
  readonly at: Surroundings;
  readonly db?: string | undefined;
  readonly archive?: string | undefined;
  readonly givenRoots: GivenRoots;
  readonly workerPath: string;
  /** These two are asked for when they are needed. */
  readonly signal: () => AbortSignal;
  readonly terminal?: () => string | null;
  readonly now?: (() => Date) | undefined;
  readonly freshForMs?: number;
  readonly onEvent?: Host['onEvent'] | undefined;
}

export function buildHost(options: HostOptions): Host {
  const { at, db, archive, givenRoots, workerPath } = options;
  const indexPath = toIndexPath(db, at);
  const config = () => readConfig(at);
  return {
    at,
    indexPath,
    archivePath: toArchivePath(archive, at, indexPath),
    machine: hostname(),
    roots: () => getRoots(givenRoots, at, config().agents),
    config,
    now: options.now ?? (() => new Date()),
    elapsedMs: () => Number(process.hrtime.bigint()) / 1e6,
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
    // Calls in quick succession look at the files only once.
    freshForMs: options.freshForMs ?? 1000,
    onEvent: options.onEvent ?? (() => {}),
  };
}
