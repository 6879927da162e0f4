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

// A window of 128 MB was moved for each block: an index took 13 s and 264 MB for 122 kB. A single segment's was all of it.
test.each([
  ['a window', [0x00, 0x88]],
  ['a single segment', [0xa0, 0, 0, 0, 0x70]],
])(
  'a frame that needs very much at a time, by %s, is refused before that, also after another',
  (_, header) => {
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header, ...Array.from({ length: 20 }, () => 0)]);
    const path = join(home.path, 'wide.zst');
    const whole = makeBomb(1e6);
    // Also where the header is on both sides of a boundary between pieces.
    const skipped = Buffer.alloc(128 * 1024 - 3 - whole.length);
    skipped.write('502a4d18', 'hex');
    skipped.writeUInt32LE(skipped.length - 8, 4);
    for (const bytes of [wide, Buffer.concat([whole, wide]), Buffer.concat([whole, skipped, wide])]) {
      writeFileSync(path, bytes);
      const before = process.memoryUsage().arrayBuffers;
      expect(() => read(path)).toThrowError('it needs more than 32 MB at a time');
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
    }
  },
);

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
