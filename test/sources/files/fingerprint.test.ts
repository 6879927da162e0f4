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

/** Always the same bytes, of which none is more likely than another. */
function makeBytes(seed: number, length: number): Buffer {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

/** As the first version computed them, in WebAssembly: the nth is that of `makeBytes(n + 1, length)`. */
const recorded: readonly (readonly [length: number, fingerprint: string])[] = [
  [0, '42339ed7e05e08ec'],
  [1, '80c28a7b9bface30'],
  [2, 'b43811606a5020f6'],
  [3, '64dbe693ef17e56d'],
  [4, '98eabeb80149b6b6'],
  [5, 'a356a4f6cd0e4bdc'],
  [6, '8fe47965424721ac'],
  [7, 'a41d3e28254a0f27'],
  [8, '1f7b9b22a41297fb'],
  [9, 'd1e5ef5efea6b8ac'],
  [10, 'c8058bc63281b9cf'],
  [11, '20a0ee7cf6c59f93'],
  [12, 'b58d820e31266d08'],
  [13, '240cb9d229fa77b2'],
  [14, 'd870d34311b8e068'],
  [15, '7e5f09a7b4629aa1'],
  [16, '6295334bb800a875'],
  [17, 'f7f10b98b98c2e89'],
  [18, '85a6aa45487f6d5e'],
  [19, 'af185d227c4b8606'],
  [20, 'e5aa4b85b6fb3485'],
  [21, '71c2c5a9fdd32502'],
  [22, 'e06bd6bdef57dcf4'],
  [23, '37742105f94d59e5'],
  [24, '5c914b8394bd0558'],
  [31, '2cb7734fc424120c'],
  [32, '0068af74634680fe'],
  [33, '55f4cc2ec9b56b1f'],
  [63, '70c1cab8046c21c8'],
  [64, 'c30e8edfdc1ccc2b'],
  [65, '542a52dcebaa2032'],
  [100, 'd797f261b3c8b9bf'],
  [255, 'e27b52521251ee10'],
  [256, 'a5bdfc42c00d1d48'],
  [257, 'ad18e6cd45ee63f8'],
  [511, '442da36aa396eb08'],
  [512, 'e86feb8164438e4a'],
  [1000, 'e802e4af0d9d6491'],
  [4095, '872029c4c56280f5'],
  [4096, '22b77fd81826da3e'],
  [4097, '44f7e370f5188f38'],
  [5000, '8652619eced3eea7'],
  [8191, '92a1146c761f357d'],
  [8192, '347ec48d974de300'],
  [16384, '9c1cd7bbd1370b71'],
  [20000, '39a0a8cfff6e3dc5'],
  [32760, 'cc7825441f4997df'],
  [32767, '0e698fd9066149ca'],
  [32768, '572d144efc394707'],
  [32769, '1bb5709502c43733'],
  [32776, '28c3da7dffed2801'],
  [36863, '1505296bc62dc9b8'],
  [36864, '3c26029c0f0bda92'],
  [40000, 'b156f763807db2c3'],
  [65536, 'ecb9064935ea643f'],
  [100000, '8bf8ffc6fd3b0902'],
  [131072, '1ba8bf2cf01e81d9'],
  [250001, '37cbf4ff317ab992'],
  [1048576, '1d2a750371e13725'],
  [3000001, 'f2cca41e55553ce3'],
];

test('is the number that indexes and archives hold', () => {
  const found = recorded.map(([length], i) => {
    writeFileSync(path, makeBytes(i + 1, length));
    return [length, fingerprintOf(length)];
  });
  expect(found).toEqual(recorded);
});

test.each([
  ['zeros', Buffer.alloc(100), 100, '18bb655c81d0b5e8'],
  ['ones', Buffer.alloc(40_000, 0xff), 40_000, 'af037b8da5abd6be'],
  ['a file cut short', Buffer.alloc(10, 'x'), 5000, 'a39210210289571e'],
  ['a line', Buffer.from('{"type":"user"}\n'), 16, '0daf98fb0180a052'],
])('is the number that indexes and archives hold, of %s', (_, bytes, length, fingerprint) => {
  writeFileSync(path, bytes);
  expect(fingerprintOf(length)).toBe(fingerprint);
});
