// Names in the archive are its catalogue: they must give back what they were made from, and stay inside it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeName,
  encodeName,
  formatSegmentName,
  isPlainName,
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
        fc.nat({ max: 12 }),
        (stem, from, length, redactionVersion) => {
          const facts = { version: 2, from, to: from + length, redactionVersion };
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
