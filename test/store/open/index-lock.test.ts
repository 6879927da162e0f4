// One indexer at a time, and no lock that outlives its holder.

import { statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  acquireIndexLock,
  type IndexLock,
  isLocked,
  type LockedByOther,
} from '../../../src/store/open/open-store.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { finish, startRecall } from '../../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

function acquire(pid = 4711, waitMs = 0): IndexLock | LockedByOther {
  return acquireIndexLock(home.indexPath, pid, waitMs);
}

function getLock(): IndexLock {
  const lock = acquire();
  if (!isLocked(lock)) throw new Error(`held by ${lock.holderPid}`);
  return lock;
}

test('a second one learns who holds it', () => {
  const lock = getLock();
  expect(acquire(4712)).toEqual({ holderPid: 4711 });
  expect(acquire(4713)).toEqual({ holderPid: 4711 });
  lock.release();
  const next = acquire(4712);
  expect(isLocked(next)).toBe(true);
  expect(acquire(4713)).toEqual({ holderPid: 4712 });
  if (isLocked(next)) next.release();
});

test('locks of two indexes do not meet', () => {
  const lock = getLock();
  const other = acquireIndexLock(`${home.indexPath}2`, 1, 0);
  expect(isLocked(other)).toBe(true);
  if (isLocked(other)) other.release();
  lock.release();
});

test('waits as long as it is asked to, no longer', () => {
  const lock = getLock();
  const startedAt = performance.now();
  expect(isLocked(acquire(4712, 200))).toBe(false);
  const waitedMs = performance.now() - startedAt;
  expect(waitedMs).toBeGreaterThan(150);
  expect(waitedMs).toBeLessThan(2000);
  lock.release();
});

test('is private and does not grow', () => {
  for (let i = 0; i < 20; i++) getLock().release();
  const { mode, size } = statSync(`${home.indexPath}.lock`);
  expect(mode & 0o777).toBe(0o600);
  expect(size).toBeLessThan(20_000);
});

test('a file in its place that is not a database is replaced', () => {
  getLock().release();
  writeFileSync(`${home.indexPath}.lock`, 'what another program wrote here, or a crash left '.repeat(50));
  const lock = getLock();
  expect(acquire(4712)).toEqual({ holderPid: 4711 });
  lock.release();
});

test('goes with its holder, however it dies', async () => {
  for (let n = 0; n < 30; n++) {
    home.writeSession(
      `session-${n}`,
      Array.from({ length: 300 }, (_, i) => userLine(`line ${i} ${'about the build '.repeat(50)}`)),
    );
  }
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const child = startRecall(home, ['index', '--rebuild']);
    const ended = finish(child);
    let seen: IndexLock | LockedByOther = { holderPid: 0 };
    for (let i = 0; i < 3000 && !isLocked(seen) && seen.holderPid !== child.pid; i++) {
      await sleep(5);
      seen = acquire();
      if (isLocked(seen)) {
        seen.release();
        seen = { holderPid: 0 };
      }
    }
    expect(seen).toEqual({ holderPid: child.pid });
    child.kill(signal);
    await ended;
    getLock().release();
  }
});
