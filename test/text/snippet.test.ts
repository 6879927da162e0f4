// The part of a message that shows why it matched.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { toSnippet } from '../../src/text/snippet.ts';
import { anyQuery } from '../search/queries.ts';

function snip(text: string, query: string, maxChars = 60): string {
  return toSnippet(text, parseQuery(query).terms, maxChars)
    .map((piece) => (piece.isMatch ? `«${piece.text}»` : piece.text))
    .join('');
}

const filler = 'lorem ipsum dolor sit amet consectetur '.repeat(20);

describe('which piece', () => {
  test('all of a short text', () => {
    expect(snip('Add jwt middleware', 'middleware jwt')).toBe('Add «jwt» «middleware»');
    expect(snip('nothing of it', 'redis')).toBe('nothing of it');
    expect(snip('', 'redis')).toBe('');
  });

  test('where the word occurs, not the start of the message', () => {
    const text = snip(`${filler}the redis queue${filler}`, 'redis');
    expect(text).toMatch(/^… .*the «redis» queue.* …$/);
  });

  test('at the very end and the very start', () => {
    expect(snip(`${filler}redis`, 'redis')).toMatch(/^… .*«redis»$/);
    expect(snip(`redis ${filler}`, 'redis')).toMatch(/^«redis» .* …$/);
  });

  test('where most of the words are', () => {
    const text = `redis redis redis ${filler} the redis queue and jobs ${filler} queue`;
    expect(snip(text, 'redis queue jobs')).toContain('the «redis» «queue» and «jobs»');
  });

  test('on one line', () => {
    expect(snip('one\n\n\ttwo redis\r\nthree', 'redis')).toBe('one two «redis» three');
  });

  test('the start when the match is not in the text', () => {
    expect(snip(filler, 'redis')).toMatch(/^lorem ipsum .* …$/);
  });

  test('without cutting words', () => {
    const [, inner = ''] = /^… (.*) …$/.exec(snip(`${filler}redis ${filler}`, 'redis')) ?? [];
    const words = new Set([...filler.trim().split(' '), '«redis»']);
    expect(inner.split(' ').filter((word) => !words.has(word))).toEqual([]);
  });
});

describe('where it is cut', () => {
  const chinese = '我先看了一下订单处理的代码，问题出在连接没有归还到连接池里，所以请求一直在等待。'.repeat(
    3,
  );

  test('in a text without spaces, with as much of it as there is room for on both sides', () => {
    const text = `${chinese}src/handlers/create-order.ts\u3000${chinese}`;
    expect(snip(text, 'create-order.ts', 60)).toBe(
      '… 待。src/handlers/«create-order.ts» 我先看了一下订单处理的代码，问题出在连接没有归还到连接池 …',
    );
  });

  test('at a path separator, rather than inside a name', () => {
    const text = `${'x'.repeat(30)}/services/carts/handlers/create-order.ts${filler}`;
    expect(snip(text, 'create-order', 50)).toMatch(/^… handlers\/«create-order»\.ts/);
  });

  test('at a sign where there is no better place', () => {
    expect(snip(`${'x'.repeat(40)}totype.reduce(${'y'.repeat(40)}`, 'reduce', 16)).toBe('… «reduce»( …');
  });

  test('inside a word that is longer than the snippet', () => {
    const text = snip('x'.repeat(100), 'x*', 20);
    expect(text).toBe(`«${'x'.repeat(20)}» …`);
  });

  test('by columns on request', () => {
    const pieces = toSnippet(`${chinese} redis ${chinese}`, parseQuery('redis').terms, 41, (cluster) =>
      cluster.charCodeAt(0) > 0xff ? 2 : 1,
    );
    expect(pieces.map((piece) => piece.text).join('')).toBe('… 直在等待。 redis 我先看了一下订单处理的代 …');
  });
});

