// The first answer comes before everything is read: from the newest transcripts, saying what is unread. Later questions
// continue, and what they end with is the index that one undisturbed run makes. Time passes with every look at the clock.

import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recall } from '../../../src/api/recall.ts';
import { toHintText } from '../../../src/hints.ts';
import { formatFreshnessNotes } from '../../../src/render/notes.ts';
import { assistantLine, TempHome, userLine } from '../../support/home.ts';
import { hostNow, toHost } from '../../support/host.ts';
import { contentOf, indexHome, rowsOf, withStore } from '../../support/index-home.ts';

const sessions = 40;
const toId = (n: number) => `aaaaaaaa-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
const filler = assistantLine([{ type: 'thinking', thinking: 'x'.repeat(60_000) }]);

let home: TempHome;
let recall: Recall;
beforeEach(() => {
  home = new TempHome();
  for (let n = 0; n < sessions; n++) writeSession(n);
  home.write('history.jsonl', [
    { display: 'a zebra that is gone', project: '/home/u/zoo', timestamp: 1.79e12, sessionId: toId(77) },
  ]);
  let now = 0;
  const elapsedMs = () => {
    now += 50;
    return now;
  };
  recall = new Recall(toHost(home, { elapsedMs }));
});
afterEach(() => {
  recall.close();
  home.remove();
});

/** The higher the number, the newer. Every fourth has a subagent, with a description beside it. */
function writeSession(n: number): void {
  const folder = `projects/-home-u-shop/${toId(n)}`;
  const files = [home.write(`${folder}.jsonl`, [userLine(`zebra number${n}`), filler])];
  if (n % 4 === 0) {
    files.push(home.write(`${folder}/subagents/agent-a${n}.jsonl`, [userLine(`task for zebra${n}`), filler]));
    files.push(home.write(`${folder}/subagents/agent-a${n}.meta.json`, { description: `stripes of ${n}` }));
  }
  const writtenAt = hostNow.getTime() / 1000 - (sessions - n) * 86_400;
  for (const file of files) utimesSync(file, writtenAt, writtenAt);
}

async function find(words: string): Promise<string[]> {
  const { hits } = await recall.search({ query: words }, { refresh: false });
  return hits.map(({ session }) => session.nativeId);
}

test('after an upgrade everything is found, and said to be read again rather than unread', async () => {
  await recall.index();
  await withStore(home, ({ db }) => {
    db.exec('update transcript set parser_version = 0; update snapshot set parser_version = 0');
  });
  const { hits, freshness } = await recall.search({ query: 'number0' });
  expect(hits.map(({ session }) => session.nativeId)).toEqual([toId(0)]);
  expect(freshness.pendingFiles).toBeGreaterThan(20);
  expect(freshness.pendingAgain).toBe(freshness.pendingFiles);
  expect(toHintText(formatFreshnessNotes(freshness)[0] ?? '', '')).toMatch(
    /^recall: \d+ files \(\d.+\) have to be read again, .+ recall index$/,
  );
});

test('comes from the newest, and later questions read the rest', async () => {
  const first = await recall.search({ query: 'zebra' });
  expect(first.freshness.pendingAgain).toBe(0);
  expect(first.hits.map(({ session }) => session.nativeId)).toContain(toId(sessions - 1));
  expect(first.freshness).toMatchObject({ refreshed: true, obstacle: null });
  expect(first.freshness.pendingFiles).toBeGreaterThan(20);
  expect(first.freshness.pendingBytes).toBeGreaterThan(20 * 60_000);
  expect(await find('number0')).toEqual([]);
  const pending = [first.freshness.pendingFiles];
  while (pending.at(-1) !== 0) {
    pending.push((await recall.list()).freshness.pendingFiles);
    expect(pending.at(-1)).toBeLessThan(pending.at(-2) ?? 0);
  }
  expect(pending.length).toBeGreaterThan(3);
  expect(await find('number0')).toEqual([toId(0)]);

  const read = await contentOf(home);
  const other = new TempHome();
  try {
    await indexHome(other, { roots: [home.claudeDir] });
    expect(read).toEqual(await contentOf(other));
  } finally {
    other.remove();
  }
});

test('gives the sessions that are read later lower ids: the newest have the highest', async () => {
  await recall.list();
  await recall.index();
  const inOrder = await rowsOf<{ native_id: string; mtime_ms: number }>(
    home,
    `select session.native_id, mtime_ms from session join transcript on transcript.id = transcript_id
    where session.kind = 'main' order by session.id`,
  );
  expect(inOrder).toHaveLength(sessions);
  const outOfOrder = inOrder.filter(({ mtime_ms }, i) => mtime_ms < (inOrder[i - 1]?.mtime_ms ?? 0));
  // Where time ran out inside a group.
  expect(outOfOrder.length).toBeLessThanOrEqual(1);
});

test('has the session that was asked for by its id, however old', async () => {
  const { askedId } = await recall.resume(toId(0));
  expect(askedId).toBe(toId(0));
  expect(await find('number1')).toEqual([]);
});
