// Result numbers belong to the terminal that showed them, and only output that shows numbers changes them.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, TempHome, userLine } from '../support/home.ts';
import { hasTerminals, programPath, runRecall, toEnv } from '../support/program.ts';

const ids = {
  zebra: 'aaaaaaaa-0000-4000-8000-000000000001',
  okapi: 'bbbbbbbb-0000-4000-8000-000000000002',
} as const;

let home: TempHome;

beforeAll(() => {
  home = new TempHome();
  home.refuseArchive();
  home.writeSession(ids.zebra, [userLine('the zebra crossing', { timestamp: at(1) })]);
  home.writeSession(ids.okapi, [userLine('the okapi crossing', { timestamp: at(2) })]);
  expect(runRecall(home, ['index']).code).toBe(0);
});

afterAll(() => home.remove());

/** In one terminal of its own; `recall` in the script is the built program. */
function inTerminal(script: string): string {
  const defined = `recall() { '${process.execPath}' '${programPath}' "$@"; }; ${script}`;
  const done = spawnSync('/usr/bin/script', ['-qec', defined, '/dev/null'], {
    cwd: home.path,
    env: toEnv(home, { TERM: 'xterm', SHELL: '/bin/sh' }),
    input: '',
    encoding: 'utf8',
    timeout: 60_000,
  });
  return done.stdout.replaceAll('\r\n', '\n');
}

/** Without any terminal, as a script or an agent runs it. */
function detached(...args: string[]) {
  const done = spawnSync('setsid', ['-w', process.execPath, programPath, ...args], {
    cwd: home.path,
    env: toEnv(home),
    input: '',
    encoding: 'utf8',
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

describe.skipIf(!hasTerminals)('in a terminal', () => {
  test('a number means the list shown there, whatever other terminals and scripts do', () => {
    const inner = `'${process.execPath}' '${programPath}'`;
    const out = inTerminal(
      [
        'recall search zebra > /dev/null',
        `script -qec "${inner.replaceAll("'", '')} search okapi" /dev/null > /dev/null`,
        'recall search okapi --json > /dev/null',
        'recall search okapi --brief > /dev/null',
        'recall search nothing-like-it > /dev/null 2>&1',
        'recall open 1 2> /dev/null | cat',
      ].join('; '),
    );
    expect(out).toContain(`claude -r ${ids.zebra}`);
  });

  test('a list that went through a pipe counts', () => {
    const out = inTerminal('recall search okapi | cat > /dev/null; echo "$(recall open 1 < /dev/null)"');
    expect(out).toContain(`claude -r ${ids.okapi}`);
    expect(out).not.toContain('last shown');
  });

  test('a new terminal has no numbers', () => {
    expect(inTerminal('recall open 1')).toContain(
      'a number refers to a result of the last search or list in this terminal:',
    );
  });
});

describe('without a terminal', () => {
  test('the latest list of any is meant, with a note', () => {
    expect(detached('search', 'okapi').code).toBe(0);
    expect(detached('search', 'zebra').code).toBe(0);
    expect(detached('search', 'okapi', '--json').code).toBe(0);
    expect(detached('open', '1')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(ids.zebra),
      stderr: expect.stringContaining(
        'recall: 1 is from the list that was last shown in any terminal, just now',
      ),
    });
  });

  test('a list that is older than a day is dated', () => {
    expect(detached('search', 'zebra').code).toBe(0);
    const folder = `${home.indexPath}.last`;
    for (const name of readdirSync(folder)) {
      const list = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const shownAt = new Date(Date.now() - 50 * 3_600_000).toISOString();
      writeFileSync(join(folder, name), JSON.stringify({ ...list, shownAt }));
    }
    expect(detached('show', '1').stderr).toContain('2 days ago');
  });
});
