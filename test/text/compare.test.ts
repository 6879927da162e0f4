// How many typing mistakes two words are apart.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../src/text/compare.ts';

test.each([
  ['redis', 'redis', 0],
  ['redis', 'rediss', 1],
  ['redis', 'rdis', 1],
  ['redis', 'redas', 1],
  ['redis', 'erdis', 1],
  ['redis', 'reids', 1],
  ['middleware', 'midlewear', 3],
  ['', 'abc', 3],
  ['', '', 0],
])('%s and %s are %i apart', (a, b, distance) => {
  expect(editDistance(a, b, 5)).toBe(distance);
});

test('past the limit it only says that there are more', () => {
  expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
  expect(editDistance('a', 'abcdef', 2)).toBe(3);
});

/** The same by definition, without keeping rows or stopping early. */
function plainDistance(a: string, b: string): number {
  const of = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const changed = of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
    let least = Math.min(of(i - 1, j) + 1, of(i, j - 1) + 1, changed);
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      least = Math.min(least, of(i - 2, j - 2) + 1);
    return least;
  };
  return of(a.length, b.length);
}

test('it equals the definition up to the limit, in both directions', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
      const expected = Math.min(plainDistance(a, b), limit + 1);
      expect(Math.min(editDistance(a, b, limit), limit + 1)).toBe(expected);
      expect(Math.min(editDistance(b, a, limit), limit + 1)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});
