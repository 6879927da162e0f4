// Escape sequences for a terminal are taken out of what tools print.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutEscapes } from '../../src/text/escapes.ts';

describe('escape sequences', () => {
  test.each([
    ['colours', '\x1b[31m\x1b[1mcannot\x1b[22m find \x1b[38;5;208mquokka\x1b[0m', 'cannot find quokka'],
    ['moves of the cursor', 'a\x1b[2K\x1b[1Gb\x1b[?25l', 'ab'],
    ['a title', '\x1b]0;vim\x07done', 'done'],
    ['a link', 'see \x1b]8;;https://x.test/a\x1b\\docs\x1b]8;;\x1b\\.', 'see docs.'],
    ['those of one letter', 'a\x1bMb\x1b_c', 'abc'],
    ['a title without an end: nothing but its start', '\x1b]0;vim\nerror: kept', '0;vim\nerror: kept'],
    ['brackets that are no sequence', 'args[31m] and [0m', 'args[31m] and [0m'],
  ])('%s', (_, text, plain) => {
    expect(withoutEscapes(text)).toBe(plain);
  });

  test('take nothing of a text that has none, and never add anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const plain = withoutEscapes(text);
        if (!text.includes('\x1b')) expect(plain).toBe(text);
        expect(plain.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('take time in proportion to the text, however many are broken off', () => {
    const text = '\x1b]8;;'.repeat(200_000) + '\x1b['.repeat(200_000);
    expect(withoutEscapes(text)).toHaveLength(5 * 200_000);
  });
});
