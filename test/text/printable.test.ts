// No part of a transcript acts on the terminal.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteForShell, toPrintable, toPrintableLine, withoutEscapes } from '../../src/text/printable.ts';
import { anyText } from '../render/made-hits.ts';

test.each([
  ['\x1b[31mred\x1b[0m', '[31mred[0m'],
  ['\x1b]0;title\x07', ']0;title'],
  ['\x9b2J', '2J'],
  ['abc\b\b\bxyz', 'abcxyz'],
  ['user\u202etxt.exe', 'usertxt.exe'],
  ['a\u200bb\ufeffc', 'abc'],
  ['a\tb', 'a  b'],
  ['one\r\ntwo\rthree\n', 'one\ntwo\nthree\n'],
  ['数据库 café 🎉 👩‍👩‍👧', '数据库 café 🎉 👩‍👩‍👧'],
])('%j → %j', (text, printable) => {
  expect(toPrintable(text)).toBe(printable);
});

test('one line stays one line', () => {
  expect(toPrintableLine('  a\r\n\tb\n\n c\u2028d ')).toBe('a b cd');
});

describe('any text', () => {
  test('has no control, escape or bidirectional character left', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: 'binary', size: 'large' })), (text) => {
        expect(toPrintable(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        expect(toPrintable(text)).not.toMatch(/\p{Bidi_Control}/u);
        expect(toPrintableLine(text)).not.toMatch(/[\n\r\u2028\u2029\x85]/);
      }),
      { numRuns: 1000 },
    );
  });

  test('is unchanged the second time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toPrintable(toPrintable(text))).toBe(toPrintable(text));
        expect(toPrintableLine(toPrintableLine(text))).toBe(toPrintableLine(text));
      }),
    );
  });
});

describe('escape sequences', () => {
  test.each([
    ['colours', '\x1b[31m\x1b[1mcannot\x1b[22m find \x1b[38;5;208mquokka\x1b[0m', 'cannot find quokka'],
    ['moves of the cursor', 'a\x1b[2K\x1b[1Gb\x1b[?25l', 'ab'],
    ['a title', '\x1b]0;vim\x07done', 'done'],
    ['a link', 'see \x1b]8;;https://x.test/a\x1b\\docs\x1b]8;;\x1b\\.', 'see docs.'],
    ['those of one letter', 'a\x1bMb\x1b_c', 'abc'],
    ['a title without an end: nothing but its start', '\x1b]0;vim\nerror: kept', '0;vim\nerror: kept'],
    ['brackets that are no sequence', 'args[31m] and [0m', 'args[31m] and [0m'],
  ])('%s', (_, text, plain) => {
    expect(withoutEscapes(text)).toBe(plain);
  });

  test('take nothing of a text that has none, and never add anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const plain = withoutEscapes(text);
        if (!text.includes('\x1b')) expect(plain).toBe(text);
        expect(plain.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  test('take time in proportion to the text, however many are broken off', () => {
    const text = '\x1b]8;;'.repeat(200_000) + '\x1b['.repeat(200_000);
    expect(withoutEscapes(text)).toHaveLength(5 * 200_000);
  });
});

const nativeId = '5b60eaeb-0af3-4a4b-96ad-2d11669e8939';
let dir = '';

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'recall-quote-')));
  mkdirSync(join(dir, 'bin'));
  mkdirSync(join(dir, 'start'));
  writeFileSync(join(dir, 'bin/claude'), '#!/bin/sh\nprintf "%s\\0" "$PWD" "$@"\n');
  chmodSync(join(dir, 'bin/claude'), 0o755);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const viaEval = ['-c', 'eval "$1"', 'shell'];
const shells = {
  sh: viaEval,
  bash: viaEval,
  zsh: ['-f', ...viaEval],
  fish: ['--no-config', '-c', 'eval $argv[1]'],
} as const;
type Shell = keyof typeof shells;
const present = (Object.keys(shells) as Shell[]).filter((shell) =>
  ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'].some((folder) =>
    existsSync(join(folder, shell)),
  ),
);

/**
 * What the shell does with the line: where claude was started, with what, and whether anything else happened.
 */
