// Help, notes and complaints on a terminal of any width.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { fitLines } from '../../src/render/fit-lines.ts';

describe('a line that is too long', () => {
  test('is broken between words', () => {
    expect(fitLines('indexed 2 new of 85 files in 1.2 s; the index holds 3,771 messages', 40)).toBe(
      'indexed 2 new of 85 files in 1.2 s; the\nindex holds 3,771 messages',
    );
  });

  test('is set in behind what it begins with', () => {
    const complaint =
      'recall: no session begins with zzzz in the index\n  try: recall search <words> finds its id';
    expect(fitLines(complaint, 40)).toBe(
      'recall: no session begins with zzzz in\n        the index\n  try: recall search <words> finds its\n       id',
    );
  });

  test('has its description beside the term, or below it where there is less room', () => {
    const flag = '  --limit <n>    how many sessions are shown at most';
    expect(fitLines(flag, 45)).toBe('  --limit <n>    how many sessions are shown\n                 at most');
    expect(fitLines(flag, 30)).toBe('  --limit <n>\n      how many sessions are\n      shown at most');
  });

  test('keeps a path whole', () => {
    const path = `/home/u/${'deep/'.repeat(20)}x.jsonl`;
    expect(fitLines(`cannot read ${path} now`, 40)).toBe(`cannot read\n${path}\nnow`);
  });

  test('keeps the space behind a question', () => {
    expect(fitLines('Remove it from the index for good? [y/N] ', 30)).toBe(
      'Remove it from the index for\ngood? [y/N] ',
    );
  });
});

test('any text of short words fits, and keeps its words', () => {
  const word = fc.constantFrom('a', 'recall', 'index', '--limit', '数据库', 'café', '(see');
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
