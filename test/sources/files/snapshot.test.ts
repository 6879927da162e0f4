// What is kept of a root, and whether anything in it changed.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeSnapshot,
  encodeSnapshot,
  type FolderSnapshot,
  toStamp,
  unknownStamp,
} from '../../../src/sources/files/snapshot.ts';

const name = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .map((text) => text.toWellFormed().replaceAll('\0', '').replaceAll('/', ''))
  .filter((text) => text !== '');
const stamp = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const folder = fc
  .record({
    path: fc.oneof(fc.constant(''), fc.constant('projects'), name),
    stamp,
    folders: fc.uniqueArray(name, { maxLength: 5 }),
    files: fc.uniqueArray(fc.tuple(name, stamp), { maxLength: 8, selector: ([each]) => each }),
  })
  .map(({ files, ...rest }): FolderSnapshot => {
    return { ...rest, files: files.map(([each]) => each), stamps: files.map(([, each]) => each) };
  });
const folders = fc.uniqueArray(folder, { maxLength: 8, selector: (each) => each.path });

describe('a snapshot', () => {
  test('is read as it was written, whatever the names', () => {
    fc.assert(
      fc.property(folders, (folders) => {
        const read = [...decodeSnapshot(encodeSnapshot(folders)).values()];
        expect(read.map((each) => ({ ...each, stamps: Array.from(each.stamps) }))).toEqual(folders);
      }),
    );
  });

  test('of a folder with very many files is written', () => {
    const files = Array.from({ length: 200_000 }, (_, i) => `${i}.jsonl`);
    const many = { path: 'projects/-a', stamp: 1, folders: [], files, stamps: files.map((_, i) => i + 1) };
    expect(decodeSnapshot(encodeSnapshot([many])).get('projects/-a')?.files.length).toBe(200_000);
  });

  test('that was damaged is none, or says something; it never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (names, stamps) => {
        decodeSnapshot({ names: Buffer.from(names), stamps: Buffer.from(stamps) });
      }),
    );
  });
});

describe('a stamp', () => {
  const file = { sizeBytes: 851, mtimeMs: 1_780_000_000_123.456, ctimeMs: 1_780_000_000_123.456, inode: 42 };

  test('is a number, and never the unknown one', () => {
    const number = fc.double({ noNaN: true, min: 0 });
    const any = fc.record({ sizeBytes: number, mtimeMs: number, ctimeMs: number, inode: number });
    fc.assert(
      fc.property(any, (file) => {
        expect(Number.isSafeInteger(toStamp(file))).toBe(true);
        expect(toStamp(file)).not.toBe(unknownStamp);
        expect(toStamp({ ...file })).toBe(toStamp(file));
      }),
    );
  });

  test('differs when any part does, however little', () => {
    const stamps = new Set<number>([toStamp(file)]);
    const keys = ['sizeBytes', 'mtimeMs', 'ctimeMs', 'inode'] as const;
    for (const key of keys) {
      for (let i = 1; i <= 20_000; i++) {
        stamps.add(toStamp({ ...file, [key]: file[key] + (key.endsWith('Ms') ? i / 1000 : i) }));
      }
    }
    expect(stamps.size).toBe(1 + 4 * 20_000);
  });
});