function evaluate(
  line: string,
  shell: Shell = 'sh',
): { cwd: string | undefined; args: string[]; others: string[] } {
  const out = execFileSync(shell, [...shells[shell], line], {
    cwd: join(dir, 'start'),
    env: { PATH: `${join(dir, 'bin')}:/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin`, HOME: dir },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [cwd, ...args] = out.split('\0').slice(0, -1);
  const others = [...readdirSync(join(dir, 'start')), ...(existsSync(join(dir, 'pwned')) ? ['pwned'] : [])];
  return { cwd, args, others };
}

const names = [
  'plain',
  'two words',
  "it's",
  '"quoted"',
  "'",
  "''''",
  '$(touch pwned)',
  '`touch pwned`',
  '$HOME',
  `\${PATH}`,
  '; touch pwned;',
  '&& touch pwned #',
  '| tee pwned',
  "'; touch pwned; '",
  "'$(touch pwned)'",
  'a\nb',
  'a\n',
  '\n\n',
  "a\n'; touch pwned\n",
  'a\nb$(touch pwned)`touch pwned`',
  'a\n100%d %s %n \\n \\045s',
  'tab\there',
  '\x1b[31mred',
  '\x1b]0;title\x07',
  'back\\slash',
  'trailing\\',
  'two\\\\backslashes',
  "\\'both\\'",
  '-n',
  '--help',
  '~',
  '*',
  '[a-z]?',
  '!history',
  '#comment',
  '{a,b}',
  'über 数据库 🎉',
  '\u202egnp.exe',
  '\u2028',
  'a\nüber 数据库',
];

const lineFor = (cwd: string, id = nativeId) => `cd ${quoteForShell(cwd)} && claude -r ${id}`;

describe('the line', () => {
  const cases = present.flatMap((shell) => names.map((name) => [shell, JSON.stringify(name), name] as const));

  test.each(cases)('in %s: %s', (shell, _, name) => {
    const cwd = join(dir, 'homes', name);
    mkdirSync(cwd, { recursive: true });
    const command = lineFor(cwd);
    expect(command).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    const done = evaluate(command, shell);
    expect(done).toEqual({ cwd: expect.any(String), args: ['-r', nativeId], others: [] });
    expect(realpathSync(done.cwd ?? '')).toBe(cwd);
  });

  test.each(present)('any directory name in %s', (shell) => {
    const unit = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        '$',
        '(',
        ')',
        '`',
        '\\',
        '\n',
        ';',
        '&',
        '|',
        ' ',
        '%',
        '!',
        '*',
        '-',
        '0',
        '7',
        '\x1b',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((each) => each.isWellFormed()),
    );
    const anyName = fc
      .array(unit, { minLength: 1, maxLength: 12 })
      .map((units) => units.join('').replaceAll('/', '').replaceAll('\0', ''))
      .filter((name) => name !== '' && name !== '.' && name !== '..');
    fc.assert(
      fc.property(anyName, (name) => {
        const cwd = join(dir, 'any', name);
        mkdirSync(cwd, { recursive: true });
        const done = evaluate(lineFor(cwd), shell);
        expect(done.args).toEqual(['-r', nativeId]);
        expect(realpathSync(done.cwd ?? '')).toBe(cwd);
        expect(done.others).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test('reads as a person would write it', () => {
    expect(quoteForShell('/home/u/shop')).toBe(`'/home/u/shop'`);
    expect(quoteForShell("it's")).toBe(`'it'\\''s'`);
  });

  test('claude is not started if the directory is missing', () => {
    expect(() => evaluate(lineFor(join(dir, 'nowhere')))).toThrow();
  });
});

test.each(['$(touch pwned)', '; touch pwned', "a'b", 'two words', '`touch pwned`', '*'])(
  'the id %s is one argument',
  (id) => {
    mkdirSync(join(dir, 'ids'), { recursive: true });
    const done = evaluate(lineFor(join(dir, 'ids'), quoteForShell(id)));
    expect(done).toEqual({ cwd: join(dir, 'ids'), args: ['-r', id], others: [] });
  },
);
