// What is searched of a tool's input and output: words, not machinery, and never more than a bounded part.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutText,
  cutToolText,
  toInputText as gatherInput,
  toOutputText as gatherOutput,
} from '../../../src/sources/transcript/tool-call.ts';
import { toSearchedText, toShownText, withoutMarks } from '../../../src/text/tool-text.ts';

/** As it is searched, and shown. */
const toInputText = (input: unknown) => toSearchedText(cutToolText(gatherInput(input), false));
const toOutputText = (output: string) => toSearchedText(cutToolText(gatherOutput(output), true));
const toGivenText = (input: unknown) => toShownText(gatherInput(input));

/** Head and tail, and what is kept of what is between them. */
const between = 60 * 65 + 8 * 201 + 2;
const longest = { input: 8000 + between, output: 2000 + between };
const words = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, n) => `${word}${n}`).join(' ');

describe('an input', () => {
  test('is all its strings, however deep, and nothing else', () => {
    const input = {
      file_path: 'src/x.ts',
      edits: [{ old_string: 'a', new_string: 'b', replace_all: true }, 'loose'],
      timeout: 5000,
      nothing: null,
      empty: '',
      deep: { er: { text: 'narwhal' } },
    };
    expect(toInputText(input)).toBe('src/x.ts\na\nb\nloose\nnarwhal');
    expect(toInputText('only a string')).toBe('only a string');
    for (const none of [undefined, null, 7, true, {}, []]) expect(toInputText(none)).toBe('');
  });

  test('of 8,000 characters is whole, a longer one keeps its head and its tail', () => {
    const whole = `first ${'x'.repeat(7988)} last`;
    expect(toInputText({ content: whole.slice(0, 8000) })).toBe(whole.slice(0, 8000));
    const long = toInputText({ content: `firstWord ${words(5000)} lastWord` });
    expect(long.length).toBeLessThanOrEqual(longest.input);
    expect(long.length).toBeGreaterThan(7800);
    expect(long.startsWith('firstWord word0 ')).toBe(true);
    expect(long.endsWith(' word4999 lastWord')).toBe(true);
    expect(long).not.toContain('word2500');
  });

  test('is cut between words', () => {
    const all = new Set(words(5000).split(' '));
    for (const word of toInputText({ content: words(5000) })
      .split(/\s+/)
      .filter(Boolean))
      expect(all).toContain(word);
  });

  test('of any depth and any number of strings ends', () => {
    let nested: unknown = 'at the bottom';
    for (let n = 0; n < 10_000; n++) nested = n % 2 === 0 ? [nested] : { nested };
    expect(toInputText(nested)).toBe('');
    expect(toInputText(Array.from({ length: 100_000 }, () => 'x')).length).toBeLessThanOrEqual(longest.input);
  });
});

describe('an output', () => {
  test('keeps its head and its tail', () => {
    const output = toOutputText(`firstWord ${words(5000)} lastWord`);
    expect(output.length).toBeLessThanOrEqual(longest.output);
    expect(output.length).toBeGreaterThan(1900);
    expect(output.startsWith('firstWord word0 ')).toBe(true);
    expect(output.endsWith(' word4999 lastWord')).toBe(true);
    const short = 'error: externally-managed-environment';
    expect(toOutputText(short)).toBe(short);
  });

  test('is without what was put there for the model', () => {
    const reminder = '<system-reminder>\nthe narwhal file was changed\n</system-reminder>';
    expect(toOutputText(`before ${reminder} between ${reminder} after`)).toBe('before  between  after');
    expect(toOutputText('before <system-reminder>never closed narwhal')).toBe('before ');
    expect(toOutputText(reminder)).toBe('');
  });
});

test.each([
  ['base64', Buffer.from(words(2000)).toString('base64')],
  ['base64 for URLs', Buffer.from(words(2000)).toString('base64url')],
  ['a long run of hexadecimal digits', Buffer.from(words(2000)).toString('hex')],
])('%s is left out', (_, encoded) => {
  expect(toInputText({ file_path: 'a.png', data: encoded, note: 'kept' })).toBe('a.png\nkept');
  expect(toOutputText(encoded)).toBe('');
});

test('a short id and a long path are no base64', () => {
  const path = `/home/u/${'deeply-nested/'.repeat(20)}x.ts`;
  expect(toInputText({ id: 'QWxhZGRpbjpvcGVuIHNlc2FtZQ==', path })).toContain('QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
  expect(toInputText({ path })).toBe(path);
});

test('a pair of surrogates is never cut apart', () => {
  for (let shift = 0; shift < 4; shift++) {
    const emoji = `${'x'.repeat(shift)}${'🎉'.repeat(20_000)}`;
    expect(toInputText({ emoji }).isWellFormed()).toBe(true);
    expect(toOutputText(emoji).isWellFormed()).toBe(true);
  }
});

test('whatever it is given, it does not throw, and what it gives is bounded', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', size: 'large' }),
    fc.string({ unit: 'binary', size: 'large', minLength: 3000, maxLength: 20_000 }),
    fc.constantFrom('<system-reminder>', '</system-reminder>', 'x'.repeat(30_000), ' '.repeat(30_000)),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), anyText)), (input) => {
      expect(toInputText(input).length).toBeLessThanOrEqual(longest.input);
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), (pieces) => {
      const output = toOutputText(pieces.join(''));
      expect(output.length).toBeLessThanOrEqual(longest.output);
      expect(output).not.toContain('<system-reminder>');
    }),
    { numRuns: 200 },
  );
});

test('a hundred thousand reminders that never end take no time', () => {
  const startedAt = performance.now();
  toOutputText('<system-reminder>'.repeat(100_000));
  toOutputText('<system-reminder></system-reminder'.repeat(50_000));
  toInputText({ content: 'x'.repeat(5_000_000) });
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test('what a tool was given, for a reader: by name, unless there is only one text', () => {
  expect(toGivenText({ command: 'ls\n-l' })).toBe('ls\n-l');
  expect(toGivenText({ path: '/a', limit: 5, edits: [{ old: 'x\ny', all: true }], none: null })).toBe(
    'path: /a\nlimit: 5\nedits[0].old:\nx\ny\nedits[0].all: true\nnone: null',
  );
  expect(toGivenText({ image: 'A'.repeat(900), name: 'x' })).toBe('image: (encoded)\nname: x');
  expect(toGivenText({ many: Array.from({ length: 9000 }, String) }).split('\n')).toHaveLength(1000);
});

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
