// Stems, identifier parts, CJK pairs and symbol names.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fold,
  isCjk,
  toHumps,
  toPairs,
  toParts,
  toScriptRuns,
  toStem,
  toSymbolName,
} from '../../src/text/word-parts.ts';
import { eachTellingWord, kindOf, kinds, MetWords, toPartTokens, WordForms } from '../../src/text/words.ts';

const partsOf = (text: string) => toPartTokens(text, new WordForms());

function formsOf(text: string): string[] {
  const forms = new WordForms();
  toPartTokens(text, forms);
  return forms.take();
}

describe('identifier parts', () => {
  test.each([
    ['getUserById', ['get user by id']],
    ['UserService', ['user service']],
    ['XMLHttpRequest', ['xml http request']],
    ['parseHTML', ['parse html']],
    ['HTTPServer2', ['http server2']],
    ['utf8Decoder', ['utf8 decoder']],
    ['get_user_by_id', ['getuserbyid']],
    ['MAX_LINE_BYTES', ['maxlinebytes']],
    ['__init__', []],
    ['user__name', ['username']],
    ['my_getUser', ['mygetuser', 'get user']],
    ['naïveTest', ['naïve test']],
    ['ÄpfelBaum', ['äpfel baum']],
    ['имяФайла', ['имя файла']],
    ['lower', []],
    ['Capital', []],
    ['SHOUT', []],
    ['sha256', []],
  ])('%s → %j', (word, parts) => {
    expect(toParts(word)).toEqual(parts);
  });

  test('a word without humps stays whole', () => {
    expect(toHumps('getUserById')).toEqual(['get', 'User', 'By', 'Id']);
    expect(toHumps('lower')).toEqual(['lower']);
    expect(toHumps('数据库')).toEqual(['数据库']);
  });

  test.each(['jwt-auth.ts', 'src/middleware/auth', "don't", 'a.b.c', 'kebab-case-name'])(
    '%s is split by FTS5 itself and adds nothing',
    (text) => {
      expect(partsOf(text)).toBe('');
    },
  );

  const name = fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 2, maxLength: 5 });
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

  test('every word of a name is a part of it in camel case, and its joined form in snake case', () => {
    fc.assert(
      fc.property(name, (words) => {
        const pascal = words.map(capital).join('');
        const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
        expect(toParts(camel)).toEqual([words.join(' ')]);
        expect(toParts(pascal)).toEqual([words.join(' ')]);
        for (const snake of [words.join('_'), words.join('_').toUpperCase()]) {
          expect(toParts(snake)).toEqual([camel.toLowerCase()]);
        }
      }),
    );
  });

  test('parts are stemmed too', () => {
    expect(formsOf('getRunningJobs')).toEqual(expect.arrayContaining(['jobs', 'running']));
    expect(formsOf('running_jobs')).toEqual(expect.arrayContaining(['jobs', 'running']));
  });
});

describe('Chinese, Japanese and Korean', () => {
  test.each([
    ['数据库', ['数据 据库 库']],
    ['東京タワー', ['東京 京タ タワ ワー ー']],
    ['한국어', ['한국 국어 어']],
    ['人々', ['人々 々']],
    ['中', ['中']],
    ['使用redis缓存', ['使用 用', 'redis', '缓存 存']],
  ])('%s → %j', (word, parts) => {
    expect(toParts(word)).toEqual(parts);
  });

  test('text next to it without a space is separated', () => {
    expect(toScriptRuns('用Redis做缓存v2')).toEqual(['用', 'Redis', '做缓存', 'v2']);
    expect(toScriptRuns('')).toEqual([]);
  });

  test('half-width and decomposed forms become the usual ones', () => {
    expect(toPairs('ｶﾀ')).toEqual(['カタ', 'タ']);
    expect(toPairs('한국'.normalize('NFD'))).toEqual(['한국', '국']);
  });

  test('rare characters outside the basic plane are not split', () => {
    expect(toPairs('𠮷野家')).toEqual(['𠮷野', '野家', '家']);
  });

  test('any run of two or more characters of a run is a phrase of its pairs', () => {
    const run = fc.array(fc.constantFrom(...'数据库连接池的超时'), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(run, fc.nat(), fc.nat(), (characters, from, length) => {
        const start = from % (characters.length - 1);
        const part = characters.slice(start, start + 2 + (length % 5)).join('');
        const pairs = toPairs(part).slice(0, -1).join(' ');
        expect(`${toPairs(characters.join('')).join(' ')} `).toContain(`${pairs} `);
      }),
    );
  });

  test('a long run is not mistaken for encoded data', () => {
    expect(partsOf('数据库'.repeat(50))).toContain('数据 据库 库数');
  });
});

