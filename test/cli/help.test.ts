// Help, version, mistyped commands, and docs/manual.md, which lists every command and flag.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { TempHome } from '../support/home.ts';
import {
  hasTerminals,
  programPath,
  type Result,
  runAtTerminal,
  runRecall,
  toEnv,
} from '../support/program.ts';

const home = new TempHome();
afterAll(() => home.remove());

/** Each command's help is asked for once. */
const helps = new Map<string, Result>();
function helpOf(...command: string[]): Result {
  const found = helps.get(command.join(' ')) ?? runRecall(home, [...command, '--help']);
  helps.set(command.join(' '), found);
  return found;
}
const help = helpOf().stdout;

/** `  name [options] <ref>  what it does` below a heading. */
function namesUnder(heading: string, text: string, pattern: RegExp): string[] {
  const section = text.split(`${heading}:\n`)[1]?.split(/\n\n/)[0] ?? '';
  return section.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

const commands = namesUnder('Commands', help, /^ {2}([a-z]+)/).filter((name) => name !== 'help');
const flagsOf = (text: string) => namesUnder('Options', text, /^ {2}(?:-\w, )?(--[a-z-]+)/);

describe('help', () => {
  test('there are commands and flags to check', () => {
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

  test.each([[[]], [['--help']], [['help']]])('recall %j: help on stdout, exit 0', (args) => {
    expect(runRecall(home, args)).toEqual({ code: 0, stdout: help, stderr: '' });
    expect(help).toContain('Examples:\n  recall search');
  });

  test.each(commands)('recall %s --help: has examples and the global flags, in 80 columns', (command) => {
    const { code, stdout, stderr } = helpOf(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: recall ${command}`);
    expect(stdout).toMatch(/\nExamples:\n {2}\S/);
    expect(stdout).toContain('--claude-dir <dir>');
    expect(`${help}${stdout}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each([40, 80])(
    '-h fits on a screen of 24 rows and %i columns, and names every flag and command',
    (columns) => {
      for (const command of ['', ...commands]) {
        const args = command === '' ? ['-h'] : [command, '-h'];
        const { stdout } = hasTerminals
          ? runAtTerminal(home, args, '', { columns, rows: 24 })
          : runRecall(home, args);
        const lines = stdout.trimEnd().split('\n');
        const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
        expect(rows, `${args}`).toBeLessThan(24);
        const whole = helpOf(...args.slice(0, -1)).stdout;
        const own = command === '' ? commands : flagsOf(whole).filter((flag) => flag !== '--help');
        for (const name of own) expect(stdout, `${args}`).toContain(name);
        expect(stdout).toContain(`everything: recall ${command === '' ? '' : `${command} `}--help`);
      }
      expect(runRecall(home, ['search', '-h']).stdout.match(/^ {2}recall search/gm)).toHaveLength(3);
    },
  );

  // `--name <name>  join` did not say what the flag is for.
  test('where little fits, what a flag of one action does is cut, not left out', () => {
    expect(runRecall(home, ['hub', '-h']).stdout).toMatch(
      /--name <name> +join: what this machine is called$/m,
    );
    expect(runRecall(home, ['hub', '-h']).stdout).not.toMatch(/ (join|share|leave)$/m);
  });

  test('the usage line says that words can be typed', () => {
    for (const args of [['-h'], ['--help']])
      expect(runRecall(home, args).stdout).toMatch(/^Usage: recall \[words…\]\n/);
  });

  test.each(['help search', '--help', 'index --bogus 2>&1'])(
    'a reader that stops early is not an error: %s',
    (args) => {
      const line = `"${process.execPath}" "${programPath}" ${args} | true`;
      for (let i = 0; i < 3; i++) {
        const { stderr } = spawnSync('sh', ['-c', line], { env: toEnv(home), encoding: 'utf8' });
        expect(stderr).toBe('');
      }
    },
  );

  test('recall help <topic>: each command, and the query language', () => {
    for (const command of commands) expect(runRecall(home, ['help', command])).toEqual(helpOf(command));
    const { code, stdout, stderr } = runRecall(home, ['help', 'query']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['"connection pool"', 'project:shop', 'since:7d', 'fuzzy'])
      expect(stdout).toContain(word);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('--json without a command is an error', () => {
    expect(JSON.parse(runRecall(home, ['--json']).stdout)).toMatchObject({
      error: { code: 'usage', message: 'no command given' },
    });
  });

  test('asking for help creates no index', () => {
    expect(existsSync(home.indexPath)).toBe(false);
  });

  test('the version', () => {
    for (const flag of ['--version', '-V'])
      expect(runRecall(home, [flag])).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: '' });
  });
});

describe('mistyped commands', () => {
  test.each([
    [['indx'], "unknown command 'indx'", 'recall index'],
    [['serach', 'x'], "unknown command 'serach'", 'recall search x'],
    [['--quiet', 'opne', '3'], "unknown command 'opne'", 'recall open 3'],
    [['Lits', '--limit', '3'], "unknown command 'Lits'", 'recall list --limit 3'],
    [['opne', "don't", 'a b;c'], "unknown command 'opne'", "recall open 'don'\\''t' 'a b;c'"],
    [['lsit', 'größe', '連接'], "unknown command 'lsit'", 'recall list größe 連接'],
    [['show1', 'x'.repeat(300)], "unknown command 'show1'", 'recall show …'],
    [['resume'], "unknown command 'resume'", 'recall open <number or id>'],
    [['save', '3'], "unknown command 'save'", 'write it to a file: recall show 3 --output session.md'],
    [['delete', '5b60eaeb'], "unknown command 'delete'", 'recall forget 5b60eaeb'],
    [['index', '--rebiuld'], "unknown option '--rebiuld' for index", '--rebuild'],
    [['doctor', '--repare'], "unknown option '--repare' for doctor", '--repair'],
    [['index', '--bogus'], "unknown option '--bogus' for index", 'recall index --help'],
    [['index', '--dp', 'x'], "unknown option '--dp' for index", '--db'],
    [['search', 'x', '--limitt', '5'], "unknown option '--limitt' for search", '--limit'],
    [['search', 'x', '--projct=y'], "unknown option '--projct=y' for search", '--project'],
    [['--projct', 'y', 'search', 'x'], "unknown option '--projct' for search", '--project'],
    [['--quite', 'search', 'x'], "unknown option '--quite'", '--quiet'],
    [['--frob'], "unknown option '--frob'", 'recall --help'],
    [['list', 'jwt', 'login'], 'list takes no arguments, not jwt login', 'recall search jwt login'],
    [['stats', 'shop'], 'stats takes no arguments, not shop', 'recall stats --project shop'],
    [['open', '1', '2'], 'open takes one argument, not 1 2', 'recall open --help'],
    [['doctor', 'extra'], 'doctor takes no arguments, not extra', 'recall doctor --help'],
    [['forget'], "missing required argument 'ref' for forget", 'recall forget --help'],
    [['index', '--color', 'pink'], '--color must be one of auto, always, never, not pink', 'recall --help'],
    [
      ['list', '--kind', 'x'],
      '--kind must be one of main, subagent, transcript, precompact, history, not x',
      'recall list --help',
    ],
    [['setup', 'codex'], '<program> must be one of claude, not codex', 'recall setup --help'],
    [['--db'], "option '--db <file>' argument missing", 'recall --help'],
    [
      ['search', 'x', '--db', '--quiet'],
      '--db needs a file, not --quiet',
      '--db <file>; if --quiet is its name: --db=--quiet',
    ],
    [
      ['--claude-dir', '-q', 'list'],
      '--claude-dir needs a folder, not -q',
      '--claude-dir <dir>; if -q is its name: --claude-dir=-q',
    ],
    [
      ['index', '--archive', '--frob'],
      '--archive needs a folder, not --frob',
      '--archive <dir>; if --frob is its name: --archive=--frob',
    ],
    [
      ['show', '1', '-o', '--force'],
      '-o needs a file, not --force',
      '-o <file>; if --force is its name: --output=--force',
    ],
    [
      ['restore', '1', '--into', '--dry-run'],
      '--into needs a folder, not --dry-run',
      '--into <dir>; if --dry-run is its name: --into=--dry-run',
    ],
  ])('%j: exit 2 and what was probably meant', (args, message, hint) => {
    expect(runRecall(home, args)).toEqual({
      code: 2,
      stdout: '',
      stderr: `recall: ${message}\n  try: ${hint}\n`,
    });
    const { code, stdout, stderr } = runRecall(home, ['--json', ...args]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'usage', message, hint } });
  });

  test('a forgotten file name does not make an index that is called --json', () => {
    const { code, stdout } = runRecall(home, ['search', 'x', '--db', '--json']);
    expect({ code, error: JSON.parse(stdout).error.message }).toEqual({
      code: 2,
      error: '--db needs a file, not --json',
    });
    expect(existsSync(join(home.path, '--json'))).toBe(false);
    // Whoever means it can say so, and words of a query are left alone.
    expect(runRecall(home, ['index', '--db=--json']).code).toBe(0);
    expect(existsSync(join(home.path, '--json'))).toBe(true);
    expect(runRecall(home, ['search', '--db=--json', '--', '--db', '--quiet']).code).toBe(1);
  });

  test.each([
    [['search', 'okapis', '--db'], "option '--db <file>' argument missing"],
    [['search', '--project', '--db', 'okapis'], "option '--project <text>' argument missing"],
    [['index', '--db', '-h'], '--db needs a file, not -h'],
  ])('%j: nothing is made under a name that nobody gave', (args, message) => {
    const before = readdirSync(home.path);
    const { code, stderr } = runRecall(home, args);
    expect({ code, first: stderr.split('\n')[0] }).toEqual({ code: 2, first: `recall: ${message}` });
    expect(readdirSync(home.path)).toEqual(before);
  });

  test('an unknown topic', () => {
    const { code, stderr } = runRecall(home, ['help', 'serch']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'recall: no help on serch\n  try: recall help search\n',
    });
  });

  test.each([
    [['opne', '\u001b]0;owned\u0007\u001b[31mx']],
    [['--\u001b[31mred\u202e']],
    [['index', '--color', '\u001b[2J']],
    [['open', 'x', '--db', '/dev/null/\u001b[2Jx']],
    [['index', '--claude-dir', '/nowhere/\u001b[2J']],
    [['help', '\u001b[2Jx']],
  ])('what was typed is repeated without control characters: %j', (args) => {
    const { code, stdout, stderr } = runRecall(home, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/[^\P{C}\n]/u);
    expect(stderr.length).toBeGreaterThan(20);
  });

  test('text in any language is kept', () => {
    expect(runRecall(home, ['show', 'größe-連接'])).toMatchObject({
      stderr: expect.stringContaining('no session größe-連接'),
    });
  });

  test('under --json the error is an object on stdout', () => {
    const { code, stdout } = runRecall(home, ['index', '--bogus', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: 'usage',
        message: expect.stringContaining("unknown option '--bogus'"),
        hint: 'recall index --help',
      },
    });
  });
});

describe('the documents', () => {
  const readme = readFileSync('README.md', 'utf8');
  const manual = readFileSync('docs/manual.md', 'utf8');
  const sectionOf = (heading: string) => manual.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

  test.each(commands)('the manual has a section on recall %s with its flags', (command) => {
    const section = sectionOf(`recall ${command}`);
    const flags = flagsOf(helpOf(command).stdout).filter((flag) => flag !== '--help');
    expect(section).not.toBe('');
    expect(flags.filter((flag) => !section.includes(flag))).toEqual([]);
  });

  test('the manual lists the global flags', () => {
    const section = sectionOf('Flags of every command');
    expect(flagsOf(help).filter((flag) => !section.includes(flag))).toEqual([]);
  });

  test('the README is short, and has its two commands and no unknown flag', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200);
    for (const line of ['npm ci && npm run demo', 'npm ci && npm test']) expect(readme).toContain(line);
    const known = commands.flatMap((command) => flagsOf(helpOf(command).stdout));
    const named = [...readme.matchAll(/`(?:recall [^`]*)?(--[a-z-]+)/g)].map(([, flag]) => flag ?? '');
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((flag) => ![...known, ...flagsOf(help)].includes(flag))).toEqual([]);
  });

  test('upkeep.md lists the tables that people may query', () => {
    const upkeep = readFileSync('docs/upkeep.md', 'utf8');
    for (const table of ['transcript', 'project', 'session', 'message', 'tool_call'])
      expect(upkeep).toContain(`\`${table}\``);
  });

  test('no link points to a missing file', () => {
    const pages = [
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      ...readdirSync('docs')
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
    ];
    const broken = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target]) => join(dirname(page), target ?? ''))
        .filter((target) => !existsSync(target)),
    );
    expect(broken).toEqual([]);
  });
});
