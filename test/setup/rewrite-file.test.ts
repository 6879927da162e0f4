// Replacing a file: completely or not at all, with its permissions, through links, and without losing what another program
// wrote in the meantime.

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readText, rewriteFile } from '../../src/setup/rewrite-file.ts';
import { TempHome } from '../support/home.ts';

let home: TempHome;
let path: string;
beforeEach(() => {
  home = new TempHome();
  path = join(home.claudeDir, 'settings.json');
});
afterEach(() => home.remove());

const append = (text: string | null) => `${text ?? ''}!`;
const modeOf = (file: string) => statSync(file).mode & 0o7777;

test('keeps the permissions and leaves no other file behind', () => {
  writeFileSync(path, 'old');
  for (const mode of [0o600, 0o644, 0o664, 0o640]) {
    chmodSync(path, mode);
    rewriteFile(path, () => 'new');
    expect({ mode: modeOf(path), text: readFileSync(path, 'utf8') }).toEqual({ mode, text: 'new' });
  }
  expect(readdirSync(home.claudeDir)).toEqual(['settings.json']);
});

test('a new file is readable by its owner only', () => {
  expect(readText(path)).toBeNull();
  rewriteFile(path, append);
  expect({ mode: modeOf(path), text: readText(path) }).toEqual({ mode: 0o600, text: '!' });
});

test('writes through a link, even to a file that does not exist yet', () => {
  const dotfiles = join(home.path, 'dotfiles');
  mkdirSync(dotfiles);
  const target = join(dotfiles, 'claude.json');
  symlinkSync('../dotfiles/claude.json', path);
  for (const expected of ['!', '!!']) {
    rewriteFile(path, append);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(expected);
  }
  expect(readdirSync(dotfiles)).toEqual(['claude.json']);
});

test('what another wrote between reading and writing is kept', () => {
  writeFileSync(path, 'a');
  let calls = 0;
  rewriteFile(path, (text) => {
    if (++calls === 1) writeFileSync(path, 'ab');
    return append(text);
  });
  expect({ calls, text: readText(path) }).toEqual({ calls: 2, text: 'ab!' });
});

test('gives up on a file that keeps changing, and does not touch it', () => {
  let text = '';
  expect(() =>
    rewriteFile(path, () => {
      text += 'x';
      writeFileSync(path, text);
      return 'ours';
    }),
  ).toThrow('keeps changing');
  expect(readText(path)).toBe(text);
  expect(readdirSync(home.claudeDir)).toEqual(['settings.json']);
});

test('an edit that fails changes nothing', () => {
  writeFileSync(path, 'old');
  const before = statSync(path);
  expect(() =>
    rewriteFile(path, () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(statSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
});

test('a file that is not text, or not a file, is reported', () => {
  writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => readText(path)).toThrow(`${path} cannot be read: it is not UTF-8`);
  expect(() => readText(home.claudeDir)).toThrow(`${home.claudeDir} cannot be read: `);
  expect(() => rewriteFile(join(home.path, 'none', 'x.json'), append)).toThrow(
    'cannot be written: no such file',
  );
});
