// Wrapping: no line is too wide, no character is lost, no style leaves its line.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asIs, type PaintedText, wrapSpans } from '../../src/render/colors.ts';
import { widthOf } from '../../src/render/columns.ts';
import { toPrintable } from '../../src/text/printable.ts';
import { anyText } from './made-hits.ts';

const bold = (text: string) => `<${text}>`;
const wrap = (text: string, columns: number) => wrapSpans([{ text, paint: asIs }], columns);

describe('wrapping', () => {
  test('breaks at spaces', () => {
    expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  });

  test('keeps newlines and the indentation after them', () => {
    expect(wrap('if x:\n    return 1\n\nelse', 20)).toEqual(['if x:', '    return 1', '', 'else']);
  });

  test('cuts a word that is longer than a line', () => {
    expect(wrap('see aaaaaaaaaaaaaaaaaaaa', 8)).toEqual(['see', 'aaaaaaaa', 'aaaaaaaa', 'aaaa']);
  });

  test('counts wide characters as two', () => {
    expect(wrap('数据库连接池', 6)).toEqual(['数据库', '连接池']);
    expect(wrap('a 数据库连接池', 7)).toEqual(['a 数据', '库连接', '池']);
  });

  test('a style starts and ends in its line; a word may have two', () => {
    const spans: PaintedText[] = [
      { text: 'one ', paint: asIs },
      { text: 'two thr', paint: bold },
      { text: 'ee four', paint: asIs },
    ];
    expect(wrapSpans(spans, 9)).toEqual(['one <two>', '<thr>ee', 'four']);
  });

  test('never makes a line too wide and loses nothing but spaces', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 4 }), fc.integer({ min: 16, max: 60 }), (texts, columns) => {
        const spans = texts.map((text) => ({ text: toPrintable(text), paint: asIs }));
        const lines = wrapSpans(spans, columns);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        const squeeze = (text: string) => text.replace(/\s+/g, '');
        expect(squeeze(lines.join(''))).toBe(squeeze(spans.map(({ text }) => text).join('')));
      }),
    );
  });

  test('handles a text of half a million lines', () => {
    expect(wrap('a\n'.repeat(500_000), 80).length).toBe(500_001);
  });

  // Each line used to measure the rest of the word again, which took minutes for a word of this length.
  test.each(['a', '中', 'e\u0301'])('handles a word of a million times %j', (letter) => {
    const lines = wrap(letter.repeat(1_000_000), 80);
    expect(lines.length).toBe((1_000_000 * widthOf(letter)) / 80);
  });

  test('handles a letter with a million accents', () => {
    expect(wrap(`e${'\u0301'.repeat(1_000_000)}`, 80).length).toBe(1);
  });
});
