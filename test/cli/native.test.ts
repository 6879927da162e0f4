// Installed without install scripts, or with a native module that this Node cannot load: its own SQLite serves, where it
// has one; else one line and what to do.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadNodeSqlite } from '../../src/store/open/node-sqlite.ts';
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
  home.writeSession('aaaaaaaa', [userLine('why does the okapi fail', { cwd: home.path })]);
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

const states = [
  { state: 'not installed', binary: null, isInstalled: false },
  { state: 'not built', binary: null, isInstalled: true },
  { state: 'broken', binary: 'this is no library', isInstalled: true },
  { state: 'empty', binary: '', isInstalled: true },
];
type State = (typeof states)[number];

function setUp({ binary, isInstalled }: State): void {
  rmSync(sqlite, { recursive: true, force: true });
  if (!isInstalled) return;
  mkdirSync(join(sqlite, 'build', 'Release'), { recursive: true });
  cpSync(join(realpathSync('node_modules/better-sqlite3'), 'package.json'), join(sqlite, 'package.json'));
  if (binary !== null) writeFileSync(join(sqlite, 'build', 'Release', 'better_sqlite3.node'), binary);
}

/** Node 22.16 and newer. */
const hasOwnSqlite = loadNodeSqlite() !== null;

test.skipIf(hasOwnSqlite).each(states)('$state: every command that needs the index reports it', (state) => {
  setUp(state);
  const node = `this Node (${process.versions.node})`;
  const [message, command] = state.isInstalled
    ? [`better-sqlite3 is not built for ${node}`, 'npm rebuild -g better-sqlite3']
    : [
        `better-sqlite3 is not installed, and ${node} has no SQLite of its own`,
        'see why npm left it out: npm install -g recall-sessions --foreground-scripts',
      ];
  const hint = `use Node 22.16 or newer, or ${command}`;
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
  const version = run(['--version', '--verbose']);
  expect(version).toMatchObject({ status: 0, stderr: '' });
  expect(version.stdout).toContain(`no SQLite: ${message}\n  try: ${hint}\n`);
});

test.skipIf(hasOwnSqlite).each(states)(
  '$state: the library says so in one line, also in a project of its own',
  (state) => {
    setUp(state);
    const project = join(prefix, 'project');
    const modules = join(project, 'node_modules', 'recall-sessions');
    rmSync(project, { recursive: true, force: true });
    cpSync(installed, modules, { recursive: true });
    cpSync('package.json', join(modules, 'package.json'));
    const script = "import { openRecall } from 'recall-sessions';\nawait openRecall().list();\n";
    writeFileSync(join(project, 'a.mjs'), script);
    const { status, stderr } = spawnSync(process.execPath, ['a.mjs'], {
      cwd: project,
      env: toEnv(home),
      encoding: 'utf8',
    });
    expect(status).not.toBe(0);
    const said = stderr.split('\n').filter((line) => /better-sqlite3|require|Error/.test(line));
    expect(said).toEqual([
      expect.stringMatching(/^\[?UserError: better-sqlite3 is not .*; try: use Node 22\.16 or newer, or /),
    ]);
    expect(said[0]).toContain(`--prefix '${project}'`);
  },
);

test.skipIf(!hasOwnSqlite).each(states)('$state: the SQLite of Node serves, without a word', (state) => {
  setUp(state);
  for (const args of [['index'], ['search', 'okapi'], ['open', '1', '--quiet'], ['show', '1', '--quiet']])
    expect([args, run(args)]).toMatchObject([args, { status: 0, stderr: '' }]);
  expect(JSON.parse(run(['doctor', '--json']).stdout)).toMatchObject({ engine: { name: 'node:sqlite' } });
  expect(run(['--version', '--verbose']).stdout).toMatch(/^SQLite 3\.\d+\.\d+ \(node:sqlite\)$/m);
});

test('help does not need the module', () => {
  for (const state of states.slice(0, 2)) {
    setUp(state);
    expect(run(['--help'])).toMatchObject({ status: 0, stderr: '' });
  }
});
