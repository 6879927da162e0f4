// Compiled code is kept for the next start, and whatever is wrong with it costs nothing but time.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TempHome } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const folder = () => join(home.path, '.cache', 'recall');
const files = () => readdirSync(folder()).map((name) => join(folder(), name));
const run = () => runRecall(home, ['--version']);
const expected = { code: 0, stdout: `${packageJson.version}\n`, stderr: '' };

describe('compiled code', () => {
  test('is kept where only its owner can read it, for each command what it has loaded', () => {
    expect(run()).toEqual(expected);
    runRecall(home, ['doctor']);
    expect(
      files()
        .map((file) => basename(file).split('.')[0])
        .sort(),
    ).toEqual(['doctor', 'doctor', 'other']);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is written once and then used', () => {
    run();
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
  ])('that is %s is made again', (_, spoil) => {
    run();
    const [file = ''] = files();
    const whole = readFileSync(file);
    writeFileSync(file, spoil(whole));
    expect(run()).toEqual(expected);
    expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2);
    expect(run()).toEqual(expected);
  });

  test.skipIf(process.platform === 'win32')('that others could have written is made again', () => {
    run();
    const [file = ''] = files();
    for (const [path, mode] of [
      [file, 0o666],
      [folder(), 0o777],
    ] as const) {
      const { ino } = statSync(file);
      chmodSync(path, mode);
      expect(run()).toEqual(expected);
      expect(statSync(file).ino).not.toBe(ino);
      expect([statSync(folder()).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    }
  });

  test('that cannot be kept is done without', () => {
    mkdirSync(join(home.path, '.cache'), { recursive: true });
    writeFileSync(folder(), 'a file where a folder should be');
    expect(run()).toEqual(expected);
    expect(runRecall(home, ['--version'], { env: { HOME: '' } })).toEqual(expected);
  });
});
