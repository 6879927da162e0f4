// Help, notes and errors on a terminal of any width.

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
