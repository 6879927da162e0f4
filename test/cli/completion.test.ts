// Completion in the real shells: what they offer, what they insert, and that no title or name is ever run or
// drawn raw.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';
import { isInstalled, readRan, toShellEnv, typeInto } from '../support/shells.ts';

const home = new TempHome();
const newest = 'aaaa1111-0000-4000-8000-000000000001';
const hostile = 'bbbb2222-0000-4000-8000-000000000002';
const oldest = 'bbbb3333-0000-4000-8000-000000000003';
const pwned = join(home.path, 'pwned');
const attack = `a:b\\c %F{red} "q' \`touch ${pwned}\` $(touch ${pwned})`;
const hostileTitle = `[31mred a:b\\c %F{red} "q' \`touch`;
const hostileProject = `odd $(touch ${pwned.replaceAll('/', '%')}) 'n' "m"`;

function write(id: string, title: string, cwd: string, day: string): void {
  home.writeSession(id, [
    userLine('something was asked', { cwd, timestamp: at(1, day) }),
    assistantLine('and answered', { cwd, timestamp: at(2, day) }),
    { type: 'custom-title', customTitle: title, sessionId: id },
  ]);
}

beforeAll(() => {
  write(newest, 'Newest of all', '/home/u/shop', '2026-03-09');
  write(
    hostile,
    `\u001b]0;owned\u0007\u001b[31mred\n${attack}\u202e`,
    `/home/u/${hostileProject}`,
    '2026-03-08',
  );
  write(oldest, 'Oldest of all', '/home/u/shelf', '2026-03-07');
  expect(runRecall(home, ['index']).code).toBe(0);
  mkdirSync(join(home.path, 'folder one'));
  writeFileSync(join(home.path, 'folder.txt'), '');
});
afterAll(() => home.remove());

const complete = (...words: string[]) => runRecall(home, ['__complete', '--', ...words]);
const valuesOf = (stdout: string) =>
  stdout
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('\t')[0]);

describe('what may come next', () => {
  test('sessions, newest first, with printable titles', () => {
    const { code, stdout, stderr } = complete('open', '');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(valuesOf(stdout)).toEqual([newest, hostile, oldest]);
    expect(stdout).toContain(`${newest}\tNewest of all\n`);
    expect(stdout).toContain(`${hostile}\t]0;owned${hostileTitle}`);
    expect(stdout).not.toMatch(/[^\P{C}\n\t]/u);
    expect(valuesOf(complete('forget', 'bbbb').stdout)).toEqual([hostile, oldest]);
  });

  test('no index: nothing, silently, and none is created', () => {
    const path = join(home.path, 'none', 'recall.db');
    for (const words of [
      ['--db', path, 'open', ''],
      ['open', `--db=${path}`, ''],
    ])
      expect(complete(...words)).toEqual({ code: 0, stdout: 'words\n', stderr: '' });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(join(home.path, 'none'))).toBe(false);
  });

  test.each([
    ['text', 'not a database at all, but long enough to be looked at'.repeat(40)],
    ['nothing', ''],
  ])('a file that is not an index, of %s: nothing, silently, and it stays as it is', (_, content) => {
    const path = join(home.path, 'broken.db');
    writeFileSync(path, content);
    expect(complete('open', '--db', path, '')).toEqual({ code: 0, stdout: 'words\n', stderr: '' });
    expect(readdirSync(home.path).filter((name) => name.startsWith('broken'))).toEqual(['broken.db']);
  });

  test('help does not list the command behind it', () => {
    expect(runRecall(home, ['--help']).stdout).not.toContain('__complete');
    expect(valuesOf(complete('').stdout)).not.toContain('__complete');
  });
});

