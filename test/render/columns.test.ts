// Columns, times and numbers as a terminal shows them.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { clip, clipPath, fitLines, pad, widthOf } from '../../src/render/columns.ts';
import { formatAgo, formatCount, formatDay, formatNumbered } from '../../src/render/quantities.ts';

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
    ['/home/u/shop', 8, '/…/shop'],
    ['~/work/clients/acme/shop', 14, '~/…/acme/shop'],
    ['~/work/clients/acme/shop', 12, '~/…/shop'],
    ['C:\\Users\\maya\\blog', 14, 'C:\\…\\maya\\blog'],
    ['数据库连接', 8, '…库连接'],
    ['anything', 1, '…'],
    ['anything', 0, ''],
  ])('%s in %i columns is %s', (text, columns, clipped) => {
    expect(clipPath(text, columns)).toBe(clipped);
  });

  test('what differs among paths that end alike stays', () => {
    const paths = [1, 2, 3].map((n) => `~/trees/tree-${n}/packages/build/dl`);
    expect(paths.map((path) => clipPath(path, 18, paths))).toEqual([
      '~/…/tree-1/…/dl',
      '~/…/tree-2/…/dl',
      '~/…/tree-3/…/dl',
    ]);
    expect(clipPath('~/a/very/long/way/to/dl', 12, ['~/b/very/long/way/to/dl'])).toBe('~/a/…/to/dl');
    expect(clipPath('~/a/very/long/way/to/dl', 13, ['/way/to/dl'])).toBe('~/…/long/…/dl');
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

describe('a line that is too long', () => {
  test('is broken between words', () => {
    expect(fitLines('indexed 2 new of 85 files in 1.2 s; the index holds 3,771 messages', 40)).toBe(
      'indexed 2 new of 85 files in 1.2 s; the\nindex holds 3,771 messages',
    );
  });

  test('is indented by its prefix', () => {
    const error =
      'recall: no session starts with zzzz in the index\n  try: fewer words, or the beginning of a word';
    expect(fitLines(error, 40)).toBe(
      'recall: no session starts with zzzz in\n        the index\n  try: fewer words, or the beginning of\n       a word',
    );
  });

  test('stays whole if it is a command to copy, but not among examples', () => {
    const hint = "  try: recall doctor --db '/home/u/a long folder/recall.db' --repair";
    const copy = '  recall forget 66c737db-5f67-4dd0-9273-a03a6dc911d8';
    expect(fitLines(`${hint}\n${copy}`, 40)).toBe(`${hint}\n${copy}`);
    expect(fitLines('  recall search jwt middleware   find the session', 40)).toContain('\n');
    expect(fitLines('  try: recall index, or another folder with --claude-dir <dir>', 40)).toBe(
      '  try: recall index, or another folder\n       with --claude-dir <dir>',
    );
  });

  test('has its description beside the term, or below it if there is less room', () => {
    const flag = '  --limit <n>    how many sessions are shown at most';
    expect(fitLines(flag, 45)).toBe('  --limit <n>    how many sessions are shown\n                 at most');
    expect(fitLines(flag, 30)).toBe('  --limit <n>\n      how many sessions are\n      shown at most');
  });

  test('keeps a path whole', () => {
    const path = `/home/u/${'deep/'.repeat(20)}x.jsonl`;
    expect(fitLines(`cannot read ${path} now`, 40)).toBe(`cannot read\n${path}\nnow`);
  });

  test('keeps the space after a question', () => {
    expect(fitLines('Remove it from the index for good? [y/N] ', 30)).toBe(
      'Remove it from the index for\ngood? [y/N] ',
    );
  });
});

test('any text of short words fits, and keeps its words', () => {
  const word = fc.constantFrom('a', 'recall:', 'index', '--limit', '数据库', 'café', '(see');
  const line = fc
    .tuple(
      fc.integer({ min: 0, max: 4 }),
      fc.array(fc.tuple(word, fc.constantFrom(' ', ' ', '  ')), { maxLength: 30 }),
    )
    .map(([margin, words]) => `${' '.repeat(margin)}${words.flat().join('')}`.trimEnd());
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), fc.integer({ min: 20, max: 100 }), (lines, columns) => {
      const text = lines.join('\n');
      const fitted = fitLines(text, columns);
      for (const each of fitted.split('\n')) expect(stringWidth(each)).toBeLessThanOrEqual(columns);
      expect(fitted.split(/\s+/).filter(Boolean)).toEqual(text.split(/\s+/).filter(Boolean));
    }),
  );
});
