// What of a long text is searched and shown.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText } from '../../../src/sources/transcript/cut-text.ts';
import { toSearchedText, toShownText, withoutMarks } from '../../../src/text/tool-text.ts';

const extent = { head: 1400, tail: 600 };
const filler = (chars: number) => 'plain words again and '.repeat(Math.ceil(chars / 22)).slice(0, chars);
const search = (text: string) => toSearchedText(cutText(text, extent));
const around = (middle: string) => `${filler(3000)} ${middle} ${filler(3000)}`;

test('a text that fits is as it was', () => {
  const text = `get_user ${filler(1900)}`;
  expect(cutText(text, extent)).toBe(text);
});

describe('between head and tail', () => {
  test('names that only code has are kept, each once', () => {
    const names = 'get_user getUser HttpClient2 __init__ MAX_RETRIES lp_chatroom_31 größe_max naïveName';
    const others = 'plain Capital UPPER 12345 trailing_ _ __ 2024-01-01';
    const kept = search(around(`call(${names}); ${names}, ${others}`)).split('\n')[1] ?? '';
    expect(kept.split(' ')).toEqual(names.split(' '));
  });

  test('a hash is not a name', () => {
    expect(search(around(`aB${'cD'.repeat(40)}`))).not.toContain('cDcD');
  });

  test('lines that tell of trouble are kept, each once, and of long ones what is around the word', () => {
    const line = 'error: externally-managed-environment';
    const long = `${'left '.repeat(40)}the file was not found${' right'.repeat(40)}`;
    const kept = search(around(`\n${line}\nall is well\n${line}\n${long}\n`)).split('\n');
    expect(kept.filter((each) => each === line)).toHaveLength(1);
    expect(kept.some((each) => each.includes('the file was not found'))).toBe(true);
    expect(kept.every((each) => !each.includes('all is well'))).toBe(true);
    expect(Math.max(...kept.slice(2, -1).map((each) => each.length))).toBeLessThanOrEqual(200);
  });

  test('there is a limit to both, and to how far is looked', () => {
    const names = Array.from({ length: 500 }, (_, n) => `name_${n}`).join(' ');
    const lines = Array.from({ length: 500 }, (_, n) => `\nerror ${n} of the build`).join('');
    const cut = search(around(names + lines));
    expect(cut.match(/name_/g)).toHaveLength(60);
    expect(cut.match(/error \d/g)).toHaveLength(8);
    expect(cutText(`${filler(40_000)} far_away ${filler(3000)}`, extent)).not.toContain('far_away');
  });
});

test('of any text, what is searched is bounded and in the text, and what is shown says how much is not', () => {
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
        const text = withoutMarks(words.join(between).repeat(times));
        const stored = cutText(text, extent);
        const searched = toSearchedText(stored);
        expect(searched.length).toBeLessThanOrEqual(2000 + 60 * 65 + 8 * 201 + 10);
        // Half a character at a cut is replaced.
        for (const each of searched.split(/\s+|\uFFFD/)) expect(text.includes(each), each).toBe(true);
        const [head = '', leftOut, tail] = toShownText(stored).split(/\n… (\d+) characters left out …\n/);
        if (text.length <= extent.head + extent.tail) expect(head).toBe(text);
        else expect(head.length + Number(leftOut) + (tail?.length ?? 0)).toBe(text.length);
      },
    ),
  );
});
