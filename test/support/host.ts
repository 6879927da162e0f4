// What the API is given by a front end, for a temporary home: the time stands still, nothing is read in other threads, and
// what happens on the way is gathered.

import { dirname } from 'node:path';
import type { ListedSession } from '../../src/api/answers.ts';
import type { Host, RecallEvent } from '../../src/api/host.ts';
import { readConfig } from '../../src/config.ts';
import type { TempHome } from './home.ts';
import { noThreads } from './index-home.ts';

export const hostNow = new Date('2026-11-16T12:00:00.000Z');

export interface MadeHost extends Host {
  readonly events: RecallEvent[];
}

export function toHost(home: TempHome, some: Partial<Host> = {}): MadeHost {
  const events: RecallEvent[] = [];
  const at = some.at ?? { env: {}, homeDir: home.path, platform: process.platform, cwd: home.path };
  return {
    at,
    indexPath: home.indexPath,
    archivePath: `${dirname(home.indexPath)}/archive`,
    machine: 'laptop',
    roots: () => [{ agent: 'claude', path: home.claudeDir }],
    config: () => readConfig(at),
    now: () => hostNow,
    elapsedMs: () => performance.now(),
    pid: process.pid,
    terminal: null,
    signal: new AbortController().signal,
    threads: noThreads,
    freshForMs: 0,
    onEvent: (event) => events.push(event),
    ...some,
    events,
  };
}

/** The same session where its directory still is, as on the machine it was written on. */
export function withDirectory<T extends Pick<ListedSession, 'resumption'>>(listed: T): T {
  return { ...listed, resumption: { ...listed.resumption, goneDirectory: null } };
}
