// What is searched of a tool's input and output: words, not machinery, and never more than a bounded part.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cutWork,
  toInputText as gatherInput,
  toOutputText as gatherOutput,
} from '../../../src/sources/transcript/work-text.ts';
import { toSearchedText, toShownText } from '../../../src/text/tool-text.ts';

/** As it is searched, and shown. */
const toInputText = (input: unknown) => toSearchedText(cutWork(gatherInput(input), false));
const toOutputText = (output: string) => toSearchedText(cutWork(gatherOutput(output), true));
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
