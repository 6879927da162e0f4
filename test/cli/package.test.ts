// What npm would publish, unpacked somewhere else, works with only better-sqlite3 next to it.

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistantLine, TempHome, userLine } from '../support/home.ts';
import { toEnv } from '../support/program.ts';

const home = new TempHome();
const unpacked = join(home.path, 'package');

function run(command: string, args: readonly string[], cwd = home.path): string {
  const done = spawnSync(command, args, { cwd, env: toEnv(home), encoding: 'utf8' });
  expect({ code: done.status, stderr: done.stderr }).toMatchObject({ code: 0 });
  return done.stdout;
}

beforeAll(() => {
  // Without scripts, because a new build would replace the program under the other tests.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home.path], resolve('.'));
  const tarball = readdirSync(home.path).find((name) => name.endsWith('.tgz')) ?? '';
  run('tar', ['-xzf', tarball]);
  mkdirSync(join(unpacked, 'node_modules'));
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path']) {
    symlinkSync(realpathSync(join('node_modules', name)), join(unpacked, 'node_modules', name));
  }
});
afterAll(() => home.remove());

function readPackage(): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
}

test('it contains the program and the texts, nothing else', () => {
  const allowed = [
    'CHANGELOG.md',
    'SECURITY.md',
    'docs',
    'plugin',
    '.claude-plugin',
    'LICENSE',
    'README.md',
    'dist',
    'node_modules',
    'package.json',
  ];
  const holds = readdirSync(unpacked);
  expect(holds.filter((name) => !allowed.includes(name))).toEqual([]);
  expect(holds).toEqual(expect.arrayContaining(['LICENSE', 'dist', 'package.json']));
  expect(readdirSync(join(unpacked, 'dist')).sort()).toEqual([
    'highlight.cjs',
    'hub.cjs',
    'kysely.cjs',
    'library',
    'man',
    'markdown-it.cjs',
    'mcp.cjs',
    'program.cjs',
    'read-worker.cjs',
    'recall.cjs',
    'screen-worker.cjs',
    'web',
  ]);
  const page = ['icon.svg', 'index.html', 'page.css', 'page.js'];
  expect(readdirSync(join(unpacked, 'dist', 'web')).sort()).toEqual(page);
});

test('it contains the plugin, whole, with the marketplace that offers it', () => {
  const listFiles = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort();
  for (const folder of ['plugin', '.claude-plugin'])
    expect(listFiles(join(unpacked, folder))).toEqual(listFiles(folder));
  const { plugins } = JSON.parse(readFileSync(join(unpacked, '.claude-plugin', 'marketplace.json'), 'utf8'));
  expect(existsSync(join(unpacked, plugins[0].source, '.claude-plugin', 'plugin.json'))).toBe(true);
});

test('it contains the manual page where it says', () => {
  // npm links it on installation only if this is a list.
  const { man } = readPackage() as unknown as { man: string[] };
  expect(man).toHaveLength(1);
  for (const path of man) expect(readFileSync(join(unpacked, path), 'utf8')).toMatch(/^\.TH RECALL 1 /);
});

test('it needs no package, would like one, and runs nothing of its own when it is installed', () => {
  const { dependencies = {}, optionalDependencies = {}, scripts = {} } = readPackage();
  expect(dependencies).toEqual({});
  expect(Object.keys(optionalDependencies)).toEqual(['better-sqlite3']);
  expect(
    Object.keys(scripts).filter((name) => /install$|^(pre|post)?prepare$|^dependencies$/.test(name)),
  ).toEqual([]);
});

test('its program can be run as it is', () => {
  const program = join(unpacked, readPackage().bin?.recall ?? '');
  expect(statSync(program).mode & 0o111).toBe(0o111);
  expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(run(program, ['--version'])).toBe(`${readPackage().version}\n`);
});

test('it indexes, searches, opens, shows, checks and forgets', () => {
  const program = join(unpacked, readPackage().bin?.recall ?? '');
  const lines = [userLine('why does the okapi fail', { cwd: home.path }), assistantLine('It expired.')];
  home.writeSession('aaaaaaaa', lines, home.path.replace(/[^a-zA-Z0-9]/g, '-'));
  expect(run(program, ['index'])).toContain('indexed 1 new of 1 file');
  expect(JSON.parse(run(program, ['search', 'okapis', '--json'])).hits).toMatchObject([{ id: 'aaaaaaaa' }]);
  expect(run(program, ['okapis'])).toContain('why does the okapi fail');
  expect(run(program, ['open', '1'])).toContain('claude -r aaaaaaaa');
  expect(run(program, ['show', '1'])).toContain('It expired.');
  expect(run(program, ['show', '1', '--html'])).toContain('<p>It expired.</p>');
  expect(run(program, ['doctor'])).toContain('no problems found');
  expect(run(program, ['forget', '1', '--yes'])).toContain('forgot aaaaaaaa');
});
