// A word of an indexed message finds it, in any script and in any style of writing names.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Line, userLine } from '../support/home.ts';
import { ask, idsOf, indexed } from './ask.ts';

/** Puts each text into a separate session and searches for its words; `check` gets the ids found. */
async function findIn(
  texts: readonly string[],
  check: (find: (query: string) => Promise<string[]>, idOf: (i: number) => string) => Promise<void>,
): Promise<void> {
  const idOf = (i: number) => `aaaaaaaa-0000-4000-8000-${String(i).padStart(12, '0')}`;
  const { store, close } = await indexed((home) => {
    for (const [i, text] of texts.entries()) {
      const lines: Line[] = [userLine('hello'), userLine(text)];
      home.writeSession(idOf(i), lines);
    }
  });
  try {
    await check(async (query) => idsOf(await ask(store, query, { limit: 1000 })), idOf);
  } finally {
    close();
  }
}

const letters = {
  Latin: 'abcdefghijklmnopqrstuvwxyz',
  accents: 'àéîõüçñšžőąęłøåæœ',
  Greek: 'αβγδεζηθικλμνξοπρστυφχψω',
  Cyrillic: 'абвгдежзиклмнопрстуфхцчшщъыьэюя',
  Hebrew: 'אבגדהוזחטיכלמנסעפצקרשת',
  Arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  Armenian: 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռս',
  digits: '0123456789',
} as const;

const wordOf = (script: keyof typeof letters) =>
  fc.string({ unit: fc.constantFrom(...letters[script]), minLength: 3, maxLength: 10 });

describe('every word finds its message', () => {
  test.each(Object.keys(letters) as (keyof typeof letters)[])('%s', async (script) => {
    const texts = fc.array(fc.array(wordOf(script), { minLength: 1, maxLength: 5 }), {
      minLength: 20,
      maxLength: 30,
    });
    for (const sample of fc.sample(texts, { numRuns: 1, seed: 7 })) {
      await findIn(
        sample.map((words) => words.join(', ')),
        async (find, idOf) => {
          for (const [i, words] of sample.entries()) {
            for (const word of words) {
              expect(await find(word), word).toContain(idOf(i));
              expect(await find(word.toUpperCase()), word.toUpperCase()).toContain(idOf(i));
              expect(await find(`"${word}"`), `"${word}"`).toContain(idOf(i));
            }
          }
        },
      );
    }
  });
});

describe('names', () => {
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const styles: Record<string, (words: readonly string[]) => string> = {
    camelCase: ([first = '', ...rest]) => first + rest.map(capital).join(''),
    PascalCase: (words) => words.map(capital).join(''),
    snake_case: (words) => words.join('_'),
    SCREAMING_CASE: (words) => words.join('_').toUpperCase(),
    'kebab-case': (words) => words.join('-'),
    'dotted.case': (words) => words.join('.'),
  };
  const names = [
    ['get', 'user', 'by', 'id'],
    ['rotate', 'refresh', 'token'],
    ['max', 'line', 'bytes'],
    ['parse', 'html', 'table'],
  ];

  test.each(Object.keys(styles))('%s is found whole and by its parts', async (style) => {
    const write = styles[style] as (words: readonly string[]) => string;
    await findIn(
      names.map((words) => `please look at ${write(words)}() first`),
      async (find, idOf) => {
        for (const [i, words] of names.entries()) {
          expect(await find(write(words))).toEqual([idOf(i)]);
          for (const word of words.filter((each) => each.length > 3))
            expect(await find(word), word).toEqual([idOf(i)]);
        }
      },
    );
  });

  const interchangeable = ['camelCase', 'PascalCase', 'snake_case', 'SCREAMING_CASE'];
  const pairs = interchangeable.flatMap((a) => interchangeable.map((b) => [a, b] as const));
  test.each(pairs)('%s is found as %s', async (written, asked) => {
    const write = styles[written] as (words: readonly string[]) => string;
    const type = styles[asked] as (words: readonly string[]) => string;
    await findIn(
      names.map((words) => `see ${write(words)} there`),
      async (find, idOf) => {
        for (const [i, words] of names.entries()) expect(await find(type(words))).toEqual([idOf(i)]);
      },
    );
  });

  test('paths, versions, messages and contractions', async () => {
    const texts = [
      'src/middleware/jwt-auth.ts:41',
      "it doesn't work",
      'v2.1.100-beta',
      'foo(bar)',
      'a@b.example',
      'x86_64',
    ];
    await findIn(texts, async (find, idOf) => {
      for (const [i, text] of texts.entries()) expect(await find(text)).toContain(idOf(i));
      expect(await find('jwt-auth.ts')).toEqual([idOf(0)]);
      expect(await find('middleware/jwt-auth')).toEqual([idOf(0)]);
      expect(await find('doesn’t')).toContain(idOf(1));
      expect(await find('v2.1.100')).toEqual([idOf(2)]);
    });
  });
});

