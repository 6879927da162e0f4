// What comes out of a compressed file is what went in.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readZstd } from '../../../src/sources/files/zstd.ts';
import { makeBomb } from '../../support/bombs.ts';
import { TempHome } from '../../support/home.ts';

const home = new TempHome();
const hasProgram = spawnSync('zstd', ['--version']).status === 0;

afterAll(() => home.remove());

const read = (path: string) => Buffer.concat([...readZstd(path)]);

test.runIf(hasProgram)('in pieces', () => {
  const plain = join(home.path, 'lines');
  const lines = Array.from({ length: 200_000 }, (_, n) => `{"line":${n},"text":"größer ${n % 97}"}\n`);
  writeFileSync(plain, lines.join(''));
  spawnSync('zstd', ['-q', plain]);
  expect(read(`${plain}.zst`).equals(readFileSync(plain))).toBe(true);
  expect([...readZstd(`${plain}.zst`)].length).toBeGreaterThan(10);
});

test('a small file that holds very much is neither held at once nor read to its end', () => {
  const path = join(home.path, 'zeros.zst');
  writeFileSync(path, makeBomb(4e9));
  const before = process.memoryUsage().arrayBuffers;
  let [bytes, most] = [0, 0];
  const readAll = () => {
    for (const piece of readZstd(path)) {
      bytes += piece.length;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
  };
  expect(readAll).toThrowError(expect.objectContaining({ code: 'EZSTD' }));
  expect(bytes).toBeLessThan(100_000_000);
  expect(most).toBeLessThan(200_000_000);
});

test('a file that is packed tightly, but not that tightly, is read', () => {
  const path = join(home.path, 'tight.zst');
  writeFileSync(path, makeBomb(40e6));
  expect(read(path).length).toBeGreaterThanOrEqual(40e6);
});

test('what is not compressed, or torn, is an error of that file', () => {
  const path = join(home.path, 'broken.zst');
  for (const bytes of ['no zstd at all', Buffer.from('28b52ffd24', 'hex')]) {
    writeFileSync(path, bytes);
    expect(() => read(path)).toThrowError(expect.objectContaining({ code: 'EZSTD' }));
  }
});
