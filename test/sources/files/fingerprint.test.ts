// A fingerprint knows the part of a file that was read before.

import { appendFileSync, closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFingerprint } from '../../../src/sources/files/fingerprint.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
let path: string;

beforeAll(() => {
  home = new TempHome();
  path = home.write('file', '');
});

afterAll(() => home.remove());

function fingerprintOf(lengthBytes: number): string {
  const fd = openSync(path, 'r');
  try {
    return readFingerprint(fd, lengthBytes);
  } finally {
    closeSync(fd);
  }
}

const content = fc.uint8Array({ maxLength: 3000, size: 'max' });

test('a file that only grew keeps the fingerprint of its beginning', () => {
  fc.assert(
    fc.property(content, content, (before, added) => {
      writeFileSync(path, before);
      const fingerprint = fingerprintOf(before.length);
      appendFileSync(path, added);
      expect(fingerprintOf(before.length)).toBe(fingerprint);
    }),
  );
});

const manyBytes = fc
  .tuple(content, fc.integer({ min: 1, max: 40 }))
  .map(([bytes, times]) => Buffer.concat(Array<Uint8Array>(times).fill(bytes)));

test('any other byte of a short file changes it, of a long one any near its ends', () => {
  fc.assert(
    fc.property(manyBytes, fc.nat(), fc.boolean(), (bytes, place, atEnd) => {
      const isShort = bytes.length <= 32_768;
      fc.pre(bytes.length > 0);
      const offset = place % (isShort ? bytes.length : 4096);
      const at = atEnd ? bytes.length - 1 - offset : offset;
      writeFileSync(path, bytes);
      const fingerprint = fingerprintOf(bytes.length);
      writeFileSync(path, bytes.with(at, ((bytes[at] ?? 0) + 1) % 256));
      expect(fingerprintOf(bytes.length)).not.toBe(fingerprint);
    }),
  );
});

test.each(['x', '\0'])('another length is another fingerprint, also of equal bytes: %j', (byte) => {
  writeFileSync(path, Buffer.alloc(5000, byte));
  const lengths = [0, 1, 8, 511, 512, 513, 514, 800, 1024, 2048, 4999, 5000];
  expect(new Set(lengths.map(fingerprintOf)).size).toBe(lengths.length);
});

test('several other bytes change it too', () => {
  const bytes = Buffer.alloc(40, 'A');
  const fingerprints = new Set<string>();
  // Every choice of words whose highest bits differ: a product alone would leave these where they are.
  for (let choice = 0; choice < 2 ** 10; choice++) {
    const flipped = Buffer.from(bytes);
    for (let word = 0; word < 10; word++) if (choice & (1 << word)) flipped[word * 4 + 3] = 0x41 ^ 0x80;
    writeFileSync(path, flipped);
    fingerprints.add(fingerprintOf(flipped.length));
  }
  expect(fingerprints.size).toBe(2 ** 10);
});

test('a file cut shorter than what was read has another', () => {
  writeFileSync(path, Buffer.alloc(5000, 'x'));
  const fingerprint = fingerprintOf(5000);
  truncateSync(path, 4000);
  expect(fingerprintOf(5000)).not.toBe(fingerprint);
});
