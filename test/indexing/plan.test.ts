// What is to be done about each file, from what is on disk and what is known.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSameStamp, type Plan, type PlanOptions, planReads } from '../../src/indexing/plan.ts';
import type { TranscriptFile } from '../../src/records.ts';
import type { KnownTranscript } from '../../src/store/read/known-files.ts';

const stamp = { sizeBytes: 100, mtimeMs: 5000.5, ctimeMs: 6000.5, inode: 42 };

function toFile(path: string, extra: Partial<TranscriptFile> = {}): TranscriptFile {
  return {
    ...{ path, kind: 'main', nativeId: path, parentNativeId: null, slug: '-a', isMachinery: false },
    ...stamp,
    ...extra,
  };
}

function toKnown(path: string, extra: Partial<KnownTranscript> = {}): KnownTranscript {
  return {
    ...{
      id: 1,
      path,
      kind: 'main',
      bytesRead: 100,
      linesRead: 3,
      lastVersion: null,
      isUnterminated: false,
      fingerprint: 'f',
    },
    ...{ parserVersion: 2, state: 'current' },
    ...stamp,
    ...extra,
  };
}

const freeIds = { above: 0, left: null };
const usual: PlanOptions = { parserVersion: 2, rebuild: false, newestFirst: false, unreadable: [], freeIds };

describe('one file', () => {
  const later = { mtimeMs: 9000, ctimeMs: 9000 };

  test.each<[string, string, Partial<TranscriptFile>, Partial<KnownTranscript> | null, Partial<PlanOptions>]>(
    [
      ['never seen', 'new', {}, null, {}],
      ['never seen, in a rebuild', 'new', {}, null, { rebuild: true }],
      ['the same in every respect', 'unchanged', {}, {}, {}],
      ['longer', 'grown', { ...later, sizeBytes: 150 }, {}, {}],
      ['longer, and replaced by another file', 'grown', { ...later, sizeBytes: 150, inode: 43 }, {}, {}],
      [
        'longer than what was read of it',
        'grown',
        { ...later, sizeBytes: 110 },
        { sizeBytes: 120, bytesRead: 90 },
        {},
      ],
      ['shorter than what was read of it', 'rewritten', { ...later, sizeBytes: 99 }, {}, {}],
      ['empty, as before', 'unchanged', { sizeBytes: 0 }, { sizeBytes: 0, bytesRead: 0 }, {}],
      ['emptied before', 'unchanged', { ...later, sizeBytes: 0 }, { state: 'gone' }, {}],
      ['emptied before, in a rebuild', 'unchanged', { sizeBytes: 0 }, { state: 'gone' }, { rebuild: true }],
      ['emptied, then written again', 'grown', { ...later, sizeBytes: 150 }, { state: 'gone' }, {}],
      ['as long, written at another time', 'rewritten', { mtimeMs: 9000 }, {}, {}],
      ['as long, with its old time put back', 'rewritten', { ctimeMs: 9000 }, {}, {}],
      ['as long, another file', 'rewritten', { inode: 43 }, {}, {}],
      [
        'longer, its last line was taken unterminated',
        'rewritten',
        { ...later, sizeBytes: 150 },
        { isUnterminated: true },
        {},
      ],
      ['unchanged, its last line unterminated', 'unchanged', {}, { isUnterminated: true }, {}],
      ['unchanged, its last line half-written', 'unchanged', {}, { bytesRead: 90 }, {}],
      ['read by an older parser', 'rewritten', {}, { parserVersion: 1 }, {}],
      [
        'longer, read by an older parser',
        'rewritten',
        { ...later, sizeBytes: 150 },
        { parserVersion: 1 },
        {},
      ],
      ['unchanged, in a rebuild', 'rewritten', {}, {}, { rebuild: true }],
      ['back again, as it was', 'grown', {}, { state: 'gone' }, {}],
      ['back again, shorter', 'rewritten', { sizeBytes: 50 }, { state: 'gone' }, {}],
      ['not readable last time', 'grown', {}, { state: 'failed', bytesRead: 0 }, {}],
      [
        'half read when the last run ended',
        'grown',
        {},
        { sizeBytes: 60, bytesRead: 60, mtimeMs: 0, ctimeMs: 0 },
        {},
      ],
      ['machinery, never seen', 'new', { isMachinery: true }, null, {}],
      ['machinery, the same', 'unchanged', { isMachinery: true }, { bytesRead: 0 }, {}],
      ['machinery, changed', 'grown', { isMachinery: true, mtimeMs: 9000 }, { bytesRead: 0 }, {}],
      ['machinery, in a rebuild', 'rewritten', { isMachinery: true }, { bytesRead: 0 }, { rebuild: true }],
    ],
  )('%s: %s', (_, change, file, known, options) => {
    const before = known === null ? [] : [toKnown('x', known)];
    const plan = planReads([toFile('x', file)], () => before[0] ?? null, [], { ...usual, ...options });
    expect(plan.reads.map((read) => read.change)).toEqual(change === 'unchanged' ? [] : [change]);
    expect(plan.unchanged).toBe(change === 'unchanged' ? 1 : 0);
    expect(plan.reads[0]?.known ?? null).toBe(change === 'unchanged' ? null : (before[0] ?? null));
    expect(plan.gone).toEqual([]);
  });
});

