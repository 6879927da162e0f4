// Compiled code is kept for the next start, and whatever is wrong with it costs nothing but time.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TempHome, userLine } from '../support/home.ts';
import { programPath, type RunOptions, runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const folder = () => join(home.path, '.cache', 'recall');
const files = () => readdirSync(folder()).map((name) => join(folder(), name));
const commands = () =>
  files()
    .map((file) => basename(file).split('.')[0])
    .sort();
/** Without the folder that other tests share. */
const runHere = (args: readonly string[], { env }: RunOptions = {}) =>
  runRecall(home, args, { env: { XDG_CACHE_HOME: '', ...env } });
const run = () => runHere(['--version']);
const expected = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };

describe('compiled code', () => {
  test('is kept where only its owner can read it, with what each command loaded', () => {
    expect(run()).toEqual(expected);
    runHere(['doctor']);
    expect(commands()).toEqual(['doctor', 'doctor', 'other']);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is one file for each of the most frequent commands', () => {
    home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
    runHere(['index']);
    for (const args of [['search', 'okapi'], ['list'], ['open', '1']]) expect(runHere(args).code).toBe(0);
    expect(commands().filter((command) => command !== 'index')).toEqual(['list', 'open', 'search']);
  });

  test('belongs to one script, by its whole content', () => {
    run();
    runHere(['doctor']);
    const idOf = (script: string) =>
      createHash('sha256')
        .update(readFileSync(join(dirname(programPath), script)))
        .digest('hex')
        .slice(0, 16);
    const ids = ['program.cjs', 'kysely.cjs'].map(idOf);
    expect(new Set(files().map((file) => basename(file).split('.')[1]))).toEqual(new Set(ids));
  });

  test('of an older script is removed when that of a newer one is written', () => {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const older = ['other.0123456789abcdef.code', 'search.0123456789abcdef.code.4711'];
    const others = ['other.txt', 'other.code'];
    for (const name of [...older, ...others]) writeFileSync(join(folder(), name), 'old', { mode: 0o600 });
    run();
    expect(readdirSync(folder())).toEqual(expect.arrayContaining(others));
    for (const name of older) expect(readdirSync(folder())).not.toContain(name);
  });

  test('is named after commands only: what is searched for does not become a file name', () => {
    home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
    runHere(['index']);
    for (const args of [
      ['okapi', 'incident'],
      ['screen'],
      ['--limit', '3', 'okapi'],
      ['ls'],
      ['__complete', 'sh'],
    ])
      runHere(args);
    expect(new Set(commands())).toEqual(new Set(['__complete', 'index', 'ls', 'other', 'search']));
  });

  test('learns from the first runs, and is then only used', () => {
    const written = new Set<number>();
    for (let i = 0; i < 3; i++) {
      run();
      written.add(statSync(files()[0] ?? '').mtimeMs);
    }
    expect(written.size).toBe(3);
    const [file = ''] = files();
    const { ino, mtimeMs } = statSync(file);
    expect(run()).toEqual(expected);
    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
  });

  test.each([
    ['empty', () => Buffer.alloc(0)],
    ['garbage', () => Buffer.from('garbage '.repeat(5000))],
    ['cut off', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
    ['of another version', (whole: Buffer) => Buffer.concat([Buffer.from('older'), whole.subarray(5)])],
  ])('that is %s is recreated', (_, spoil) => {
    run();
    const [file = ''] = files();
    const whole = readFileSync(file);
    writeFileSync(file, spoil(whole));
    expect(run()).toEqual(expected);
    expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2);
    expect(run()).toEqual(expected);
  });

  test.skipIf(process.platform === 'win32')('that others could have written is recreated', () => {
    run();
    const [file = ''] = files();
    for (const [path, mode] of [
      [file, 0o666],
      [folder(), 0o777],
    ] as const) {
      // By its time, since a new file may get the inode number of the old one.
      utimesSync(file, 1, 1);
      chmodSync(path, mode);
      expect(run()).toEqual(expected);
      expect(statSync(file).mtimeMs).toBeGreaterThan(1000);
      expect([statSync(folder()).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    }
  });

  test('is optional: recall works if it cannot be written', () => {
    mkdirSync(join(home.path, '.cache'), { recursive: true });
    writeFileSync(folder(), 'a file where a folder should be');
    expect(run()).toEqual(expected);
    expect(runHere(['--version'], { env: { HOME: '' } })).toEqual(expected);
  });
});

test('parts of node that take long to load wait until they are used', () => {
  home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
  const hook = join(home.path, 'loaded.cjs');
  const report = join(home.path, 'loaded.txt');
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, process.moduleLoadList.join('\\n')));`,
  );
  expect(runHere(['index']).code).toBe(0);
  expect(runHere(['search', 'okapi'], { env: { NODE_OPTIONS: `--require ${hook}` } }).code).toBe(0);
  const loaded = readFileSync(report, 'utf8').split('\n');
  expect(loaded).toContain('NativeModule fs');
  expect(loaded).not.toContain('NativeModule crypto');
  expect(loaded).not.toContain('NativeModule zlib');
});
