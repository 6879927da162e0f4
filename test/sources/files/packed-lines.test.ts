// What compressed transcripts hold comes back as it was, and damage is noticed.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeZstd, readFirstPackedLine } from '../../../src/sources/files/zstd.ts';
import { TempHome } from '../../support/home.ts';

const hasProgram = spawnSync('zstd', ['--version']).status === 0;
const home = new TempHome();
const path = join(home.path, 'rollout.jsonl.zst');
const lines = Array.from({ length: 3000 }, (_, n) =>
  Buffer.from(`{"n":${n},"text":"${'größer '.repeat(n % 90)}"}`),
);

beforeAll(() => {
  pack(Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from('\n')]))), path);
});
afterAll(() => home.remove());

function pack(bytes: Buffer, to: string): void {
  const done = spawnSync('zstd', ['-qc'], { input: bytes, maxBuffer: 2 ** 30 });
  if (hasProgram) writeFileSync(to, done.stdout);
}

test.runIf(hasProgram)('all of it comes back, however it is divided', () => {
  const bytes = readFileSync(path);
  const half = Math.floor(bytes.length / 2);
  const unpacked = Buffer.concat([...decodeZstd([bytes.subarray(0, half), bytes.subarray(half)], true)]);
  expect(unpacked.equals(Buffer.concat(lines.map((line) => Buffer.concat([line, Buffer.from('\n')]))))).toBe(
    true,
  );
  expect(() => [...decodeZstd([bytes.subarray(0, 40), Buffer.alloc(400, 7)], true)]).toThrow();
});

test.runIf(hasProgram)('the first line is read without the rest', () => {
  const bytes = readFileSync(path);
  expect(readFirstPackedLine([bytes.subarray(0, bytes.length / 2)])?.toString()).toBe(lines[0]?.toString());
  expect(readFirstPackedLine([Buffer.from('no zstd')])).toBeNull();
});