describe('files that are not there', () => {
  test.each([{}, { rebuild: true }, { parserVersion: 3 }])(
    'an emptied file counts as one (%j)',
    (options) => {
      const known = toKnown('x');
      const emptied = toFile('x', { mtimeMs: 9000, sizeBytes: 0 });
      const plan = planReads([emptied], () => known, [], { ...usual, ...options });
      expect(plan).toEqual({ reads: [], gone: [known], unchanged: 0 });
    },
  );

  test.each<[string, boolean, string, Partial<KnownTranscript>, Partial<PlanOptions>]>([
    ['deleted', true, 'projects/-a/x.jsonl', {}, {}],
    ['deleted, in a rebuild', true, 'projects/-a/x.jsonl', {}, { rebuild: true }],
    ['deleted after it could not be read', true, 'projects/-a/x.jsonl', { state: 'failed' }, {}],
    ['deleted long ago', false, 'projects/-a/x.jsonl', { state: 'gone' }, {}],
    ['below a folder that cannot be read', false, 'projects/-a/x.jsonl', {}, { unreadable: ['projects/-a'] }],
    ['far below it', false, 'projects/-a/s/subagents/x.jsonl', {}, { unreadable: ['projects'] }],
    ['itself what cannot be read', false, 'projects/-a/x.jsonl', {}, { unreadable: ['projects/-a/x.jsonl'] }],
    ['beside a folder that cannot be read', true, 'projects/-a/x.jsonl', {}, { unreadable: ['projects/-b'] }],
    [
      'in a folder whose name only begins alike',
      true,
      'projects/-ab/x.jsonl',
      {},
      { unreadable: ['projects/-a'] },
    ],
  ])('%s: gone %s', (_, isGone, path, known, options) => {
    const before = toKnown(path, known);
    const plan = planReads([], () => null, [before], { ...usual, ...options });
    expect(plan).toEqual({ reads: [], gone: isGone ? [before] : [], unchanged: 0 });
  });
});

function toIds({ reads }: Plan): string[] {
  return reads.map(({ file, newId }) => `${file.path} ${newId}`);
}

describe('many files', () => {
  test('the oldest is read first, and the newest where time may run out', () => {
    const files = [3, 9, 1, 7].map((mtimeMs) => toFile(`f${mtimeMs}`, { mtimeMs, sizeBytes: 1e6 }));
    expect(toIds(planReads(files, () => null, [], usual))).toEqual(['f1 1', 'f3 2', 'f7 3', 'f9 4']);
    const bounded = { ...usual, newestFirst: true };
    const newestFirst = ['f9 4', 'f3 2', 'f7 3', 'f1 1'];
    expect(toIds(planReads(files, () => null, [], bounded))).toEqual(newestFirst);
    const wanted = planReads(files, () => null, [], { ...bounded, wanted: 'f1' });
    expect(toIds(wanted)).toEqual(['f1 1', 'f9 4', 'f3 2', 'f7 3']);
  });

  test('where time may run out, those that are small together are still read with the oldest first', () => {
    const files = Array.from({ length: 9 }, (_, i) => toFile(`f${i}`, { mtimeMs: i, sizeBytes: 100e3 }));
    const plan = planReads(files, () => null, [], { ...usual, newestFirst: true });
    expect(plan.reads.map(({ file }) => file.path).join(' ')).toBe('f6 f7 f8 f0 f1 f2 f3 f4 f5');
  });

  test('sessions that an unfinished first run left out get the ids below those it read', () => {
    const files = [1, 2, 3, 8].map((mtimeMs) => toFile(`f${mtimeMs}`, { mtimeMs }));
    const history = toFile('history', { kind: 'history', mtimeMs: 2 });
    const plan = (count: number) => {
      const left = { below: 50, count, mtimeMs: 5 };
      return toIds(
        planReads([...files, history], () => null, [], { ...usual, freeIds: { above: 90, left } }),
      );
    };
    expect(plan(3)).toEqual(['f1 47', 'f2 48', 'history 0', 'f3 49', 'f8 91']);
    expect(plan(2)).toEqual(['f1 91', 'f2 92', 'history 0', 'f3 93', 'f8 94']);
  });

  test('every file is either read or unchanged, and gone is what was not found', () => {
    const path = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const sizeBytes = fc.constantFrom(90, 100, 110);
    const file = fc.tuple(path, sizeBytes).map(([path, sizeBytes]) => toFile(path, { sizeBytes }));
    const known = path.map((path) => toKnown(path));
    const byPath = { selector: (item: { path: string }) => item.path };
    fc.assert(
      fc.property(fc.uniqueArray(file, byPath), fc.uniqueArray(known, byPath), (files, known) => {
        const byPath = new Map(known.map((transcript) => [transcript.path, transcript]));
        const paths = new Set(files.map((file) => file.path));
        const missing = known.filter((transcript) => !paths.has(transcript.path));
        const plan = planReads(files, (path) => byPath.get(path) ?? null, missing, usual);
        expect(plan.reads.length + plan.unchanged).toBe(files.length);
        expect(plan.gone).toEqual(missing);
      }),
    );
  });
});

test('a stamp is the same only in all its parts', () => {
  expect(hasSameStamp(stamp, { ...stamp })).toBe(true);
  for (const key of Object.keys(stamp) as (keyof typeof stamp)[]) {
    expect(hasSameStamp(stamp, { ...stamp, [key]: 1 })).toBe(false);
  }
});
