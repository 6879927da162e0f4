// A folder without read permission, or a file that unpacks to gigabytes: what is indexed is still found, with a note that something may be
// missing.

import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeBomb } from '../support/bombs.ts';
import { TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;
let home: TempHome;

/** Root is never denied access. */
const run = (args: readonly string[]) =>
  runRecall(home, args, { cwd: '/', ...(isRoot ? { uid: nobody } : {}) });
const inClaude = (path: string) => join(home.claudeDir, path);

function searchWithout(folder: string) {
  chmodSync(inClaude(folder), 0o000);
  try {
    return { plain: run(['search', 'okapi']), json: JSON.parse(run(['search', 'okapi', '--json']).stdout) };
  } finally {
    chmodSync(inClaude(folder), 0o755);
  }
}

beforeEach((context) => {
  home = new TempHome();
  home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
  home.writeSession('bbbbbbbb', [userLine('the tapir report')], '-home-u-tapir');
  home.write('history.jsonl', '');
  if (isRoot) for (const entry of ['', '.claude']) chownSync(join(home.path, entry), nobody, nobody);
  if (process.platform === 'win32' || run(['--version']).code !== 0)
    context.skip('the program cannot be run by somebody who may not read everything');
});
afterEach(() => home.remove());

describe('a search', () => {
  test.each(['', 'projects', 'projects/-home-u-shop'])(
    'names .claude/%s and says that it may be old',
    (folder) => {
      expect(run(['index']).code).toBe(0);
      for (const _ of ['the first time', 'the next time']) {
        const { plain, json } = searchWithout(folder);
        expect(plain.stderr).toBe(
          `recall: ${inClaude(folder).replace(/\/$/, '')} cannot be read: permission denied; using what is already indexed\n`,
        );
        expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('okapi') });
        expect(json).toMatchObject({ total: 1, freshness: { refreshed: false, pendingFiles: 0 } });
      }
      expect(JSON.parse(run(['search', 'okapi', '--json']).stdout).freshness.refreshed).toBe(true);
    },
  );

  test('counts the other places', () => {
    expect(run(['index']).code).toBe(0);
    chmodSync(inClaude('projects/-home-u-tapir'), 0o000);
    const { plain } = searchWithout('projects/-home-u-shop');
    expect(plain.stderr).toContain('permission denied (and 1 other place); using');
    chmodSync(inClaude('projects/-home-u-tapir'), 0o755);
  });

  test('reports it even on the very first run', () => {
    const { plain, json } = searchWithout('projects');
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toContain(`${inClaude('projects')} cannot be read: permission denied`);
    expect(json.freshness.refreshed).toBe(false);
  });
});

test('a small compressed rollout that holds gigabytes is left and named, and the rest is indexed', () => {
  const id = '019a0000-0000-7000-8000-00000000000b';
  const name = `rollout-2026-03-05T10-00-00-${id}.jsonl.zst`;
  const path = home.write(`../.codex/sessions/2026/03/05/${name}`, '');
  writeFileSync(path, makeBomb(4e9));
  home.writeSession('aaaaaaaa', [userLine('the okapi')]);
  const { code, stdout, stderr } = runRecall(home, ['index']);
  expect(code).toBe(2);
  expect(stderr).toBe(`recall: ${path}: cannot be decompressed (it holds more than 200 times its size)\n`);
  expect(stdout).toMatch(/ 1 failed of /);
  expect(runRecall(home, ['search', 'okapi', '--json']).stdout).toContain('aaaaaaaa');
  expect(runRecall(home, ['doctor']).stdout).toContain(name);
});
