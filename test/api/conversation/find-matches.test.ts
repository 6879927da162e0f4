// Of what a tool printed, the lines that were looked for.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMatchingLines } from '../../../src/api/conversation/find-matches.ts';
import { parseQuery } from '../../../src/search/query/parse-query.ts';

const find = (text: string, query: string) => toMatchingLines(text, parseQuery(query).terms);

describe('the lines that match', () => {
  test('in their order, and no others', () => {
    expect(find('one\nerror: no quokka\ntwo\nquokkas\nthree', 'quokka')).toBe('error: no quokka\nquokkas');
  });

  test('at most five, those with more of the words before others', () => {
    const text = [...Array.from({ length: 9 }, (_, i) => `lock ${i}`), 'opkg lock'].join('\n');
    expect(find(text, 'opkg lock')).toBe('lock 0\nlock 1\nlock 2\nlock 3\nopkg lock');
  });

  test('of a long one, the stretch around the words', () => {
    const line = find(`${'a '.repeat(5000)}quokka${' b'.repeat(5000)}`, 'quokka') ?? '';
    expect(line).toContain('quokka');
    expect(line.length).toBeLessThan(250);
  });

  test('null if there are none', () => {
    expect(find('nothing\nof the kind', 'quokka')).toBeNull();
  });

  test('every one is part of the text, whatever that is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 20 }), (lines) => {
        const found = find([...lines, 'x quokka y'].join('\n'), 'quokka')?.split('\n') ?? [];
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(5);
        for (const line of found) expect(line.toLowerCase()).toContain('quokka');
      }),
    );
  });
});
