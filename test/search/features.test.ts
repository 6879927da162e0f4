// What the ranking knows about one text, and recall's own output, which is distinguished from real messages.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resultsFooters } from '../../src/hints.ts';
import { isEcho, measureText } from '../../src/search/features.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { anyQuery } from './queries.ts';

function featuresOf(text: string, query: string, weight = 1) {
  const { terms } = parseQuery(query);
  return measureText(
    text,
    terms.map((term) => ({ term, weight })),
  );
}

describe('counts', () => {
  test('how often each term occurs, and how often exactly', () => {
    expect(featuresOf('migrations: one migration, Redis and redis', 'migration redis queue')).toMatchObject({
      counts: [2, 2, 0],
      exactCounts: [1, 2, 0],
    });
  });

  test('terms that do not occur', () => {
    expect(featuresOf('', 'redis queue')).toEqual({ counts: [0, 0], exactCounts: [0, 0], closeness: 0 });
  });
});

describe('closeness', () => {
  const far = 'and so on, and on, and on, and on, and on, and on, and on, ';

  test('closer words score higher', () => {
    const beside = featuresOf('the redis queue', 'redis queue').closeness;
    const near = featuresOf('redis and also the queue', 'redis queue').closeness;
    const apart = featuresOf(`redis ${far} queue`, 'redis queue').closeness;
    expect(beside).toBeGreaterThan(near);
    expect(near).toBeGreaterThan(apart);
    expect(apart).toBe(0);
  });

  test('in either order', () => {
    const forward = featuresOf('aaaaa bbbbb', 'aaaaa bbbbb').closeness;
    expect(featuresOf('bbbbb aaaaa', 'aaaaa bbbbb').closeness).toBe(forward);
  });

  test('the words of a compound are close where they are together, not for being in it', () => {
    const whole = featuresOf('see jwt-auth here', 'jwt-auth').closeness;
    expect(whole).toBeGreaterThan(0);
    expect(featuresOf('see jwt auth here', 'jwt-auth').closeness).toBe(whole);
    expect(featuresOf(`jwt ${far} auth`, 'jwt-auth').closeness).toBe(0);
    // As close as two words that were typed apart, and no closer.
    expect(whole).toBe(featuresOf('see jwt-auth here', 'jwt auth').closeness);
  });

  test('repetition adds nothing', () => {
    const once = featuresOf('redis queue', 'redis queue').closeness;
    expect(featuresOf('redis queue, redis queue, redis queue', 'redis queue').closeness).toBe(once);
  });

  test('weak words in between are skipped, and a single word has no closeness', () => {
    expect(featuresOf('redis and the queue', 'redis and the queue').closeness).toBe(
      featuresOf('redis and the queue', 'redis queue').closeness,
    );
    expect(featuresOf('redis and the queue', 'redis queue').closeness).toBeGreaterThan(0);
    expect(featuresOf('redis redis', 'redis').closeness).toBe(0);
  });

  test('the closest pair counts, wherever it is', () => {
    const word = fc.constantFrom('aaaaa', 'bbbbb', 'ccccc', 'ddddddddddddd');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const starts = (wanted: string) => {
          let at = 0;
          return words.flatMap((each) => {
            const start = at;
            at += each.length + 1;
            return each === wanted ? [start] : [];
          });
        };
        const distances = starts('aaaaa').flatMap((a) => starts('bbbbb').map((b) => Math.abs(a - b)));
        const closest = Math.min(...distances, Number.POSITIVE_INFINITY);
        const expected = closest > 48 ? 0 : 1 / Math.sqrt(Math.max(1, closest / 6));
        expect(featuresOf(words.join(' '), 'aaaaa bbbbb').closeness).toBeCloseTo(expected);
      }),
      { numRuns: 300 },
    );
  });
});

test('any text and query give finite numbers', () => {
  fc.assert(
    fc.property(anyQuery, anyQuery, (text, query) => {
      const { counts, exactCounts, closeness } = featuresOf(`${text} ${query}`, query, 2);
      expect(Number.isFinite(closeness) && closeness >= 0).toBe(true);
      expect(exactCounts.every((count, i) => count >= 0 && count <= (counts[i] ?? 0))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe('what recall printed', () => {
  test.each([
    ['shell', 'recall search jwt middleware'],
    ['shell', '  npx recall search jwt'],
    ['shell', 'recall open 2'],
    ['prompt', `10 of 42 sessions   ${resultsFooters[0]}`],
    ['prompt', `10 of more than 5,000 sessions   ${resultsFooters[1]}   more: --limit 30`],
    ['reply', `It printed:\n 1 JWT middleware\n10 of 42 sessions\n${resultsFooters[0]}`],
    ['prompt', '10 of 42 sessions   open one: recall open <number>'],
  ])('%s %j is an echo', (kind, text) => {
    expect(isEcho(kind, text)).toBe(true);
  });

  test.each([
    ['shell', 'git search'],
    ['shell', 'recall-train --search'],
    ['prompt', 'recall search is slow, why?'],
    ['reply', 'I recall searching for the jwt middleware.'],
  ])('%s %j is not an echo', (kind, text) => {
    expect(isEcho(kind, text)).toBe(false);
  });
});
