// A question is answered from what is indexed when another recall is indexing, or the folders are gone.

import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recall } from '../../../src/api/recall.ts';
import { getRoots } from '../../../src/api/roots.ts';
import { acquireIndexLock, isLocked } from '../../../src/store/open/open-store.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { toHost } from '../../support/host.ts';

let home: TempHome;
let recall: Recall;
beforeEach(async () => {
  home = new TempHome();
  home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
  recall = new Recall(toHost(home));
  await recall.index();
  home.writeSession('bbbbbbbb', [userLine('the tapir report')]);
});
afterEach(() => {
  recall.close();
  home.remove();
});

test('busy: what is new is not waited for, and is there once the other has finished', async () => {
  const lock = acquireIndexLock(home.indexPath, 4711, 0);
  if (!isLocked(lock)) throw new Error('the lock is free');
  try {
    const { total, freshness } = await recall.list();
    expect(total).toBe(1);
    expect(freshness).toMatchObject({ refreshed: false, obstacle: { type: 'busy' } });
  } finally {
    lock.release();
  }
  expect(await recall.list()).toMatchObject({ total: 2, freshness: { refreshed: true, obstacle: null } });
});

test('no folder: it says why nothing new was looked for', async () => {
  rmSync(home.claudeDir, { recursive: true });
  const host = toHost(home);
  const gone = new Recall({ ...host, roots: () => getRoots({ claude: [home.claudeDir] }, host.at) });
  const { total, freshness } = await gone.list();
  gone.close();
  expect(total).toBe(1);
  expect(freshness).toMatchObject({
    refreshed: false,
    obstacle: { type: 'failed', message: expect.stringContaining('no Claude Code folder at') },
  });
});
