// Passing over words loses nothing: what is told of a text is what looking at every word would tell.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eachTellingWord, isPlainText, MetWords } from '../../src/text/telling-words.ts';
import { toHumps, toParts, toPartTokens, toStem, WordForms } from '../../src/text/words.ts';

const syllable = fc.constantFrom(
  'get',
  'User',
  'ID',
  'running',
  'queues',
  'X',
  'a',
  '2',
  '_',
  'Tests',
  'HTTP',
  'v',
  'ed',
);
const word = fc.array(syllable, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const gap = fc.constantFrom(' ', '\n', '.', '-', ' — ', '/', '"', ' → ', '…');
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 30 })
  .map((pairs) => pairs.map(([each, after]) => each + after).join(''));

/** Every word, the slow way. */
const wordsOf = (text: string) => text.match(/[A-Za-z0-9_]+/g) ?? [];

describe('the words of a text', () => {
  test('all that have parts are stopped at, in order', () => {
    fc.assert(
      fc.property(text, (text) => {
        const stopped: string[] = [];
        eachTellingWord(text, new MetWords(), (each) => stopped.push(each));
        const telling = (each: string) => each.includes('_') || toHumps(each).length > 1;
        expect(stopped.filter(telling)).toEqual(wordsOf(text).filter(telling));
      }),
    );
  });

  test('the parts are those of all words', () => {
    fc.assert(
      fc.property(text, (text) => {
        const parts = wordsOf(text).flatMap((each) => (each.length > 64 ? [] : toParts(each)));
        expect(toPartTokens(text.replaceAll('.', ' '), new WordForms())).toBe(parts.join(' '));
      }),
    );
  });

  test('every word that is not its own stem is told, once for all texts', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const forms = new WordForms();
        for (const each of texts) toPartTokens(each, forms);
        const pieces = texts
          .flatMap(wordsOf)
          .filter((each) => each.length <= 64)
          .flatMap((each) => [...each.split('_'), ...toParts(each).flatMap((part) => part.split(' '))])
          .map((piece) => piece.toLowerCase());
        const expected = pieces.filter((piece) => toStem(piece) !== piece);
        expect(new Set(forms.take())).toEqual(new Set(expected));
      }),
    );
  });

  test('met words are new only once', () => {
    const met = new MetWords();
    expect([met.isNew(1, 2), met.isNew(1, 2), met.isNew(1, 3), met.isNew(-7, 2)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

test.each([
  ['plain — “quoted” → done…', true],
  ['naïve', false],
  ['数据库', false],
  ['ok 🎉', false],
])('%s is plain: %s', (text, isPlain) => {
  expect(isPlainText(text)).toBe(isPlain);
});
