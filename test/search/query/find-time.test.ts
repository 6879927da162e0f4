// A time in a question: alone it is the filter, among other words it stays words.

import { describe, expect, test } from 'vitest';
import { findTime } from '../../../src/search/query/parse-date.ts';
import { parseQuery } from '../../../src/search/query/parse-query.ts';

const now = new Date(2026, 10, 16, 12);
const find = (text: string) => findTime(parseQuery(text), now);

describe('a time', () => {
  test.each([
    ['yesterday', 'yesterday'],
    ['what did I do last week', 'last week'],
    ['What did we work on last week?', 'last week'],
    ['sessions of Oct 6', 'Oct 6'],
    ['2026-10-06', '2026-10-06'],
    ['june 2025', '2025-06'],
    ['project:shop yesterday', 'yesterday'],
    ['3 days ago', '3 days ago'],
    ['what did I do on Mon, Jun 9 2025', 'Mon Jun 9 2025'],
    ['sessions of Tue, Oct 6?', 'Tue Oct 6'],
  ])('alone: %s', (text, value) => {
    expect(find(text)).toMatchObject({ isAlone: true, value });
  });

  test.each([
    ['wattpad in june 2025', '2025-06'],
    ['the camera that broke yesterday', 'yesterday'],
  ])('among other words: %s', (text, value) => {
    expect(find(text)).toMatchObject({ isAlone: false, value });
  });

  test.each([
    'what did I do',
    '2025',
    '7d',
    'may',
    '"last week"',
    'since:7d yesterday',
    'yesterday -camera',
    'week',
    '',
  ])('is not in: %s', (text) => {
    expect(find(text)).toBeUndefined();
  });
});
