// The build where npm has left better-sqlite3 out, as it does without a word when it cannot be built.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadNodeSqlite } from '../../src/store/open/node-sqlite.ts';
import { TempHome, userLine } from '../support/home.ts';
import { toEnv } from '../support/program.ts';

const home = new TempHome();
const checkout = mkdtempSync(join(tmpdir(), 'recall-build-'));
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: checkout, env: toEnv(home), encoding: 'utf8' });

beforeAll(() => {
  for (const name of ['src', 'migrations', 'scripts', 'package.json', 'tsconfig.json'])
    cpSync(name, join(checkout, name), { recursive: true });
  mkdirSync(join(checkout, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    if (name !== 'better-sqlite3')
      symlinkSync(realpathSync(join('node_modules', name)), join(checkout, 'node_modules', name));
});
afterAll(() => {
  home.remove();
  rmSync(checkout, { recursive: true, force: true });
});

test('without better-sqlite3 it still builds, and the program reports what is missing or does without', () => {
  const built = run('scripts/build.mjs');
  expect([built.status, built.stderr]).toEqual([
    0,
    'better-sqlite3 is not installed: the program looks for it when it runs, and starts more slowly\n',
  ]);
  home.writeSession('aaaaaaaa', [userLine('why does the okapi fail', { cwd: home.path })]);
  const { status, stderr, stdout } = run('dist/recall.cjs', 'search', 'okapi');
  if (loadNodeSqlite() !== null) expect([status, stdout]).toEqual([0, expect.stringContaining('okapi')]);
  else expect([status, stderr]).toEqual([2, expect.stringContaining('better-sqlite3 is not installed')]);
  expect(run('--input-type=module', '--eval', "await import('./dist/library/index.mjs')")).toMatchObject({
    ...{ status: 0, stderr: '' },
  });
  // Installed after the build, it is used.
  symlinkSync(realpathSync('node_modules/better-sqlite3'), join(checkout, 'node_modules', 'better-sqlite3'));
  expect(run('dist/recall.cjs', 'search', 'okapi')).toMatchObject({ status: 0, stderr: '' });
});
