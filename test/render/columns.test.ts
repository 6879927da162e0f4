// Columns, times and numbers as a terminal shows them.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { clip, clipPath, pad, widthOf } from '../../src/render/columns.ts';
import { formatCount, formatNumbered } from '../../src/render/quantities.ts';
import { formatAgo, formatDay } from '../../src/render/times.ts';

describe('clip', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['a longer text', 9, 'a longer…'],
    ['a b c d', 4, 'a b…'],
    ['数据库连接', 10, '数据库连接'],
    ['数据库连接', 9, '数据库连…'],
    ['数据库连接', 8, '数据库…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 5, '👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
  ])('%s in %i columns is %s', (text, columns, clipped) => {
    expect(clip(text, columns)).toBe(clipped);
  });

  test('any text fits, and what fits is kept', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.string({ unit: fc.constantFrom('数', 'é', '🎉', 'a') }),
    );
    fc.assert(
      fc.property(text, fc.nat({ max: 30 }), (text, columns) => {
        expect(stringWidth(clip(text, columns))).toBeLessThanOrEqual(columns);
        if (widthOf(text) <= columns) expect(clip(text, columns)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('clipPath', () => {
  test.each([
    ['/home/u/shop', 12, '/home/u/shop'],
    ['/home/u/shop', 6, '…/shop'],
    ['数据库连接', 8, '…库连接'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
  ])('%s in %i columns is %s', (text, columns, clipped) => {
    expect(clipPath(text, columns)).toBe(clipped);
  });

  test('any text fits, and padding fills the columns', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 30 }), (text, columns) => {
        const clipped = clipPath(text, columns);
        expect(stringWidth(clipped)).toBeLessThanOrEqual(columns);
        expect(widthOf(pad(clipped, columns))).toBe(columns);
      }),
      { numRuns: 500 },
    );
  });
});

describe('times', () => {
  const now = new Date('2026-11-16T12:00:00.000Z');

  test.each([
    ['2026-11-16T11:59:30.000Z', 'just now'],
    ['2026-11-16T11:59:00.000Z', '1 minute ago'],
    ['2026-11-16T11:01:00.000Z', '59 minutes ago'],
    ['2026-11-16T11:00:00.000Z', '1 hour ago'],
    ['2026-11-15T12:00:00.000Z', '1 day ago'],
    ['2026-11-02T12:00:01.000Z', '13 days ago'],
    ['2026-11-02T12:00:00.000Z', '2 weeks ago'],
    ['2026-09-01T12:00:00.000Z', '2 months ago'],
    ['2024-11-01T12:00:00.000Z', '2 years ago'],
    ['2026-11-16T12:00:30.000Z', 'just now'],
    ['2026-12-01T12:00:00.000Z', 'in the future'],
    [null, 'at an unknown time'],
  ])('%s is %s', (iso, ago) => {
    expect(formatAgo(iso, now)).toBe(ago);
  });

  test('a day has its year if it is not the current one', () => {
    expect(formatDay('2026-10-21T10:00:00.000Z', now)).toBe('Oct 21');
    expect(formatDay('2025-10-01T10:00:00.000Z', now)).toBe('2025-10-01');
    expect(formatDay(null, now)).toBe('');
    expect(formatDay('garbage', now)).toBe('');
  });
});

test('numbers are grouped and nouns agree', () => {
  expect([0, 999, 1000, 1234567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567']);
  expect([0, 1, 2000].map((count) => formatNumbered(count, 'file'))).toEqual([
    '0 files',
    '1 file',
    '2,000 files',
  ]);
  expect(formatNumbered(2, 'copy', 'copies')).toBe('2 copies');
});

test('characters treated as one column wide are one column wide', () => {
  const simple = [
    [0x20, 0x7e],
    [0xa1, 0xac],
    [0xae, 0x2ff],
    [0x2010, 0x2027],
    [0x2030, 0x205e],
    [0x20a0, 0x20bf],
    [0x2190, 0x2199],
    [0x2500, 0x257f],
  ];
  for (const [from = 0, to = 0] of simple) {
    for (let code = from; code <= to; code++) {
      const character = String.fromCodePoint(code);
      expect([code.toString(16), widthOf(character)]).toEqual([code.toString(16), stringWidth(character)]);
    }
  }
});

test('two hundred thousand joined emoji are measured quickly', () => {
  expect(widthOf('👨\u200d'.repeat(200_000))).toBe(2);
});

test('no text is narrower than the terminal draws it', () => {
  const parts =
    'a 数한ᄀ각é\u0301\u0903\u094d\u0915\u0600\u00ad\u200b\u200c\u200d\ufe0e\ufe0f\u20e3#🎉❤☹👩🏽🇩🇪\t';
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...parts) }),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(widthOf(text)).toBeGreaterThanOrEqual(stringWidth(text));
    }),
    { numRuns: 2000 },
  );
});
