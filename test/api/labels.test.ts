// After anything that may happen to the index, the transcripts and the labels, sessions have the labels that a plain model says.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import type { LabelEntry } from '../../src/records.ts';
import { findLabelsPath, mergeLabels, readLabelEntries } from '../../src/store/labels.ts';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const ids = ['a', 'b'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000001`);

const session = fc.nat({ max: ids.length - 1 });
const word = fc.constantFrom('x', 'y', 'z');
const command = fc.oneof(
  fc.record({ type: fc.constant('name' as const), session, text: fc.constantFrom('', 'x', 'y') }),
  fc.record({ type: fc.constant('star' as const), session, is: fc.boolean() }),
  fc.record({ type: fc.constant('tag' as const), session, tag: word, is: fc.boolean() }),
  fc.record({
    type: fc.constant('note' as const),
    session,
    text: fc.constantFrom('', 'x', 'y'),
    isOnMessage: fc.boolean(),
  }),
  fc.record({ type: fc.constantFrom('delete' as const, 'write' as const, 'forget' as const), session }),
  fc.record({
    type: fc.constantFrom(
      'rebuild' as const,
      'repair' as const,
      'lose-index' as const,
      'export' as const,
      'import' as const,
    ),
  }),
);

type Model = Map<string, { readonly value: string | null; readonly version: number }>;

function isNewer(
  entry: { value: string | null; version: number },
  before: { value: string | null; version: number } | undefined,
) {
  if (before === undefined || entry.version !== before.version)
    return entry.version > (before?.version ?? -1);
  return (entry.value ?? '') > (before.value ?? '');
}

test('labels equal a plain model', async () => {
  const run = async (commands: readonly (typeof command extends fc.Arbitrary<infer C> ? C : never)[]) => {
    home.remove();
    home = new TempHome();
    const pathOf = (nth: number) => `projects/-home-u-shop/${ids[nth]}.jsonl`;
    const write = (nth: number) =>
      home.write(pathOf(nth), [
        userLine(`prompt ${nth}`, { uuid: `p${nth}`, timestamp: at(nth) }),
        assistantLine('reply', { uuid: `r${nth}`, timestamp: at(nth) }),
      ]);
    const recall = new Recall(toHost(home));
    const model: Model = new Map();
    const forgotten = new Set<string>();
    let exported: { entries: readonly LabelEntry[]; model: Model } = { entries: [], model: new Map() };
    const set = (key: string, value: string | null) => {
      const before = model.get(key);
      if ((before?.value ?? null) === value) return;
      model.set(key, { value, version: (before?.version ?? -1) + 1 });
    };
    try {
      for (const nth of ids.keys()) write(nth);
      await recall.index();
      for (const each of commands) {
        const known = new Set((await recall.list({ all: true })).sessions.map((one) => one.session.nativeId));
        const id = 'session' in each ? (ids[each.session] as string) : '';
        const isFree = id === '' || known.has(id);
        switch (each.type) {
          case 'name':
            if (!isFree) break;
            await recall.label(id, { name: each.text });
            set(`${id} name`, each.text || null);
            break;
          case 'star':
            if (!isFree) break;
            await recall.label(id, { starred: each.is });
            set(`${id} star`, each.is ? '1' : null);
            break;
          case 'tag':
            if (!isFree) break;
            await recall.label(id, each.is ? { tags: [each.tag] } : { untag: [each.tag] });
            set(`${id} tag:${each.tag}`, each.is ? '1' : null);
            break;
          case 'note':
            if (!isFree) break;
            await recall.label(each.isOnMessage ? `${id}:2` : id, { note: each.text });
            set(`${id} ${each.isOnMessage ? `r${each.session} ` : ''}note`, each.text || null);
            break;
          case 'delete':
            rmSync(join(home.claudeDir, pathOf(each.session)), { force: true });
            break;
          case 'write':
            write(each.session);
            break;
          case 'forget':
            if (!isFree) break;
            await recall.forget(await recall.forgettable(id));
            forgotten.add(id);
            for (const key of model.keys()) if (key.startsWith(id)) model.delete(key);
            break;
          case 'rebuild':
            await recall.index({ rebuild: true });
            break;
          case 'repair':
            await recall.diagnose({ repair: true });
            break;
          case 'lose-index':
            recall.close();
            for (const suffix of ['', '-wal', '-shm']) rmSync(`${home.indexPath}${suffix}`, { force: true });
            forgotten.clear();
            break;
          case 'export':
            exported = { entries: await recall.exportLabels(), model: new Map(model) };
            break;
          case 'import':
            await recall.importLabels(exported.entries);
            for (const [key, entry] of exported.model)
              if (!forgotten.has(key.split(' ')[0] ?? '') && isNewer(entry, model.get(key)))
                model.set(key, entry);
        }
      }
      const { sessions } = await recall.list({ all: true });
      for (const { session } of sessions) {
        const nth = ids.indexOf(session.nativeId);
        const of = (field: string) => model.get(`${session.nativeId} ${field}`)?.value ?? null;
        const notes = [of('note'), of(`r${nth} note`)].filter((text) => text !== null);
        expect(session.title).toBe(of('name') ?? `prompt ${nth}`);
        expect(session.labels).toMatchObject({
          name: of('name'),
          isStarred: of('star') === '1',
          tags: ['x', 'y', 'z'].filter((tag) => of(`tag:${tag}`) === '1'),
        });
        expect(session.labels.notes.map(({ text }) => text)).toEqual(notes);
      }
      const kept = readLabelEntries(findLabelsPath(home.indexPath));
      expect(
        kept.map(({ id, message, field }) => `${id} ${message === null ? '' : `${message} `}${field}`).sort(),
      ).toEqual([...model.keys()].sort());
    } finally {
      recall.close();
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(command, { maxLength: 14 }), run), { numRuns: 40 });
}, 120_000);

test('machines agree in whatever order labels meet', () => {
  const entry = fc.record({
    agent: fc.constant('claude' as const),
    id: fc.constantFrom('s', 't'),
    message: fc.constantFrom(null, 'm'),
    field: fc.constant('note'),
    value: fc.constantFrom(null, 'x', 'y'),
    changedAt: fc.constantFrom(at(1), at(2)),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), (entries) => {
      const paths = ['one.db', 'two.db'].map((name) => join(home.path, name));
      for (const path of paths) rmSync(path, { force: true });
      mergeLabels(paths[0] as string, entries);
      for (const each of entries.toReversed()) mergeLabels(paths[1] as string, [each]);
      expect(readLabelEntries(paths[0] as string)).toEqual(readLabelEntries(paths[1] as string));
    }),
    { numRuns: 30 },
  );
});

test('what is only asked for makes no file', async () => {
  home.writeSession(ids[0] as string, [userLine('hello there', { timestamp: at(1) })]);
  const recall = new Recall(toHost(home));
  await recall.label(ids[0] as string);
  await recall.labels();
  recall.close();
  expect(existsSync(findLabelsPath(home.indexPath))).toBe(false);
});