describe('completion', () => {
  test('says how to install it', () => {
    const { stdout } = runRecall(home, ['completion', '--help']);
    for (const place of ['bash-completion/completions/recall', 'fpath+=', '.config/fish/completions'])
      expect(stdout).toContain(place);
  });

  test('for an unknown shell, the error lists the known ones', () => {
    const { code, stderr } = runRecall(home, ['completion', 'tcsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});

/** What bash would offer for the words up to the cursor. */
function bashOffers(words: readonly string[], type = 9): string[] {
  const script = `source <(recall completion bash)
    COMP_WORDS=(recall "$@") COMP_CWORD=$# COMP_TYPE=${type}
    _recall; for each in "\${COMPREPLY[@]}"; do printf '%s\\n' "$each"; done`;
  const done = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd: home.path,
    env: toShellEnv(home),
    encoding: 'utf8',
  });
  expect({ code: done.status, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
  return done.stdout.split('\n').slice(0, -1);
}

describe.skipIf(!isInstalled('bash'))('bash (skipped where it is not installed)', () => {
  test('offers commands, flags, values, sessions, projects and paths', () => {
    expect(bashOffers(['sea'])).toEqual(['search']);
    expect(bashOffers(['search', 'jwt', '--so'])).toEqual(['--sort']);
    expect(bashOffers(['--color', ''])).toEqual(['auto', 'always', 'never']);
    expect(bashOffers(['--color', '=', 'al'])).toEqual(['always']);
    expect(bashOffers(['--color', '='])).toEqual(['auto', 'always', 'never']);
    expect(bashOffers(['open', 'bbbb'])).toEqual([hostile, oldest]);
    expect(bashOffers(['open', '"bbbb3'])).toEqual([oldest]);
    expect(bashOffers(['search', '--project', 'sh'])).toEqual(['shelf', 'shop']);
    expect(bashOffers(['--db', 'fol']).sort()).toEqual(['folder one', 'folder.txt']);
    expect(bashOffers(['--claude-dir', 'fol'])).toEqual(['folder one']);
    expect(bashOffers(['search', 'bbbb'])).toEqual([]);
  });

  test('a displayed list has titles, one to insert from has none', () => {
    expect(bashOffers(['open', 'aaaa'], 63)).toEqual([`${newest}  Newest of all`]);
    expect(bashOffers(['open', 'aaaa'], 9)).toEqual([newest]);
  });

  test('a name is quoted outside quotes, and offered inside them only if it is plain', () => {
    const [quoted = ''] = bashOffers(['search', '--project', 'odd']);
    const echoed = spawnSync('bash', ['-c', `printf %s ${quoted}`], { encoding: 'utf8' });
    expect(echoed.stdout).toBe(hostileProject);
    expect(bashOffers(['search', '--project', '"odd'])).toEqual([]);
  });

  test.skipIf(!isInstalled('zsh'))('at a terminal, TAB inserts and lists', () => {
    const start = { keys: `PS1='> '; source <(recall completion bash); echo rea''dy\n`, until: 'ready' };
    typeInto(home, 'bash --norc -i', [start, { keys: 'recall open aaaa\t\n', until: 'noted' }]);
    expect(readRan(home)).toEqual(['open', newest]);
    typeInto(home, 'bash --norc -i', [start, { keys: 'recall search --project odd\t\n', until: 'noted' }]);
    expect(readRan(home)).toEqual(['search', '--project', hostileProject]);
    typeInto(home, 'bash --norc -i', [start, { keys: 'recall open --color=al\t aaaa\t\n', until: 'noted' }]);
    expect(readRan(home)).toEqual(['open', '--color=always', newest]);
    typeInto(home, 'bash --norc -i', [start, { keys: 'recall open --db=folder.t\t\n', until: 'noted' }]);
    expect(readRan(home)).toEqual(['open', '--db=folder.txt']);
    const shown = typeInto(home, 'bash --norc -i', [start, { keys: 'recall open \t\t', until: 'Oldest' }]);
    expect(shown).toContain(`${newest}  Newest of all`);
    expect(shown).toContain(hostileTitle);
    expect(shown).not.toContain('\u001b[31m');
    expect(shown).not.toContain('\u001b]0;owned');
  });
});

describe.skipIf(!isInstalled('zsh'))('zsh (skipped where it is not installed)', () => {
  const start = {
    keys: `stty columns 160; PS1='> '; autoload -U compinit; compinit -u; source <(recall completion zsh); print rea''dy\n`,
    until: 'ready',
  };
  const type = (keys: string, until: string) => typeInto(home, 'zsh -f -i', [start, { keys, until }]);

  test.each([
    ['recall op\taaaa\t\n', ['open', newest]],
    ['recall search --project odd\t\n', ['search', '--project', hostileProject]],
    ['recall open --color=al\t aaaa\t\n', ['open', '--color=always', newest]],
    ['recall search --rol\tas\t\n', ['search', '--role', 'assistant']],
    ['recall --db=folder.t\t\n', ['--db=folder.txt']],
    ['recall --db folder.t\t\n', ['--db', 'folder.txt']],
    ['recall --claude-dir fold\t\n', ['--claude-dir', 'folder one']],
    ['recall search --project=shel\t\n', ['search', '--project=shelf']],
  ])('%j is completed', (keys, ran) => {
    type(keys, 'noted');
    expect(readRan(home)).toEqual(ran);
  });

  test('lists sessions with their titles, newest first, as plain text', () => {
    const shown = type('recall open \t', 'Oldest');
    expect(shown).toMatch(/aaaa1111\S+ +-- Newest of all/);
    expect(shown.indexOf('Newest')).toBeLessThan(shown.indexOf('Oldest'));
    expect(shown).toContain(hostileTitle);
    expect(shown).not.toContain('\u001b[31m');
    expect(shown).not.toContain('\u001b]0;owned');
  });

  test('works as a file in $fpath', () => {
    const folder = join(home.path, 'zfunc');
    mkdirSync(folder);
    writeFileSync(join(folder, '_recall'), runRecall(home, ['completion', 'zsh']).stdout);
    const keys = `PS1='> '; fpath+=${folder}; autoload -U compinit; compinit -u; print rea''dy\n`;
    typeInto(home, 'zsh -f -i', [
      { keys, until: 'ready' },
      { keys: 'recall open aaaa\t\n', until: 'noted' },
    ]);
    expect(readRan(home)).toEqual(['open', newest]);
  });
});

describe.skipIf(!isInstalled('fish'))('fish (skipped where it is not installed)', () => {
  function fishOffers(line: string, ...flags: string[]): string[] {
    const script = 'recall completion fish | source; complete $argv[2..-1] -C $argv[1]';
    const done = spawnSync('fish', ['--no-config', '-c', script, line, ...flags], {
      cwd: home.path,
      env: toShellEnv(home),
      encoding: 'utf8',
    });
    expect(done.stderr).toBe('');
    return done.stdout.split('\n').slice(0, -1);
  }

  test('offers commands, flags, values, sessions, projects and paths', () => {
    expect(fishOffers('recall sea')).toEqual(['search\tfind sessions by what was said and done in them']);
    expect(fishOffers('recall --color al')).toContain('always');
    expect(fishOffers('recall --color=al')).toContain('--color=always');
    expect(fishOffers('recall search --project shel')).toEqual(['shelf\t/home/u/shelf']);
    expect(fishOffers('recall --db folder.t').map((line) => line.split('\t')[0])).toEqual(['folder.txt']);
    expect(fishOffers('recall --db=folder.t').map((line) => line.split('\t')[0])).toEqual([
      '--db=folder.txt',
    ]);
    expect(fishOffers('recall --claude-dir fold').map((line) => line.split('\t')[0])).toEqual([
      'folder one/',
    ]);
    expect(fishOffers('recall search aaaa')).toEqual([]);
  });

  test('sessions with their titles, newest first, as plain text', () => {
    const offers = fishOffers('recall open ');
    expect(offers.map((line) => line.split('\t')[0])).toEqual([newest, hostile, oldest]);
    expect(offers[0]).toBe(`${newest}\tNewest of all`);
    expect(offers[1]).toContain(hostileTitle);
    expect(offers.join('')).not.toMatch(/[^\P{C}\t]/u);
  });

  test('a name is inserted as one word, and nothing runs', () => {
    const [escaped = ''] = fishOffers('recall search --project odd', '--escape');
    const echoed = spawnSync('fish', ['--no-config', '-c', `printf %s ${escaped.split('\t')[0]}`], {
      encoding: 'utf8',
    });
    expect(echoed.stdout).toBe(hostileProject);
  });
});

test('no title or name was ever run', () => {
  expect(existsSync(pwned)).toBe(false);
  expect(readdirSync(home.path).filter((name) => name.includes('pwned'))).toEqual([]);
});