describe('symbol names', () => {
  test.each([
    ['C++', 'cplusplus'],
    ['c#', 'csharp'],
    ['F#', 'fsharp'],
    ['.NET', 'dotnet'],
  ])('%s is found as %s', (symbol, name) => {
    expect(toSymbolName(symbol)).toBe(name);
    for (const text of [symbol, `(${symbol})`, `use ${symbol}, please`, `${symbol}.`]) {
      expect(partsOf(text)).toBe(name);
    }
  });

  test.each(['ABC++', 'i++', 'x = c + + d', '#1', 'page.network', 'Ac#', 'issue#4'])(
    '%s holds none',
    (text) => {
      expect(partsOf(text)).not.toMatch(/cplusplus|sharp|dotnet/);
    },
  );
});

describe('stems', () => {
  test.each([
    ['running', 'run'],
    ['databases', 'databas'],
    ['migrations', 'migrat'],
    ['run', 'run'],
    ['the', 'the'],
    ['naïvely', 'naïvely'],
    ['v2', 'v2'],
    ['x'.repeat(40), 'x'.repeat(40)],
  ])('%s → %s', (word, stem) => {
    expect(toStem(word)).toBe(stem);
  });

  test('only words that are not their own stem are collected, each once per collector', () => {
    expect(new Set(formsOf('Running, running and the RUNNING run'))).toEqual(new Set(['running']));
    const forms = new WordForms();
    toPartTokens('queues running', forms);
    expect(forms.take()).toEqual(['queues', 'running']);
    toPartTokens('running queues again and again, failing', forms);
    expect(forms.take()).toEqual(['failing']);
    expect(formsOf('queues')).toEqual(['queues']);
  });
});

test.each([
  ['Café', 'cafe'],
  ['NAÏVE', 'naive'],
  ['Ångström', 'angstrom'],
  ['데이터', '데이터'],
  ['plain', 'plain'],
])('%s is folded to %s, as FTS5 does it', (word, folded) => {
  expect(fold(word)).toBe(folded);
});

describe('any text', () => {
  test.each([
    ['an unbroken base64 run', 'aGVsbG8gV29ybGQ'.repeat(20)],
    ['a long hash', '0123456789abcdefABCDEF'.repeat(4)],
    ['a long name', 'getUserById'.repeat(10)],
  ])('%s gives nothing', (_, text) => {
    expect([partsOf(text), formsOf(text)]).toEqual(['', []]);
  });

  test('it gives words and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', size: 'large' }),
      fc.string({ unit: 'grapheme', size: 'large' }),
      fc
        .array(fc.constantFrom('A', 'a', '1', '_', '中', '+', '#', '.', '\ud800', ' ', 'ß', 'İ'), {
          maxLength: 200,
        })
        .map((c) => c.join('')),
    );
    fc.assert(
      fc.property(text, (text) => {
        expect(`${partsOf(text)}${formsOf(text).join()}`.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each(['a_', '_', 'aA', 'A', 'a1', 'C+', '.', '中', 'é', 'word ', 'getUserById ', 'A1a_中'])(
    'time grows with the length of the text and not its square: %s',
    (unit) => {
      const text = `${unit.repeat(100_000 / unit.length)}中`;
      const start = performance.now();
      partsOf(text);
      // Linear time is a tenth of a second; the square would be far beyond this.
      expect(performance.now() - start).toBeLessThan(3000);
    },
  );
});

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
