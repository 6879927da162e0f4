// Names in the archive are its catalogue: they must give back what they were made from, and stay inside it.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ArchiveRoot,
  type CopyPlace,
  decodeName,
  eachCopy,
  encodeName,
  formatPrunedName,
  formatSegmentName,
  isPlainName,
  Listings,
  parseCopyName,
  readArchiveRoots,
  TranscriptCopies,
  toArchiveRoot,
  toPlace,
} from '../../src/archive/layout.ts';
import type { AgentName } from '../../src/records.ts';

describe('names', () => {
  test('any name can be turned back, and fits any file system', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400, size: 'max' }), (name) => {
        const parts = encodeName(name);
        expect(decodeName(parts)).toBe(name.toWellFormed());
        for (const part of parts) {
          expect(part).toMatch(/^[\w@+%-][\w.@+%-]*$/);
          expect(part.length).toBeLessThanOrEqual(150);
          expect(part.endsWith('.')).toBe(false);
        }
      }),
    );
  });

  test('a segment is read back from its name, whatever the file is called', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'a.jsonl',
          'a.jsonl.1.000000000000-000000000005.0123456789abcdef.0123456789abcdef.br',
          '-x',
        ),
        fc.nat(),
        fc.integer({ min: 1, max: 2 ** 44 }),
        fc.nat({ max: 12 }),
        (stem, from, length, redactionVersion) => {
          const facts = { version: 2, from, to: from + length, redactionVersion };
          const sums = { checksum: '00ff00ff00ff00ff', fingerprint: 'aa00aa00aa00aa00' };
          const name = formatSegmentName(stem, { ...facts, ...sums });
          expect(parseCopyName(name)).toEqual({
            stem,
            prunedBytes: null,
            segment: { name, ...facts, ...sums },
          });
        },
      ),
    );
    for (const other of [
      'a.jsonl',
      '.new-12',
      'a.1.000000000005-000000000005.0123456789abcdef.0123456789abcdef.br',
      'a.0.000000000000-000000000005.0123456789abcdef.0123456789abcdef.br',
      'a.1.000000000000-000000000005.0123456789abcdef.0123456789abcdef.br.bak',
      'a.120.pruned.bak',
    ])
      expect(parseCopyName(other)).toBe(null);
  });

  test('so is how large a file was when its copy was pruned', () => {
    expect(parseCopyName(formatPrunedName('a.jsonl', 1200))).toEqual({
      stem: 'a.jsonl',
      segment: null,
      prunedBytes: 1200,
    });
  });

  test.each(['a b', 'ä', '%zz', '%2', 'a%', 'x%2e', '%', ''])('%j is not a name of the archive', (name) => {
    expect(decodeName([name])).toBe(null);
  });

  test('a hostile name stays inside the archive, and none from it leads out', () => {
    const root = toArchiveRoot('/archive', '../..', 'claude', '/home/maya/.claude');
    expect(root.folder).toBe('/archive/%2E.+.%2E/claude@+home+maya+.claude');
    const { folder, stem } = toPlace(root, 'projects/../..\\x/..');
    expect(`${folder}/${stem}`).toBe(`${root.folder}/projects/%2E%2E/%2E.%5Cx/%2E%2E`);
    expect(['..', '.', '', 'a/b', 'a\\b', 'a\0'].some(isPlainName)).toBe(false);
    expect(isPlainName('..a')).toBe(true);
  });
});

