// Names in the archive are its catalogue: they must give back what they were made from, and stay inside it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  decodeName,
  encodeName,
  formatSegmentName,
  isPlainName,
  Listings,
  parseCopyName,
  toArchiveRoot,
  toPlace,
} from '../../src/archive/layout.ts';

describe('names', () => {
  test('any name can be turned back, and fits any file system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (name) => {
        const parts = encodeName(name);
        expect(decodeName(parts)).toBe(name.toWellFormed());
        for (const part of parts) {
          expect(part).toMatch(/^[\w@+%-][\w.@+%-]*$/);
          expect(part.length).toBeLessThanOrEqual(150);
          expect(part.endsWith('.')).toBe(false);
        }
      }),
    );
  });

  test('a segment is read back from its name, whatever the file is called', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'a.jsonl',
          'a.jsonl.1.000000000000-000000000005.0123456789abcdef.0123456789abcdef.br',
          '-x',
        ),
        fc.nat(),
        fc.integer({ min: 1, max: 2 ** 44 }),
        fc.boolean(),
        (stem, from, length, isRedacted) => {
          const facts = { version: 2, from, to: from + length, isRedacted };
          const sums = { checksum: '00ff00ff00ff00ff', fingerprint: 'aa00aa00aa00aa00' };
          const name = formatSegmentName(stem, { ...facts, ...sums });
          expect(parseCopyName(name)).toEqual({
            stem,
            prunedBytes: null,
            segment: { name, ...facts, ...sums },
          });
        },
      ),
    );
    for (const other of [
      'a.jsonl',
      '.new-12',
      'a.1.000000000005-000000000005.0123456789abcdef.0123456789abcdef.br',
    ])
      expect(parseCopyName(other)).toBe(null);
  });

  test('a hostile name stays inside the archive, and none from it leads out', () => {
    const root = toArchiveRoot('/archive', '../..', 'claude', '/home/maya/.claude');
    expect(root.folder).toBe('/archive/%2E.+.%2E/claude@+home+maya+.claude');
    const { folder, stem } = toPlace(root, 'projects/../..\\x/..');
    expect(`${folder}/${stem}`).toBe(`${root.folder}/projects/%2E%2E/%2E.%5Cx/%2E%2E`);
    expect(['..', '.', '', 'a/b', 'a\\b', 'a\0'].some(isPlainName)).toBe(false);
    expect(isPlainName('..a')).toBe(true);
  });
});

describe('versions', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recall-layout-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** The copy with these segments, each a version and the bytes that it holds. */
  function findCopy(segments: readonly (readonly [version: number, from: number, to: number])[]) {
    const place = toPlace(toArchiveRoot(folder, 'm', 'claude', '/home/maya/.claude'), 'a.jsonl');
    mkdirSync(place.folder, { recursive: true });
    const sums = { checksum: '00ff00ff00ff00ff', fingerprint: 'aa00aa00aa00aa00', isRedacted: false };
    for (const [version, from, to] of segments)
      writeFileSync(`${place.folder}/${formatSegmentName(place.stem, { version, from, to, ...sums })}`, '');
    const { versions, leftovers } = new Listings().find(place);
    const bytes = (all: typeof leftovers) => all.map((each) => [each.version, each.from, each.to]);
    return { versions: versions.map((each) => bytes(each.segments)), leftovers: bytes(leftovers) };
  }

  test('the tenth is newer than the second', () => {
    const { versions } = findCopy([1, 2, 9, 10, 11, 100].map((version) => [version, 0, 5] as const));
    expect(versions.map(([segment]) => segment?.[0])).toEqual([100, 11, 10, 9, 2, 1]);
  });

  test('one without its start does not count before one that has it', () => {
    const found = findCopy([
      [9, 0, 5],
      [9, 5, 8],
      [10, 5, 12],
    ]);
    expect(found).toEqual({
      versions: [
        [
          [9, 0, 5],
          [9, 5, 8],
        ],
      ],
      leftovers: [[10, 5, 12]],
    });
  });

  test('where none has its start, the oldest counts, since the newer were never finished', () => {
    const found = findCopy([
      [2, 5, 8],
      [10, 5, 12],
    ]);
    expect(found).toEqual({ versions: [[[2, 5, 8]]], leftovers: [[10, 5, 12]] });
  });
});
