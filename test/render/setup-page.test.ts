// A change as a unified diff.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { chooseColors } from '../../src/render/colors.ts';
import { formatDiff } from '../../src/render/setup-page.ts';
import { TempHome } from '../support/home.ts';

const home = new TempHome();
afterAll(() => home.remove());
const diff = (before: string, after: string) =>
  formatDiff('x.json', before, after, chooseColors(false)).split('\n');

test('shows three lines around the change', () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const after = lines.toSpliced(4, 1, 'E', 'EE');
  expect(diff(`${lines.join('\n')}\n`, `${after.join('\n')}\n`)).toEqual([
    '--- x.json',
    '+++ x.json',
    '@@ -2,7 +2,8 @@',
    ...[' b', ' c', ' d', '-e', '+E', '+EE', ' f', ' g', ' h'],
  ]);
});

test('a new file', () => {
  expect(diff('', '{\n}\n').slice(2)).toEqual(['@@ -0,0 +1,2 @@', '+{', '+}']);
});

test('shows what surrounds the change in a file that is one long line', () => {
  const long = 'x'.repeat(5000);
  const [removed = '', added = ''] = diff(
    `{"${long}":1,"${long}":2}`,
    `{"${long}":1,"new":3,"${long}":2}`,
  ).slice(3);
  expect(removed).toMatch(/^-…x{50,}":1,"x+…$/);
  expect(added).toMatch(/^\+…x{50,}":1,"new":3,"x+…$/);
  expect(Math.max(removed.length, added.length)).toBeLessThan(200);
});

test('no character controls the terminal', () => {
  expect(diff('a\n', 'a\n\x1b[2J\u202e\rb\n').join('\n')).not.toMatch(/[\x1b\u202e\r]/);
});

const hasPatch = spawnSync('patch', ['--version']).status === 0;

test.skipIf(!hasPatch)('patch understands it', () => {
  const line = fc.constantFrom('a', 'b', 'c', '{', '}');
  const text = fc.array(line, { minLength: 1, maxLength: 12 }).map((lines) => `${lines.join('\n')}\n`);
  const file = join(home.path, 'x.json');
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      writeFileSync(file, before);
      const patch = `${formatDiff('x.json', before, after, chooseColors(false))}\n`;
      const { status, stdout } = spawnSync('patch', ['-s', file], { input: patch, encoding: 'utf8' });
      expect({ status, stdout, text: readFileSync(file, 'utf8') }).toEqual({
        status: 0,
        stdout: '',
        text: after,
      });
    }),
    { numRuns: 50 },
  );
});
