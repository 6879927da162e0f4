// recall init in the real shells: resuming changes the directory of the shell, and the key searches.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TempHome, userLine } from '../support/home.ts';
import { programPath, runRecall, toEnv } from '../support/program.ts';
import { forgetRan, isInstalled, readRan, typeInto } from '../support/shells.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const home = new TempHome();
const odd = join(home.path, `it's $(touch pwned) an "odd" place`);
const bin = join(home.path, 'programs');

beforeAll(() => {
  for (const folder of [odd, bin]) mkdirSync(folder);
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write('claude', 'printf "claude %s\\n" "$*"');
  write('recall', `exec "${process.execPath}" "${programPath}" "$@"`);
  home.writeSession(id, [userLine('the zebra crossing', { cwd: odd })]);
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

function runIn(shell: string, script: string) {
  const load = shell === 'fish' ? 'recall init fish | source' : `eval "$(recall init ${shell})"`;
  const args = shell === 'bash' ? ['--norc', '-c'] : shell === 'zsh' ? ['-f', '-c'] : ['--no-config', '-c'];
  const done = spawnSync(shell, [...args, `${load}\n${script}`], {
    cwd: home.path,
    env: toEnv(home, { PATH: `${bin}:/usr/bin:/bin`, TERM: 'xterm' }),
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { stdout: done.stdout, stderr: done.stderr };
}

describe.each(['bash', 'zsh', 'fish'])('%s', (shell) => {
  describe.skipIf(!isInstalled(shell))('has a function', () => {
    test('that resumes a session and stays in its directory', () => {
      const { stdout, stderr } = runIn(shell, 'rcd aaaaaaaa --fork; pwd');
      expect([stdout, stderr]).toEqual([`claude -r ${id} --fork-session\n${odd}\n`, '']);
    });

    test('that does nothing if there is nothing to resume, and never runs other output', () => {
      const { stdout, stderr } = runIn(shell, 'rcd 99; pwd; rcd --help; rcd aaaaaaaa --json');
      expect(stderr).toContain('no session 99');
      expect(stdout).toMatch(new RegExp(`^${home.path}\nUsage: recall open`));
      expect(stdout).toContain('"resumable":true');
    });

    test('that searches for words', () => {
      for (const words of ['zebra', 'the 2 zebra', 'zebra crossing --limit 1', 'crossing --json']) {
        const { stdout, stderr } = runIn(shell, `rcd ${words}; pwd`);
        expect([stdout, stderr]).toEqual([
          expect.stringMatching(new RegExp(`the zebra crossing[^]*\n${home.path}\n$`)),
          '',
        ]);
      }
    });

    test('that lists sessions when it is called alone', () => {
      expect(runIn(shell, 'rcd').stdout).toContain('the zebra crossing');
    });
  });

  describe.skipIf(!isInstalled(shell) || !isInstalled('zsh'))('has a key', () => {
    const start = { bash: 'bash --norc --noprofile', zsh: 'zsh -f', fish: 'fish --no-config' }[shell] ?? '';
    const load = shell === 'fish' ? 'recall init fish | source' : `eval "$(recall init ${shell})"`;
    const compinit = shell === 'zsh' ? 'autoload -Uz compinit; compinit -u -D; ' : '';
    const loaded = { keys: `${compinit}${load}; echo lo''aded\r`, until: 'loaded' };

    test('that opens the screen with the words on the command line', () => {
      forgetRan(home);
      typeInto(home, start, [loaded, { keys: `crossing --all it's\x1br`, until: 'noted' }]);
      expect(readRan(home)).toEqual(['--print', '--screen', '--', "crossing --all it's"]);
    });

    test('and at a terminal the function opens the screen with its words, or prints what flags ask for', () => {
      forgetRan(home);
      typeInto(home, start, [loaded, { keys: 'rcd zebra -crossing\r', until: 'noted' }]);
      expect(readRan(home)).toEqual(['--print', '--screen', '--', 'zebra', '-crossing']);
      typeInto(home, start, [loaded, { keys: 'rcd zebra --limit 1\r', until: 'noted' }]);
      expect(readRan(home)).toEqual(['search', 'zebra', '--limit', '1']);
    });

    test('and Tab after the function completes sessions', () => {
      forgetRan(home);
      typeInto(home, start, [
        loaded,
        { keys: 'rcd aaa\t', until: id.slice(-8) },
        { keys: '\r', until: 'noted' },
      ]);
      expect(readRan(home)).toEqual(['open', id]);
    });
  });
});

test('the function can have another name', () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    const { stdout } = runRecall(home, ['init', shell, '--name', 'back']);
    expect(stdout).toMatch(/\bback\b/);
    expect(stdout).not.toContain('rcd');
  }
  expect(runRecall(home, ['init', 'bash', '--name', 'a b;'])).toMatchObject({ code: 2, stdout: '' });
});
