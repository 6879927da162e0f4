// A version is read back as it was written, or the part that is not is reported; never a byte twice, and never another's.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Copy,
  type CopyPlace,
  formatSegmentName,
  Listings,
  toArchiveRoot,
  toPlace,
} from '../../src/archive/layout.ts';
import { pack, readRange, readStretches, toChecksum, toCopiedFile } from '../../src/archive/segments.ts';

let folder = '';
let place: CopyPlace;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recall-segments-'));
  place = toPlace(toArchiveRoot(folder, 'm', 'claude', '/home/maya/.claude'), 'a.jsonl');
  mkdirSync(place.folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `content`: what the file of the segment holds, where that is not what its name says. */
async function write(from: number, text: string, content: Buffer | null = null): Promise<void> {
  const bytes = Buffer.from(text);
  const sums = { checksum: toChecksum(bytes), fingerprint: '0'.repeat(16) };
  const segment = { version: 1, from, to: from + bytes.length, redactionVersion: 0, ...sums };
  writeFileSync(`${place.folder}/${formatSegmentName(place.stem, segment)}`, content ?? (await pack(bytes)));
}

const find = (): Copy => new Listings().find(place);

/** A stretch as its text, or as where it was and why it is left out. */
function read(): string[] {
  const copy = find();
  return copy.versions.flatMap((version) =>
    [...readStretches(copy, version)].map((stretch) =>
      'damage' in stretch
        ? `${stretch.from}-${stretch.to}: ${stretch.damage.reason}`
        : stretch.bytes.toString(),
    ),
  );
}

function range(from: number, to: number): string | null {
  const copy = find();
  const [version] = copy.versions;
  return version === undefined ? null : (readRange(copy, version, from, to)?.toString() ?? null);
}

const copied = () => Buffer.concat([...toCopiedFile(find()).chunks()]).toString();

test('bytes that two segments hold are read once', async () => {
  await write(0, '0123456789');
  await write(5, '56789abcde');
  expect(read()).toEqual(['0123456789', 'abcde']);
  expect(range(3, 12)).toBe('3456789ab');
  expect(copied()).toBe('0123456789abcde');
});

test('where the first of them is damaged, the second is read as a whole', async () => {
  await write(0, '0123456789', Buffer.from('not packed'));
  await write(5, '56789abcde');
  expect(read()).toEqual(['0-10: it cannot be unpacked', '56789abcde']);
  expect(range(3, 12)).toBe(null);
  expect(copied()).toBe('');
});

test.each([
  ['of another content', 'abcdefghij'],
  ['that is shorter', '01234'],
])('a segment %s than its name says is damaged', async (_, other) => {
  await write(0, 'start');
  await write(5, '0123456789', await pack(Buffer.from(other)));
  await write(15, 'end');
  expect(read()).toEqual(['start', '5-15: the content does not match its checksum', 'end']);
  expect(range(0, 5)).toBe('start');
  expect(range(15, 18)).toBe('end');
  for (const [from, to] of [
    [3, 7],
    [5, 15],
    [6, 8],
    [14, 16],
  ] as const)
    expect(range(from, to)).toBe(null);
  expect(copied()).toBe('start');
});

test('a segment that is lost leaves a hole with its bounds', async () => {
  await write(0, 'start');
  await write(15, 'end');
  expect(read()).toEqual(['start', '5-15: bytes 5 to 15 are missing', 'end']);
  expect(range(0, 18)).toBe(null);
  expect(range(10, 16)).toBe(null);
  expect(range(15, 18)).toBe('end');
  expect(copied()).toBe('start');
});

test('of a file without a copy nothing is read', () => {
  expect(copied()).toBe('');
});