describe('any text', () => {
  const word = fc.constantFrom(
    'redis',
    'queue',
    'getUserById',
    '数据库',
    'café',
    '🎉',
    '👩‍👩‍👧',
    '\n',
    '',
    'x'.repeat(70),
    '𠮷野家',
  );
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(' '));
  const maxChars = fc.integer({ min: 8, max: 300 });
  const query = fc.constantFrom('redis', 'redis queue', 'user', '数据', 'cafe "redis queue"', 'x*', '野家');

  test('it contains a match whenever one fits', () => {
    fc.assert(
      fc.property(text, query, maxChars, (text, query, maxChars) => {
        const { terms } = parseQuery(query);
        const all = toSnippet(text, terms, text.length + 1).filter((piece) => piece.isMatch);
        const fits = all.some((piece) => piece.text.length <= maxChars * 0.9);
        const shown = toSnippet(text, terms, maxChars).some((piece) => piece.isMatch);
        if (fits) expect(shown).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('it is never longer than requested, apart from the ellipses', () => {
    fc.assert(
      fc.property(text, query, maxChars, (text, query, maxChars) => {
        const pieces = toSnippet(text, parseQuery(query).terms, maxChars);
        const own = pieces.filter((piece) => piece.text !== '… ' && piece.text !== ' …');
        expect(own.map((piece) => piece.text).join('').length).toBeLessThanOrEqual(maxChars);
      }),
      { numRuns: 500 },
    );
  });

  test('no character is cut in two', () => {
    const anyText = fc.string({ unit: 'grapheme', minLength: 50, maxLength: 400 });
    fc.assert(
      fc.property(fc.oneof(text, anyText), anyQuery, maxChars, (text, query, maxChars) => {
        for (const piece of toSnippet(text, parseQuery(query).terms, maxChars)) {
          expect(piece.text.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('no cluster is split', () => {
    const unit = fc.constantFrom('e\u0301', '👩‍👩‍👧', '👍🏽', '数', 'が', 'a', ' ');
    const around = fc.array(unit, { maxLength: 120 }).map((units) => units.join(''));
    fc.assert(
      fc.property(around, around, maxChars, (before, after, maxChars) => {
        const pieces = toSnippet(`${before} redis ${after}`, parseQuery('redis').terms, maxChars);
        const own = pieces.filter((piece) => piece.text !== '… ' && piece.text !== ' …');
        const shown = own.map((piece) => piece.text).join('');
        expect(shown).toContain('redis');
        const units = new Set(['e\u0301', '👩‍👩‍👧', '👍🏽', '数', 'が', 'a', ' ', ...'redis']);
        for (const { segment } of new Intl.Segmenter().segment(shown)) expect(units).toContain(segment);
      }),
      { numRuns: 300 },
    );
  });

  test('the room is used: at most one word is given up', () => {
    const unit = fc.constantFrom('数', '据', '库', 'の');
    const around = fc.array(unit, { minLength: 60, maxLength: 120 }).map((units) => units.join(''));
    fc.assert(
      fc.property(around, around, fc.integer({ min: 20, max: 100 }), (before, after, max) => {
        const pieces = toSnippet(`${before} redis ${after}`, parseQuery('redis').terms, max, () => 2);
        const [left = '', match, right = ''] = pieces.slice(1, -1).map((piece) => piece.text);
        expect(match).toBe('redis');
        expect(left.length * 2 + right.length * 2 + 10).toBeGreaterThanOrEqual(max);
        expect(left.length).toBeGreaterThanOrEqual(Math.floor((max - 12) / 6));
      }),
    );
  });

  test('it is a piece of the text', () => {
    const squeeze = (text: string) => text.replace(/\s+/g, ' ');
    fc.assert(
      fc.property(text, query, maxChars, (text, query, maxChars) => {
        const shown = toSnippet(text, parseQuery(query).terms, maxChars).map((piece) => piece.text);
        const inner = shown.filter((piece) => piece !== '… ' && piece !== ' …').join('');
        expect(squeeze(text)).toContain(squeeze(inner));
      }),
    );
  });
});