describe('Chinese, Japanese and Korean', () => {
  const runs = [
    '数据库连接池经常报连接超时',
    '郵便番号を入力したら都道府県',
    'タワーの高さ',
    '추천모델오프라인평가',
    '𠮷野家で食べる',
  ];

  test('any run of one to four characters', async () => {
    await findIn(runs, async (find, idOf) => {
      for (const [i, run] of runs.entries()) {
        const characters = [...run];
        for (let length = 1; length <= 4; length++) {
          for (let from = 0; from + length <= characters.length; from++) {
            const part = characters.slice(from, from + length).join('');
            expect(await find(part), part).toContain(idOf(i));
          }
        }
      }
    });
  });

  test('a run that does not occur is not found', async () => {
    await findIn(runs, async (find) => {
      expect(await find('"库数"')).toEqual([]);
      expect(await find('连时')).toEqual([]);
    });
  });

  test('next to Latin letters without a space', async () => {
    await findIn(['请用Redis做缓存层', 'Node.jsのバージョンv20を使う'], async (find, idOf) => {
      for (const query of ['redis', '缓存', '用Redis', 'Redis做缓存', '做缓存层', 'Redis 缓存']) {
        expect(await find(query), query).toEqual([idOf(0)]);
      }
      for (const query of ['バージョン', 'v20', 'バージョンv20', 'node.js'])
        expect(await find(query), query).toEqual([idOf(1)]);
    });
  });
});

describe('accents', () => {
  test('with or without them, composed or not', async () => {
    const texts = ['naïve résumé parser', 'Größe und Straße', 'crème brûlée'.normalize('NFD')];
    await findIn(texts, async (find, idOf) => {
      for (const query of ['naive', 'NAÏVE', 'resume', 'résumé', 'résumé'.normalize('NFD')]) {
        expect(await find(query), query).toEqual([idOf(0)]);
      }
      for (const query of ['große', 'straße', 'GRÖßE']) expect(await find(query), query).toEqual([idOf(1)]);
      for (const query of ['creme', 'brûlée', 'CRÈME']) expect(await find(query), query).toEqual([idOf(2)]);
    });
  });

  test('also in Greek and Russian', async () => {
    await findIn(['Άγνωστο σφάλμα, κενός λόγος', 'вот ещё самолёт', 'мой дом'], async (find, idOf) => {
      for (const query of ['σφάλμα', 'σφαλμα', 'ΣΦΑΛΜΑ', 'αγνωστο', 'λογος', 'ΛΌΓΟΣ', '"λόγος"'])
        expect(await find(query), query).toEqual([idOf(0)]);
      for (const query of ['ещё', 'еще', 'ЕЩЕ', 'самолет', 'самолёт', '"ещё самолёт"'])
        expect(await find(query), query).toEqual([idOf(1)]);
      // A separate letter, not an accent.
      expect(await find('мои')).toEqual([]);
    });
  });
});

test('versions, with and without the v', async () => {
  await findIn(['upgraded to v2.17.3 today', 'pinned 3.14.1 again'], async (find, idOf) => {
    for (const query of ['2.17.3', 'v2.17.3', 'V2.17.3']) expect(await find(query), query).toEqual([idOf(0)]);
    for (const query of ['3.14.1', 'v3.14.1', 'v3.14']) expect(await find(query), query).toEqual([idOf(1)]);
  });
});

test('the words of different forms of one stem find each other, the exact one first', async () => {
  await findIn(['we … migrated it', 'we .. migration it', 'we . migrations it'], async (find, idOf) => {
    for (const [i, query] of ['migrated', 'migration', 'migrations'].entries()) {
      const found = await find(query);
      expect(found).toHaveLength(3);
      expect(found[0], query).toBe(idOf(i));
    }
  });
});

// таблица found nothing where таблицы was said.
test('so do Russian ones', async () => {
  const texts = [
    'создай таблицу в базе',
    'ТАБЛИЦЫ не хватает',
    'миграция упала',
    'сбой при миграциях',
    'полёты отменены',
  ];
  await findIn(texts, async (find, idOf) => {
    for (const query of ['таблица', 'таблицы', 'таблицами', 'Таблице', 'таблиц']) {
      const found = await find(query);
      expect(found.toSorted(), query).toEqual([idOf(0), idOf(1)]);
    }
    expect((await find('таблицы'))[0]).toBe(idOf(1));
    expect((await find('миграций')).toSorted()).toEqual([idOf(2), idOf(3)]);
    for (const query of ['полет', 'полёта', 'полетам']) expect(await find(query), query).toEqual([idOf(4)]);
    // Between quotation marks only the word itself.
    expect(await find('"таблицы"')).toEqual([idOf(1)]);
  });
});

test('Chinese, Japanese or Korean beside a Latin word without a space', async () => {
  const texts = [
    '我想知道怎么安装 docker-compose 在服务器上',
    'JWTの認証が失敗する',
    '도커 docker 설치 방법',
  ];
  await findIn(texts, async (find, idOf) => {
    for (const query of ['怎么安装docker-compose', 'docker-compose怎么安装'])
      expect((await find(query))[0], query).toBe(idOf(0));
    expect(await find('JWT認証')).toEqual([idOf(1)]);
    expect(await find('도커docker')).toEqual([idOf(2)]);
  });
});
