// The native half of better-sqlite3 is not there, or not for this Node: what to do about it depends on where recall stands.

import { describe, expect, test } from 'vitest';
import { toNativeError } from '../../../src/store/open/native-error.ts';
import { toStoreError } from '../../../src/store/open/store-error.ts';

const notFound = (place: string) =>
  Object.assign(new Error("Cannot find module 'better-sqlite3/build/Release/better_sqlite3.node'"), {
    code: 'MODULE_NOT_FOUND',
    requireStack: [place],
  });
const notLoaded = (message: string) => Object.assign(new Error(message), { code: 'ERR_DLOPEN_FAILED' });
const native = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node';
const otherVersion = (place: string) =>
  notLoaded(
    `The module '${place}'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 127.`,
  );

describe('told as something to do', () => {
  test.each([
    [
      notFound('/usr/local/lib/node_modules/recall-sessions/dist/recall.cjs'),
      'npm rebuild -g better-sqlite3',
    ],
    [otherVersion(`/usr/lib/node_modules/recall-sessions/${native}`), 'npm rebuild -g better-sqlite3'],
    [
      otherVersion(`C:\\Users\\a b\\AppData\\Roaming\\npm\\node_modules\\recall-sessions\\${native}`),
      'npm rebuild -g better-sqlite3',
    ],
    [notLoaded(`/src/recall/${native}: file too short`), "npm rebuild --prefix '/src/recall' better-sqlite3"],
    [
      notFound('/src/dist/my recall/dist/recall.cjs'),
      "npm rebuild --prefix '/src/dist/my recall' better-sqlite3",
    ],
    [notFound("/it's/dist/recall.cjs"), "npm rebuild --prefix '/it'\\''s' better-sqlite3"],
    [
      notFound('/home/u/app/node_modules/recall-sessions/dist/recall.cjs'),
      "npm rebuild --prefix '/home/u/app' better-sqlite3",
    ],
    [
      notFound('/home/u/pnpm/.pnpm/recall-sessions@1/node_modules/recall-sessions/dist/recall.cjs'),
      'install recall again and let better-sqlite3 run its install script',
    ],
    [notLoaded('no path at all'), 'npm rebuild -g better-sqlite3'],
  ])('%s', (error, hint) => {
    expect(toNativeError(error, '20.20.2')).toMatchObject({
      message: 'better-sqlite3 is not built for this Node (20.20.2)',
      code: 'no-sqlite',
      hint,
      exitCode: 2,
    });
  });

  test('also where the index is opened', () => {
    expect(toStoreError(notFound('/a/dist/recall.cjs'), '/i.db')).toMatchObject({ code: 'no-sqlite' });
  });
});

test('another module that is missing is our fault', () => {
  const error = Object.assign(new Error("Cannot find module './chunk.cjs'"), { code: 'MODULE_NOT_FOUND' });
  expect(toNativeError(error, '20.20.2')).toBeNull();
  expect(toStoreError(error, '/i.db')).toBe(error);
});
