// Which messages are chosen, and that nothing is lost or shown twice.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlaces, toSelection } from '../../../src/api/conversation/select-messages.ts';

const whole = { from: 0, to: 1000 };
const all = (lines: readonly number[]) => ({ first: 0, last: lines.length - 1 });

describe('places', () => {
  const lines = [3, 5, 8, 13, 21, 34, 55, 89, 144, 233];

  test('are those of the lines with some around them', () => {
    expect(toPlaces(lines, new Set([34]), 1, all(lines))).toEqual([{ first: 4, last: 6 }]);
  });

  test('that touch, or leave a single message out, are joined', () => {
    expect(toPlaces(lines, new Set([8, 55]), 1, all(lines))).toEqual([{ first: 0, last: 7 }]);
    expect(toPlaces(lines, new Set([5, 144]), 0, all(lines))).toEqual([
      { first: 0, last: 1 },
      { first: 8, last: 9 },
    ]);
  });

  test('stay within bounds', () => {
    expect(toPlaces(lines, new Set([13, 144]), 9, { first: 2, last: 5 })).toEqual([{ first: 2, last: 5 }]);
    expect(toPlaces(lines, new Set([144]), 9, { first: 2, last: 5 })).toEqual([]);
  });
});

test('a selection includes the tool calls before the first message and after the last', () => {
  const lines = [10, 20, 30];
  const [chosen] = toSelection(lines, [{ first: 0, last: 2 }], new Set(), whole).chosen;
  expect(chosen?.stretch).toEqual(whole);
  const [middle] = toSelection(lines, [{ first: 1, last: 1 }], new Set(), whole).chosen;
  expect(middle).toEqual({ stretch: { from: 20, to: 29 }, firstPosition: 2, gapBefore: 1 });
});

test('what is shown and what is left out make up the whole, in order', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.nat(59), { maxLength: 8 }),
      fc.nat(5),
      (unordered, picks, context) => {
        const lines = [...unordered].sort((a, b) => a - b);
        const wanted = new Set(picks.flatMap((pick) => lines[pick] ?? []));
        const places = toPlaces(lines, wanted, context, all(lines));
        const { chosen, gapAfter } = toSelection(lines, places, wanted, whole);
        const shown = chosen.map(({ stretch: { from, to } }) => lines.filter((l) => l >= from && l <= to));
        const gaps = chosen.reduce((sum, { gapBefore }) => sum + gapBefore, gapAfter);
        expect(shown.flat().length + gaps).toBe(lines.length);
        expect(new Set(shown.flat()).size).toBe(shown.flat().length);
        for (const line of wanted) expect(shown.flat()).toContain(line);
        for (const [i, { firstPosition }] of chosen.entries())
          expect(lines[firstPosition - 1]).toBe(shown[i]?.[0]);
        if (wanted.size > 0) expect([gapAfter, ...chosen.map(({ gapBefore }) => gapBefore)]).not.toContain(1);
      },
    ),
  );
});
