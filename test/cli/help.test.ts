// Help, version, slips of the hand, and the README, which names every command and flag.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TempHome } from '../support/home.ts';
import { programPath, runRecall, toEnv } from '../support/program.ts';

const home = new TempHome();
afterAll(() => home.remove());

const help = runRecall(home, ['--help']).stdout;

/** `  name [options] <ref>  what it does` below a heading. */
function namesUnder(heading: string, text: string, pattern: RegExp): string[] {
  const section = text.split(`${heading}:\n`)[1]?.split(/\n\n/)[0] ?? '';
  return section.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

const commands = namesUnder('Commands', help, /^ {2}([a-z]+)/).filter((name) => name !== 'help');
const flagsOf = (text: string) => namesUnder('Options', text, /^ {2}(?:-\w, )?(--[a-z-]+)/);

describe('help', () => {
  test('there are commands and flags to look at', () => {
    expect(commands).toEqual(expect.arrayContaining(['index', 'search', 'open', 'doctor', 'forget']));
    expect(flagsOf(help)).toEqual(
      expect.arrayContaining([
        '--claude-dir',
        '--db',
        '--json',
        '--color',
        '--quiet',
        '--verbose',
        '--version',
        '--help',
      ]),
    );
  });

  test.each([[[]], [['--help']], [['-h']], [['help']]])('recall %j: help on stdout, exit 0', (args) => {
    expect(runRecall(home, args)).toEqual({ code: 0, stdout: help, stderr: '' });
    expect(help).toContain('Examples:\n  recall search');
  });

  test.each(commands)('recall %s --help: with examples and the global flags', (command) => {
    const { code, stdout, stderr } = runRecall(home, [command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: recall ${command}`);
    expect(stdout).toMatch(/\nExamples:\n {2}\S/);
    expect(stdout).toContain('--claude-dir <dir>');
  });

  test.each(['help search', '--help', 'nonsense 2>&1'])(
    'a reader that stops early is no error: %s',
    (args) => {
      const line = `"${process.execPath}" "${programPath}" ${args} | true`;
      for (let i = 0; i < 3; i++) {
        const { stderr } = spawnSync('sh', ['-c', line], { env: toEnv(home), encoding: 'utf8' });
        expect(stderr).toBe('');
      }
    },
  );

  test('recall help <topic>: each command, and the query language', () => {
    for (const command of commands)
      expect(runRecall(home, ['help', command])).toEqual(runRecall(home, [command, '--help']));
    const { code, stdout, stderr } = runRecall(home, ['help', 'query']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['"connection pool"', 'project:shop', 'since:7d', 'fuzzy'])
      expect(stdout).toContain(word);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('no command under --json is an error that says so', () => {
    expect(JSON.parse(runRecall(home, ['--json']).stdout)).toMatchObject({
      error: { code: 'usage', message: 'no command given' },
    });
  });

  test('the version', () => {
    for (const flag of ['--version', '-V'])
      expect(runRecall(home, [flag])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });

  test('asking for help makes no index', () => {
    expect(existsSync(home.indexPath)).toBe(false);
  });
});

describe('slips', () => {
  test.each([
    [['indx'], "unknown command 'indx'", 'index'],
    [['serach', 'x'], "unknown command 'serach'", 'search'],
    [['index', '--rebiuld'], "unknown option '--rebiuld'", '--rebuild'],
    [['doctor', '--repare'], "unknown option '--repare'", '--repair'],
    [['search', 'x', '--limitt', '5'], "unknown option '--limitt'", '--limit'],
    [['search', 'x', '--projct', 'y'], "unknown option '--projct'", '--project'],
    [['--projct', 'y', 'search', 'x'], "unknown option '--projct'", '--project'],
    [['--quite', 'search', 'x'], "unknown option '--quite'", '--quiet'],
    [['--quiet', 'opne', '3'], "unknown command 'opne'", 'open'],
    [['serch'], "unknown command 'serch'", 'search'],
  ])('%j: exit 2 and a suggestion', (args, complaint, suggestion) => {
    const { code, stdout, stderr } = runRecall(home, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`error: ${complaint}`);
    expect(stderr).toContain(`(Did you mean ${suggestion}?)`);
    expect(stderr).toContain('(see recall --help)');
  });

  test.each([
    [['forget'], 'missing required argument'],
    [['open'], 'missing required argument'],
    [['index', '--color', 'pink'], 'Allowed choices are auto, always, never'],
    [['--db'], 'argument missing'],
    [['doctor', 'extra'], 'too many arguments'],
  ])('%j: exit 2', (args, complaint) => {
    const { code, stdout, stderr } = runRecall(home, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
  });

  test('a topic that there is not', () => {
    const { code, stderr } = runRecall(home, ['help', 'serch']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'recall: there is no help on serch\n  try: recall help search\n',
    });
  });

  test.each([
    [['\u001b]0;owned\u0007\u001b[31mx']],
    [['--\u001b[31mred\u202e']],
    [['index', '--color', '\u001b[2J']],
    [['open', 'x', '--db', '/dev/null/\u001b[2Jx']],
    [['index', '--claude-dir', '/nowhere/\u001b[2J']],
    [['help', '\u001b[2Jx']],
  ])('what was typed is repeated without what acts on a terminal: %j', (args) => {
    const { code, stdout, stderr } = runRecall(home, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
    expect(stderr.length).toBeGreaterThan(20);
  });

  test('but text of any language stays as it is', () => {
    expect(runRecall(home, ['größe-連接'])).toMatchObject({
      stderr: expect.stringContaining("unknown command 'größe-連接'"),
    });
  });

  test('under --json the complaint is an object on stdout', () => {
    const { code, stdout } = runRecall(home, ['index', '--bogus', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringContaining("unknown option '--bogus'"),
        hint: 'recall --help',
      },
    });
  });
});

describe('the README', () => {
  const readme = existsSync('README.md') ? readFileSync('README.md', 'utf8') : '';

  test.each(commands)('names recall %s and its flags', (command) => {
    expect(readme).toContain(`recall ${command}`);
    const flags = flagsOf(runRecall(home, [command, '--help']).stdout);
    expect(flags.filter((flag) => !readme.includes(flag))).toEqual([]);
  });

  test('names the flags that every command takes', () => {
    expect(flagsOf(help).filter((flag) => !readme.includes(flag))).toEqual([]);
  });

  test('names the tables that people may query', () => {
    for (const table of ['transcript', 'project', 'session', 'message', 'tool_call'])
      expect(readme).toContain(`\`${table}\``);
  });
});