describe('copies', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recall-layout-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const root = (machine = 'm', path = '/home/maya/.claude', agent: AgentName = 'claude') =>
    toArchiveRoot(folder, machine, agent, path);

  function write(
    { folder, stem }: CopyPlace,
    { version = 1, from = 0, to = 5, redactionVersion = 0 } = {},
  ): void {
    mkdirSync(folder, { recursive: true });
    const sums = { checksum: '00ff00ff00ff00ff', fingerprint: 'aa00aa00aa00aa00' };
    const name = formatSegmentName(stem, { version, from, to, redactionVersion, ...sums });
    writeFileSync(`${folder}/${name}`, '');
  }

  /** The copy with these segments, each a version and the bytes that it holds. */
  function findCopy(segments: readonly (readonly [version: number, from: number, to: number])[]) {
    const place = toPlace(root(), 'a.jsonl');
    for (const [version, from, to] of segments) write(place, { version, from, to });
    const { versions, leftovers } = new Listings().find(place);
    const bytes = (all: typeof leftovers) => all.map((each) => [each.version, each.from, each.to]);
    return { versions: versions.map((each) => bytes(each.segments)), leftovers: bytes(leftovers) };
  }

  test('the tenth is newer than the second', () => {
    const { versions } = findCopy([1, 2, 9, 10, 11, 100].map((version) => [version, 0, 5] as const));
    expect(versions.map(([segment]) => segment?.[0])).toEqual([100, 11, 10, 9, 2, 1]);
  });

  test('one without its start does not count before one that has it', () => {
    const found = findCopy([
      [9, 0, 5],
      [9, 5, 8],
      [10, 5, 12],
    ]);
    expect(found).toEqual({
      versions: [
        [
          [9, 0, 5],
          [9, 5, 8],
        ],
      ],
      leftovers: [[10, 5, 12]],
    });
  });

  test('where none has its start, the oldest counts, since the newer were never finished', () => {
    const found = findCopy([
      [2, 5, 8],
      [10, 5, 12],
    ]);
    expect(found).toEqual({ versions: [[[2, 5, 8]]], leftovers: [[10, 5, 12]] });
  });

  test('a segment that reaches further counts before those that it replaces', () => {
    const found = findCopy([
      [1, 0, 4],
      [1, 0, 10],
      [1, 4, 10],
      [1, 8, 12],
    ]);
    expect(found.versions).toEqual([
      [
        [1, 0, 10],
        [1, 8, 12],
      ],
    ]);
    expect(found.leftovers.toSorted()).toEqual([
      [1, 0, 4],
      [1, 4, 10],
    ]);
  });

  // A run may be killed between writing the one and deleting the other.
  test('of two with the same bytes the one that was cleaned by the newest rules counts', () => {
    const place = toPlace(root(), 'a.jsonl');
    for (const redactionVersion of [1, 0, 2]) write(place, { redactionVersion });
    const { versions, leftovers } = new Listings().find(place);
    expect(versions[0]?.segments.map((each) => each.redactionVersion)).toEqual([2]);
    expect(leftovers.map((each) => each.redactionVersion).toSorted()).toEqual([0, 1]);
  });

  test('what a killed run left is deleted by the one that writes, and nothing else', () => {
    const place = toPlace(root(), 'a.jsonl');
    write(place);
    for (const name of ['.new-0123', '.other', 'notes.txt']) writeFileSync(`${place.folder}/${name}`, '');
    const before = readdirSync(place.folder).sort();
    expect(new Listings().find(place).segments).toHaveLength(1);
    expect(readdirSync(place.folder).sort()).toEqual(before);
    expect(new Listings({ isCleaning: true }).find(place).segments).toHaveLength(1);
    expect(readdirSync(place.folder).sort()).toEqual(before.filter((name) => name !== '.new-0123'));
  });

  // The rest of a divided name used to be able to start with a dot, as only the archive's own files do: the copy was never found.
  test('a long name that is divided before a dot is found', () => {
    const path = `${'a'.repeat(149)}.jsonl`;
    write(toPlace(root(), path));
    expect(new Listings().find(toPlace(root(), path)).versions).toHaveLength(1);
    expect([...eachCopy(root())].map((copy) => copy.path)).toEqual([path]);
  });

  test('all are listed by the paths of their files, however they are named', () => {
    const paths = [
      'a.jsonl',
      'projects/-home-maya/b c.jsonl',
      `projects/${'ä'.repeat(100)}/${'x'.repeat(250)}`,
    ];
    for (const path of paths) write(toPlace(root(), path));
    // Not the archive's: names that it never gives, and one that would lead out of the folder.
    write({ ...toPlace(root(), 'x'), stem: 'not encoded' });
    write({ ...toPlace(root(), 'x'), stem: '._a.jsonl' });
    write({ ...toPlace(root(), 'x'), stem: '%2E%2E' });
    mkdirSync(`${root().folder}/%2E%2E`, { recursive: true });
    write({ ...toPlace(root(), 'x'), folder: `${root().folder}/%2E%2E` });
    expect([...eachCopy(root())].map((copy) => copy.path).sort()).toEqual(paths.toSorted());
    expect([...eachCopy(root(), 'projects/-home-maya')].map((copy) => copy.path)).toEqual([paths[1]]);
    expect(readArchiveRoots(folder)).toEqual([root()]);
  });

  test('a transcript is found where it was first, then on other machines', () => {
    const places = [root('laptop', '/Users/maya/.claude'), root('laptop'), root('m', '/old/.claude'), root()];
    write(toPlace(root('m', '/home/maya/.claude', 'codex'), 'a.jsonl'));
    const find = (paths: readonly string[]) =>
      new TranscriptCopies(folder, 'm').find('claude', '/home/maya/.claude', paths)?.folder ?? null;
    expect(find(['a.jsonl'])).toBe(null);
    write(toPlace(places[0] as ArchiveRoot, 'a.jsonl'));
    expect(find(['gone.jsonl', 'a.jsonl'])).toBe(places[0]?.folder);
    const copies = new TranscriptCopies(folder, 'm');
    expect(copies.find('claude', '/home/maya/.claude', ['gone.jsonl', 'a.jsonl'])?.path).toBe('a.jsonl');
    write(toPlace(places[2] as ArchiveRoot, 'a.jsonl'));
    expect(find(['a.jsonl'])).toBe(places[2]?.folder);
    write(toPlace(places[1] as ArchiveRoot, 'a.jsonl'));
    expect(find(['a.jsonl'])).toBe(places[1]?.folder);
    write(toPlace(places[3] as ArchiveRoot, 'a.jsonl'));
    expect(find(['a.jsonl'])).toBe(places[3]?.folder);
  });

  test('a folder that cannot be listed is an error, not an empty one', () => {
    const place = toPlace(root(), 'circular/a.jsonl');
    mkdirSync(root().folder, { recursive: true });
    symlinkSync('circular', place.folder);
    expect(() => new Listings().find(place)).toThrow('too many symbolic links');
  });
});
