// No part of a transcript acts on the terminal.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPrintable, toPrintableLine } from '../../src/text/printable.ts';
import { anyText } from '../render/made-hits.ts';

test.each([
  ['\x1b[31mred\x1b[0m', '[31mred[0m'],
  ['\x1b]0;title\x07', ']0;title'],
  ['\x9b2J', '2J'],
  ['abc\b\b\bxyz', 'abcxyz'],
  ['user\u202etxt.exe', 'usertxt.exe'],
  ['a\u200bb\ufeffc', 'abc'],
  ['a\tb', 'a  b'],
  ['one\r\ntwo\rthree\n', 'one\ntwo\nthree\n'],
  ['数据库 café 🎉 👩‍👩‍👧', '数据库 café 🎉 👩‍👩‍👧'],
])('%j → %j', (text, printable) => {
  expect(toPrintable(text)).toBe(printable);
});

test('one line stays one line', () => {
  expect(toPrintableLine('  a\r\n\tb\n\n c\u2028d ')).toBe('a b cd');
});

describe('any text', () => {
  test('has no control, escape or bidirectional character left', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', size: 'large' })), (text) => {
        expect(toPrintable(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        expect(toPrintable(text)).not.toMatch(/\p{Bidi_Control}/u);
        expect(toPrintableLine(text)).not.toMatch(/[\n\r\u2028\u2029\x85]/);
      }),
      { numRuns: 1000 },
    );
  });

  test('is unchanged the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toPrintable(toPrintable(text))).toBe(toPrintable(text));
        expect(toPrintableLine(toPrintableLine(text))).toBe(toPrintableLine(text));
      }),
    );
  });
});
