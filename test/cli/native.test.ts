// Installed without install scripts, or with a native module that this Node.js cannot load: one line and what
// to do.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TempHome, userLine } from '../support/home.ts';
import { toEnv } from '../support/program.ts';

const home = new TempHome();
/** Node.js looks for a module in all parent folders, so none of them may have it. */
const above = [tmpdir(), '/var/tmp', homedir()].find((folder) => existsSync(folder) && !hasSqlite(folder));
const prefix = mkdtempSync(join(above ?? tmpdir(), 'recall-test-'));
const installed = join(prefix, 'lib', 'node_modules', 'recall-sessions');
const sqlite = join(installed, 'node_modules', 'better-sqlite3');

beforeAll(() => {
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  mkdirSync(sqlite, { recursive: true });
  cpSync(join(realpathSync('node_modules/better-sqlite3'), 'package.json'), join(sqlite, 'package.json'));
  home.writeSession('aaaaaaaa', [userLine('why does the okapi fail')]);
});
afterAll(() => {
  home.remove();
  rmSync(prefix, { recursive: true, force: true });
});

function hasSqlite(folder: string): boolean {
  const isHere = existsSync(join(folder, 'node_modules', 'better-sqlite3'));
  return isHere || (dirname(folder) !== folder && hasSqlite(dirname(folder)));
}

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, [join(installed, 'dist', 'recall.cjs'), ...args], {
    env: toEnv(home),
    encoding: 'utf8',
  });

const states: readonly (readonly [string, string | null])[] = [
  ['not built', null],
  ['broken', 'this is no library'],
  ['empty', ''],
];
const message = `better-sqlite3 is not built for this Node (${process.versions.node})`;
const hint = 'npm rebuild -g better-sqlite3';

function setUp(content: string | null): void {
  rmSync(join(sqlite, 'build'), { recursive: true, force: true });
  if (content === null) return;
  mkdirSync(join(sqlite, 'build', 'Release'), { recursive: true });
  writeFileSync(join(sqlite, 'build', 'Release', 'better_sqlite3.node'), content);
}

test.each(states)('%s: every command that needs the index reports it', (_, content) => {
  setUp(content);
  for (const args of [['search', 'okapi'], ['index'], ['doctor'], ['doctor', '--repair'], ['open', '1']]) {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `recall: ${message}\n  try: ${hint}\n`,
    });
  }
  const { status, stdout, stderr } = run(['search', 'okapi', '--json']);
  expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'no-sqlite', message, hint } });
});

test('help does not need the module', () => {
  setUp(null);
  expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
});
