// Where a preview opens.

import { expect, test } from 'vitest';
import { findMostMarked } from '../../src/screen/draw-conversation.ts';

const marked = (line: string) => line.replace(/\[(.*?)\]/g, '\x1b[7m$1\x1b[27m');

test.each([
  [
    'the line with the most matches',
    ['plain', 'an [adapter]', 'error: [externally]-[managed]', '[managed]'],
    2,
  ],
  ['the first among equals', ['plain', 'an [adapter]', 'another [adapter]'], 1],
  ['nowhere without a match', ['plain', ''], null],
])('%s', (_, lines, expected) => {
  expect(findMostMarked(lines.map(marked))).toBe(expected);
});
