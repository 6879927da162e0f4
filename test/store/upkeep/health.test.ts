// What doctor reads from the index: damage, counts with a few examples, and what an agent will delete soon.

import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readExpiring, readHealth } from '../../../src/store/upkeep/health.ts';
import { assistantLine, at, TempHome, toJsonl, userLine } from '../../support/home.ts';
import { indexHome, withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

test('a sound index has no problems, and everything is counted', async () => {
  const lines = [userLine('one'), assistantLine('two')];
  home.write(
    'projects/-home-u-shop/aaaaaaaa.jsonl',
    `${toJsonl(lines)}not JSON\n${toJsonl([{ type: 'never-seen' }])}`,
  );
  home.write('projects/-home-u-shop/agent-one.jsonl', [userLine('three', { sessionId: 'aaaaaaaa' })]);
  const gone = home.writeSession('bbbbbbbb', [userLine('five')]);
  await indexHome(home);
  rmSync(join(home.claudeDir, gone));
  await indexHome(home);
  const health = await withStore(home, readHealth);
  expect(health).toMatchObject({
    problems: [],
    wordProblems: [],
    files: { known: 3, gone: 1, failed: 0 },
    failures: [],
    counted: { sessions: 2, messages: 3, projects: 1 },
    skippedLines: 1,
    skipped: [{ path: expect.stringContaining('/projects/-home-u-shop/aaaaaaaa.jsonl'), line: 3 }],
    unknownTypes: [{ type: 'never-seen', count: 1 }],
    forgotten: 0,
    unsettled: 0,
  });
  expect(health.sizeBytes).toBeGreaterThan(10_000);
});

test('files that could not be read are counted and named', async () => {
  home.writeSession('aaaaaaaa', [userLine('one')]);
  home.writeSession('bbbbbbbb', [userLine('two')]);
  await indexHome(home);
  const health = await withStore(home, (store) => {
    store.db.exec("update transcript set state = 'failed', error = 'no luck' where path like '%bbbbbbbb%'");
    return readHealth(store);
  });
  expect(health.files).toEqual({ known: 2, gone: 0, failed: 1 });
  expect(health.failures).toEqual([
    { path: `${home.claudeDir}/projects/-home-u-shop/bbbbbbbb.jsonl`, reason: 'no luck' },
  ]);
});

test('a definition that is not as it was made is a problem', async () => {
  home.writeSession('aaaaaaaa', [userLine('one')]);
  await indexHome(home);
  await withStore(home, async (store) => {
    store.db.exec('alter table summary rename column leaf_hash to leaf_hasp');
    expect((await readHealth(store)).problems).toContain('the definition of summary is not as it was made');
  });
});

test('what is deleted within so many days is listed, the soonest first', async () => {
  const day = 86_400_000;
  const now = Date.parse(at(0));
  for (const [id, days] of [
    ['aaaaaaaa', 22],
    ['bbbbbbbb', 29],
    ['cccccccc', 24],
  ] as const) {
    const when = new Date(now - days * day);
    utimesSync(join(home.claudeDir, home.writeSession(id, [userLine(`question ${id}`)])), when, when);
  }
  await indexHome(home);
  const expiring = await withStore(home, (store) =>
    readExpiring(store, { root: home.claudeDir, cleanupDays: 30, nowMs: now, withinDays: 7 }),
  );
  expect(expiring).toEqual([
    { id: 'bbbbbbbb', title: 'question bbbbbbbb', deletedAt: new Date(now + day).toISOString() },
    { id: 'cccccccc', title: 'question cccccccc', deletedAt: new Date(now + 6 * day).toISOString() },
  ]);
});
