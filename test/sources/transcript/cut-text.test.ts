// What of a long text is searched, and that whatever is found in it can be shown.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundText, cutText } from '../../../src/sources/transcript/cut-text.ts';

const extent = { head: 1400, tail: 600 };
const filler = (chars: number) => 'plain words again and '.repeat(Math.ceil(chars / 22)).slice(0, chars);
const around = (middle: string) => `${filler(3000)} ${middle} ${filler(3000)}`;

test('a text that fits is as it was', () => {
  const text = `get_user ${filler(1900)}`;
  expect(cutText(text, extent)).toBe(text);
  expect(boundText(text, extent)).toBe(text);
});

describe('between head and tail', () => {
  test('names that only code has are kept, each once', () => {
    const names = 'get_user getUser HttpClient2 __init__ MAX_RETRIES lp_chatroom_31 größe_max naïveName';
    const others = 'plain Capital UPPER 12345 trailing_ _ __ 2024-01-01';
    const kept = cutText(around(`call(${names}); ${names}, ${others}`), extent).split('\n')[1] ?? '';
    expect(kept.split(' ')).toEqual(names.split(' '));
  });

  test('a hash is not a name', () => {
    expect(cutText(around(`aB${'cD'.repeat(40)}`), extent)).not.toContain('cDcD');
  });

  test('lines that tell of trouble are kept, each once, and of long ones what is around the word', () => {
    const line = 'error: externally-managed-environment';
    const long = `${'left '.repeat(40)}the file was not found${' right'.repeat(40)}`;
    const kept = cutText(around(`\n${line}\nall is well\n${line}\n${long}\n`), extent).split('\n');
    expect(kept.filter((each) => each === line)).toHaveLength(1);
    expect(kept.some((each) => each.includes('the file was not found'))).toBe(true);
    expect(kept.every((each) => !each.includes('all is well'))).toBe(true);
    expect(Math.max(...kept.slice(2, -1).map((each) => each.length))).toBeLessThanOrEqual(200);
  });

  test('there is a limit to both, and to how far is looked', () => {
    const names = Array.from({ length: 500 }, (_, n) => `name_${n}`).join(' ');
    const lines = Array.from({ length: 500 }, (_, n) => `\nerror ${n} of the build`).join('');
    const cut = cutText(around(names + lines), extent);
    expect(cut.match(/name_/g)).toHaveLength(60);
    expect(cut.match(/error \d/g)).toHaveLength(8);
    expect(cutText(`${filler(40_000)} far_away ${filler(3000)}`, extent)).not.toContain('far_away');
  });
});

test('of any text, what is searched is in what is shown, and both are bounded', () => {
  const word = fc.oneof(
    fc.constantFrom('get_user', 'failed', '\n', 'errorCode', '😀', '東京', 'größe_max', 'a'.repeat(90)),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  );
  const some = fc.array(word, { minLength: 20, maxLength: 400 });
  fc.assert(
    fc.property(
      some,
      fc.constantFrom(' ', '', '\n'),
      fc.integer({ min: 1, max: 60 }),
      (words, between, times) => {
        const text = words.join(between).repeat(times);
        const [searched, shown] = [cutText(text, extent), boundText(text, extent)];
        expect(searched.length).toBeLessThanOrEqual(2000 + 60 * 65 + 8 * 201 + 10);
        expect(shown.length).toBeLessThanOrEqual(18_001);
        // Half a character at a cut is replaced.
        for (const each of searched.split(/\s+|\uFFFD/)) expect(shown.includes(each), each).toBe(true);
      },
    ),
  );
});
