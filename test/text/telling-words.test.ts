// Skipping words loses nothing: the result is the same as when looking at every word.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toStem } from '../../src/text/stem.ts';
import { eachTellingWord, kindOf, kinds, MetWords } from '../../src/text/telling-words.ts';
import { isCjk, toHumps, toParts } from '../../src/text/word-parts.ts';
import { toPartTokens, WordForms } from '../../src/text/words.ts';

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
  'naïve',
  '数据库',
  'データ',
  '한국',
  'é',
  'ошибки',
  'Файл',
  'ёж',
  'ｶﾀ',
  'が',
  '。',
  '，',
  '①',
  '😀',
  '—',
);
const word = fc.array(syllable, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const gap = fc.constantFrom(' ', '\n', '.', '-', ' — ', '/', '"', ' → ', '…');
const text = fc
  .array(fc.tuple(word, gap), { maxLength: 30 })
  .map((pairs) => pairs.map(([each, after]) => each + after).join(''));

/** Every word, the slow way. */
const wordsOf = (text: string) => text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
const isLong = (word: string) => word.length > 64 && !isCjk(word);

describe('the words of a text', () => {
  test('all words that have parts are visited, in order', () => {
    fc.assert(
      fc.property(text, (text) => {
        const stopped: string[] = [];
        eachTellingWord(text, new MetWords(), {
          onIdentifier: (from, to) => stopped.push(text.slice(from, to)),
          onNewWord: (from, to) => stopped.push(text.slice(from, to)),
          onCjk: (from, to) => stopped.push(text.slice(from, to)),
          onForeign: (from, to) => stopped.push(...wordsOf(text.slice(from, to))),
        });
        const telling = (each: string) => each.includes('_') || toHumps(each).length > 1;
        expect(stopped.filter(telling)).toEqual(wordsOf(text).filter(telling));
      }),
    );
  });

  test('the parts are the same as those of all words', () => {
    fc.assert(
      fc.property(text, (text) => {
        const parts = wordsOf(text).flatMap((each) => (isLong(each) ? [] : toParts(each)));
        expect(toPartTokens(text.replaceAll('.', ' '), new WordForms())).toBe(parts.join(' '));
      }),
    );
  });

  test('every word that is not its own stem is collected, once for all texts', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), (texts) => {
        const forms = new WordForms();
        for (const each of texts) toPartTokens(each, forms);
        const pieces = texts
          .flatMap(wordsOf)
          .filter((each) => !isLong(each))
          .flatMap((each) => [
            ...each.split('_'),
            ...toParts(each).flatMap((part) => (isCjk(part) ? [] : part.split(' '))),
          ])
          .map((piece) => piece.toLowerCase());
        const expected = pieces.filter((piece) => toStem(piece) !== piece);
        expect(new Set(forms.take())).toEqual(new Set(expected));
      }),
    );
  });

  test('the kinds of all characters are what Unicode says', () => {
    const of = {
      [kinds.gap]: /^[^\p{L}\p{N}\p{M}_]$/u,
      [kinds.lower]: /^\p{Ll}$/u,
      [kinds.upper]: /^\p{Lu}$/u,
    };
    for (let code = 0; code < 0xd800; code++) {
      const character = String.fromCharCode(code);
      const kind = kindOf(code);
      const pattern = of[kind as keyof typeof of];
      if (pattern !== undefined) expect(character).toMatch(pattern);
      if (kind === kinds.lower || kind === kinds.upper)
        expect(toStem(`${character}бв`)).toBe(`${character}бв`);
      if (kind === kinds.cjk)
        expect([isCjk(character), character.normalize('NFKC'), character.toLowerCase()]).toEqual([
          true,
          character,
          character,
        ]);
    }
  });

  test('a word is new only once', () => {
    const met = new MetWords();
    expect([met.isNew(1, 2), met.isNew(1, 2), met.isNew(1, 3), met.isNew(-7, 2)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
