// A file that was written anew while it was read is distinguished from one that only grew.

import { appendFileSync, closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Witness } from '../../../src/sources/files/fingerprint.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
let path: string;
let fd: number;
beforeEach(() => {
  home = new TempHome();
  path = join(home.path, 'file');
  writeFileSync(path, 'first line\n'.repeat(500));
  fd = openSync(path, 'r');
});
afterEach(() => {
  closeSync(fd);
  home.remove();
});

/** A witness of the whole file, read in two chunks. */
function readAll(isKnown = () => true): Witness {
  const witness = new Witness(fd, isKnown);
  const bytes = readFileSync(path);
  witness.add(bytes.subarray(0, 3000), 0);
  witness.add(bytes.subarray(3000), 3000);
  return witness;
}

test('untouched', () => {
  // What an earlier run read is looked at again only when there is reason to.
  expect(readAll(() => false).isSame()).toBe(true);
});

test('appended to', () => {
  const witness = readAll();
  appendFileSync(path, 'more\n');
  expect(witness.isSame()).toBe(true);
});

test('appended to, but the part that was known before is another', () => {
  const witness = readAll(() => false);
  appendFileSync(path, 'more\n');
  expect(witness.isSame()).toBe(false);
});

test.each<[string, () => void]>([
  ['written anew', () => writeFileSync(path, 'another line\n'.repeat(900))],
  ['cut short', () => truncateSync(path, 100)],
  ['emptied', () => truncateSync(path, 0)],
  [
    'cut short and continued',
    () => {
      truncateSync(path, 3100);
      appendFileSync(path, 'x'.repeat(9000));
    },
  ],
])('%s', (_, change) => {
  const witness = readAll();
  change();
  expect(witness.isSame()).toBe(false);
});
