// A native module that cannot be loaded: which command helps, by how recall was installed and what is missing.

import { describe, expect, test } from 'vitest';
import { toNativeError } from '../../../src/store/open/store-error.ts';

const nodeVersion = '20.20.2';
const isThere = (path: string) => path.endsWith('/node_modules/better-sqlite3');

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

describe('installed and not usable: the command that builds it', () => {
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
    [notLoaded(`/src/recall/${native}: file too short`), "npm rebuild better-sqlite3 --prefix '/src/recall'"],
    [
      notFound('/src/dist/my recall/dist/recall.cjs'),
      "npm rebuild better-sqlite3 --prefix '/src/dist/my recall'",
    ],
    [notFound("/it's/dist/recall.cjs"), "npm rebuild better-sqlite3 --prefix '/it'\\''s'"],
    [
      notFound('/home/u/app/node_modules/recall-sessions/dist/recall.cjs'),
      "npm rebuild better-sqlite3 --prefix '/home/u/app'",
    ],
    [
      notFound('/home/u/pnpm/.pnpm/recall-sessions@1/node_modules/recall-sessions/dist/recall.cjs'),
      'install recall again and let better-sqlite3 run its install script',
    ],
    [notLoaded('no path at all'), 'npm rebuild -g better-sqlite3'],
  ])('%s', (error, hint) => {
    expect(toNativeError(error, { nodeVersion, isThere })).toMatchObject({
      message: 'better-sqlite3 is not built for this Node (20.20.2)',
      code: 'no-sqlite',
      hint: `use Node 22.16 or newer, or ${hint}`,
      exitCode: 2,
    });
  });
});

describe('not installed, as npm leaves it when the build of an optional dependency fails: the command that shows why', () => {
  test.each([
    [
      '/usr/local/lib/node_modules/recall-sessions/dist/recall.cjs',
      'npm install -g recall-sessions --foreground-scripts',
    ],
    ['/src/recall/dist/recall.cjs', "npm install --foreground-scripts --prefix '/src/recall'"],
  ])('%s', (place, command) => {
    expect(toNativeError(notFound(place), { nodeVersion, isThere: () => false })).toMatchObject({
      message: 'better-sqlite3 is not installed, and this Node (20.20.2) has no SQLite of its own',
      code: 'no-sqlite',
      hint: `use Node 22.16 or newer, or see why npm left it out: ${command}`,
    });
  });
});

test('a checkout in which it was not built is recognised too', () => {
  const error = new Error('Could not locate the bindings file. Tried:\n → build/better_sqlite3.node');
  expect(toNativeError(error, { nodeVersion, isThere })).toMatchObject({ code: 'no-sqlite' });
});

test('another module that is missing, and what SQLite says, are other errors', () => {
  const missing = Object.assign(new Error("Cannot find module './chunk.cjs'"), { code: 'MODULE_NOT_FOUND' });
  const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
  for (const error of [missing, busy]) expect(toNativeError(error, { nodeVersion, isThere })).toBeNull();
});
