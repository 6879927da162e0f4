// The package as a library, from what npm would publish: the example of docs/library.md runs and type-checks in a project
// that has nothing else.

import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installDemoHome } from '../scripts/install-demo-home.mjs';
import { TempHome } from './support/home.ts';
import { toEnv } from './support/program.ts';

const home = new TempHome();
const project = join(home.path, 'project');
const modules = join(project, 'node_modules');

function run(command: string, args: readonly string[], cwd = project) {
  const done = spawnSync(command, args, { cwd, env: toEnv(home), encoding: 'utf8' });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('docs/library.md', 'utf8')) ?? [];

beforeAll(() => {
  installDemoHome(home.path);
  mkdirSync(modules, { recursive: true });
  // Without scripts, because building anew would pull the program away under the other tests.
  run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', home.path], resolve('.'));
  const tarball = readdirSync(home.path).find((name) => name.endsWith('.tgz')) ?? '';
  run('tar', ['-xzf', tarball], home.path);
  renameSync(join(home.path, 'package'), join(modules, 'recall-sessions'));
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path'])
    symlinkSync(realpathSync(join('node_modules', name)), join(modules, name));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
});
afterAll(() => home.remove());

test('the example runs', () => {
  writeFileSync(join(project, 'example.js'), example.replace("since: '30d'", "since: '2020'"));
  const { code, stdout, stderr } = run(process.execPath, ['example.js']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^JWT auth middleware .* && claude -r 66c737db-/);
  expect(stdout).toContain('That is the clock skew bug');
});

test('it type-checks, and a mistake is found', () => {
  const mistake =
    '\n// @ts-expect-error: an id is not a number\nconst id: number = hits[0]?.session.nativeId;\nvoid id;\n';
  writeFileSync(join(project, 'example.ts'), `${example}${mistake}`);
  mkdirSync(join(modules, '@types'));
  symlinkSync(realpathSync('node_modules/@types/node'), join(modules, '@types/node'));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
  expect(run(process.execPath, [tsc, ...options, 'example.ts'])).toMatchObject({ code: 0, stdout: '' });
});
