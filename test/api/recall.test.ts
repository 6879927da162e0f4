// The API as other programs use it: calls that are made at once run one after the other, on an index that may be replaced.

import { renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConversationPage, PageStart } from '../../src/api/answers.ts';
import { Recall } from '../../src/api/recall.ts';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
let home: TempHome;
let recall: Recall;

beforeEach(() => {
  home = new TempHome();
  home.writeSession(id, [
    userLine('why does the okapi fail', { cwd: home.path, timestamp: at(0) }),
    assistantLine('Its token has expired.', { timestamp: at(1) }),
  ]);
  recall = new Recall(toHost(home));
});
afterEach(() => {
  recall.close();
  home.remove();
});

test('calls made at once on an index that does not exist yet', async () => {
  const [index, list, diagnosis, search] = await Promise.all([
    recall.index(),
    recall.list(),
    recall.diagnose(),
    recall.search({ query: 'okapi' }),
  ]);
  expect(index.report.files.new).toBe(1);
  expect(list.total).toBe(1);
  expect(diagnosis.health.held.messages).toBe(2);
  expect(search.hits.map(({ session }) => session.nativeId)).toEqual([id]);
});

test('a call that was given up before its turn is not begun', async () => {
  const controller = new AbortController();
  const first = recall.list();
  const second = recall.list({}, { signal: controller.signal });
  controller.abort();
  await expect(first).resolves.toMatchObject({ total: 1 });
  await expect(second).rejects.toThrow(/abort/i);
});

test('a conversation can be read on after recall was closed', async () => {
  await recall.index();
  const { start } = await recall.read(id);
  const first = await recall.readPage(start, 1);
  recall.close();
  expect(first.next).not.toBeNull();
  const second = await recall.readPage(first.next as PageStart);
  expect(textsOf([first, second])).toEqual(['why does the okapi fail', 'Its token has expired.']);
  expect(second.next).toBeNull();
});

test('an index that was replaced is opened anew', async () => {
  expect((await recall.list()).total).toBe(1);
  const other = new TempHome();
  try {
    other.writeSession('bbbbbbbb-0000-4000-8000-000000000002', [userLine('a zebra')]);
    other.writeSession('cccccccc-0000-4000-8000-000000000003', [userLine('another zebra')]);
    const elsewhere = new Recall(toHost(other));
    await elsewhere.index();
    elsewhere.close();
    for (const ending of ['-wal', '-shm']) rmSync(`${home.indexPath}${ending}`, { force: true });
    renameSync(other.indexPath, home.indexPath);
    expect((await recall.list({}, { refresh: false })).total).toBe(2);
  } finally {
    other.remove();
  }
});

test('within a second, questions look at the files once', async () => {
  let now = 0;
  const fresh = new Recall(toHost(home, { freshForMs: 1000, elapsedMs: () => now }));
  try {
    expect((await fresh.list()).total).toBe(1);
    home.writeSession('dddddddd-0000-4000-8000-000000000004', [userLine('a late zebra')]);
    now = 900;
    expect((await fresh.list()).total).toBe(1);
    now = 2000;
    expect((await fresh.list()).total).toBe(2);
  } finally {
    fresh.close();
  }
});

test('all pages of a conversation', async () => {
  const { start } = await recall.read(id, {}, { refresh: true });
  const pages = [];
  for await (const page of recall.pages(start)) pages.push(page);
  expect(textsOf(pages)).toEqual(['why does the okapi fail', 'Its token has expired.']);
});

function textsOf(pages: readonly ConversationPage[]): string[] {
  return pages.flatMap(({ pieces }) =>
    pieces.flatMap((piece) =>
      piece.type === 'part' && piece.part.type === 'message' ? [piece.part.message.text] : [],
    ),
  );
}

test('peek: what is indexed, without making, upgrading or refreshing anything', async () => {
  expect(await recall.peek()).toBeNull();
  await recall.index();
  home.writeSession('bbbbbbbb-0000-4000-8000-000000000002', [userLine('a newer one')]);
  expect((await recall.peek())?.sessions.map(({ session }) => session.nativeId)).toEqual([id]);
});

test('refresh: brings in what is new; within: only projects in these directories', async () => {
  await recall.index();
  home.writeSession('bbbbbbbb-0000-4000-8000-000000000002', [
    userLine('another okapi', { cwd: '/somewhere/else' }),
  ]);
  expect(await recall.refresh()).toMatchObject({ refreshed: true, pendingFiles: 0 });
  const found = async (within?: readonly string[], project?: string) => {
    const { hits } = await recall.search({ query: 'okapi', within, project }, { refresh: false });
    return hits.map(({ session }) => session.nativeId.slice(0, 8)).sort();
  };
  expect(await found()).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  expect(await found([home.path])).toEqual(['aaaaaaaa']);
  expect(await found([home.path, '/somewhere'])).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  expect(await found([home.path], '/somewhere/else')).toEqual([]);
  expect((await recall.list({ within: ['/somewhere'] }, { refresh: false })).total).toBe(1);
});
