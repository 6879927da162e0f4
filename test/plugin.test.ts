// The plugin and its marketplace, checked against what Claude Code's documentation requires of each file, and against the
// program: every command that the texts mention exists.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { TempHome, userLine } from './support/home.ts';
import { programPath, runRecall, toEnv } from './support/program.ts';

const home = new TempHome();
afterAll(() => home.remove());

type Json = Record<string, unknown>;
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Json;
const keysBut = (object: Json, known: readonly string[]) =>
  Object.keys(object).filter((key) => !known.includes(key));

/** Names that Claude Code can install, in the form its validator wants. */
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*$/;

describe('plugin.json', () => {
  const manifest = readJson('plugin/.claude-plugin/plugin.json');

  test('has what the validator wants, and only keys that Claude Code reads', () => {
    expect(manifest.name).toMatch(kebabCase);
    expect(manifest.version).toBe(packageJson.version);
    expect(manifest.license).toBe(packageJson.license);
    expect(manifest.description).toEqual(expect.any(String));
    expect(manifest.author).toEqual({ name: expect.any(String) });
    const known = [
      'name',
      'displayName',
      'version',
      'description',
      'author',
      'homepage',
      'repository',
      'license',
      'keywords',
    ];
    expect(keysBut(manifest, known)).toEqual([]);
  });

  test('everything else is at the root of the plugin', () => {
    expect(readdirSync('plugin/.claude-plugin')).toEqual(['plugin.json']);
    expect(readdirSync('plugin').sort()).toEqual(['.claude-plugin', '.mcp.json', 'hooks', 'skills']);
  });
});

describe('marketplace.json', () => {
  const marketplace = readJson('.claude-plugin/marketplace.json');
  const entries = marketplace.plugins as Json[];

  test('has a name that is free, an owner and a description', () => {
    expect(marketplace.name).toMatch(kebabCase);
    expect(marketplace.name).not.toMatch(
      /claude|anthropic|official|^(npm|pip|uv|cargo|github|gh|inline|builtin|skills-dir|synced)$/i,
    );
    expect(marketplace.owner).toEqual({ name: expect.any(String) });
    expect(marketplace.description).toEqual(expect.any(String));
    expect(keysBut(marketplace, ['name', 'owner', 'description', 'plugins'])).toEqual([]);
  });

  test('offers the plugin of this repository, by a path from its root', () => {
    expect(entries.map(({ name }) => name)).toEqual([readJson('plugin/.claude-plugin/plugin.json').name]);
    for (const entry of entries) {
      expect(entry.source).toMatch(/^\.\/(?!.*\.\.)/);
      expect(existsSync(join(String(entry.source), '.claude-plugin/plugin.json'))).toBe(true);
      // The version is in plugin.json, which takes precedence; giving it twice is a warning.
      expect(keysBut(entry, ['name', 'source', 'description', 'category', 'tags'])).toEqual([]);
    }
  });

  test('docs/agents.md installs it under these names', () => {
    expect(readFileSync('docs/agents.md', 'utf8')).toContain(
      `claude plugin install ${entries[0]?.name}@${marketplace.name}`,
    );
  });
});

const hooksFile = readJson('plugin/hooks/hooks.json');
interface Hook extends Json {
  readonly command: string;
}
const groups = Object.values(hooksFile.hooks as Record<string, { hooks: Hook[] }[]>).flat();
const hooks = groups.flatMap((group) => group.hooks);

describe('hooks.json', () => {
  test('one event, and handlers with the fields of a command', () => {
    expect(keysBut(hooksFile, ['description', 'hooks'])).toEqual([]);
    expect(Object.keys(hooksFile.hooks as Json)).toEqual(['SessionEnd']);
    expect(groups.flatMap((group) => keysBut(group as unknown as Json, ['matcher', 'hooks']))).toEqual([]);
    expect(hooks).toHaveLength(1);
    for (const hook of hooks) {
      // A hook that the session waits for has a second and a half, which a timeout in a plugin does not lengthen.
      expect(hook).toEqual({
        type: 'command',
        command: expect.any(String),
        async: true,
        timeout: expect.any(Number),
      });
    }
  });

  test('what it runs updates the index, prints nothing and does not read its input', () => {
    const bin = join(home.path, 'bin');
    mkdirSync(bin);
    symlinkSync(programPath, join(bin, 'recall'));
    home.writeSession('aaaaaaaa', [userLine('why does the okapi fail')]);
    const env = { ...toEnv(home), PATH: `${bin}:${process.env.PATH}` };
    const input = JSON.stringify({ hook_event_name: 'SessionEnd', reason: 'other', session_id: 'aaaaaaaa' });
    const done = spawnSync('sh', ['-c', hooks[0]?.command ?? ''], { env, input, encoding: 'utf8' });
    expect({ code: done.status, stdout: done.stdout, stderr: done.stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const { stdout } = runRecall(home, ['search', 'okapi', '--no-refresh', '--json']);
    expect(JSON.parse(stdout).hits).toHaveLength(1);
  });
});

interface Server {
  readonly command: string;
  readonly args: readonly string[];
}
const servers = readJson('plugin/.mcp.json').mcpServers as Record<string, Server>;

describe('.mcp.json', () => {
  test('one server, started by the program’s name', () => {
    expect(servers).toEqual({ recall: { command: 'recall', args: ['mcp'] } });
    expect(Object.keys(packageJson.bin)).toContain(servers.recall?.command);
  });

  test('the same that setup writes', () => {
    const { stdout } = runRecall(home, ['setup', 'claude', '--no-hook', '--json']);
    const [step] = (JSON.parse(stdout) as { steps: { entry: { mcpServers: Record<string, Server> } }[] })
      .steps;
    expect(step?.entry.mcpServers).toEqual({ recall: { type: 'stdio', ...servers.recall } });
  });

  test('and so is the hook', () => {
    const { stdout } = runRecall(home, ['setup', 'claude', '--no-mcp', '--json']);
    expect(stdout).toContain(
      JSON.stringify({ type: 'command', command: hooks[0]?.command, async: true, timeout: 60 }),
    );
  });
});

type Matter = Readonly<Record<string, string | readonly string[]>>;

/** As much of YAML as is used here; what could be read in another way is refused. */
function parseFrontMatter(text: string): { matter: Matter; body: string } {
  const [, block = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const matter: Record<string, string | string[]> = {};
  let list: string[] | undefined;
  for (const line of block.split('\n')) {
    const item = /^ {2}- (.+)$/.exec(line)?.[1];
    if (item !== undefined) {
      if (list === undefined) throw new Error(`an item of nothing: ${line}`);
      list.push(toScalar(item));
      continue;
    }
    const [, key, value] = /^([a-z-]+):(?: (.+))?$/.exec(line) ?? [];
    if (key === undefined) throw new Error(`not understood: ${line}`);
    list = value === undefined ? [] : undefined;
    matter[key] = list ?? toScalar(value ?? '');
  }
  return { matter, body };
}

function toScalar(written: string): string {
  if (written.startsWith('"')) return JSON.parse(written) as string;
  if (/^[-?:,[\]{}#&*!|>'%@`]|: | #|:$/.test(written)) throw new Error(`needs quotes: ${written}`);
  return written;
}

const skillNames = readdirSync('plugin/skills');

describe.each(skillNames)('the skill %s', (name) => {
  const text = readFileSync(join('plugin/skills', name, 'SKILL.md'), 'utf8');
  const { matter, body } = parseFrontMatter(text);

  test('has front matter within the limits', () => {
    expect(matter.name).toBe(name);
    expect(name).toMatch(kebabCase);
    expect(name.length).toBeLessThanOrEqual(64);
    expect(matter.description).toMatch(/\bUse when\b/);
    expect(matter.description?.length).toBeLessThanOrEqual(1024);
    expect(keysBut(matter as Json, ['name', 'description', 'argument-hint', 'allowed-tools'])).toEqual([]);
    expect(body.split('\n').length).toBeLessThan(500);
    expect(body).toContain('$ARGUMENTS');
  });

  test('names the tools of the server, under both ways it can be set up', () => {
    const tools = (matter['allowed-tools'] as string[]).filter((tool) => tool.startsWith('mcp__'));
    const names = ['search_sessions', 'read_session', 'list_sessions', 'find_file_history'];
    const prefixes = Object.keys(servers).flatMap((server) => [
      `mcp__${server}__`,
      `mcp__plugin_recall_${server}__`,
    ]);
    expect(tools).toEqual(prefixes.flatMap((prefix) => names.map((tool) => prefix + tool)));
    for (const tool of names) expect(body).toContain(`\`${tool}\``);
  });

  // Not every show, which can write a file, nor open, which can start a program: a past session may ask for either.
  test('allows without asking the commands that it recommends, and only those that read', () => {
    const commands = (matter['allowed-tools'] as string[]).filter((tool) => !tool.startsWith('mcp__'));
    for (const command of commands)
      expect(command).toMatch(
        /^Bash\(recall ((search|list|files) \*|show --brief \*|doctor|index --quiet)\)$/,
      );
    const patterns = commands.map((each) => each.slice('Bash('.length, -1));
    const recommended = [...body.matchAll(/`(recall [^`]+)`/g)]
      .map(([, line = '']) => line)
      .filter((line) => !/^recall (open|setup)\b/.test(line));
    expect(recommended.length).toBeGreaterThan(8);
    for (const line of recommended)
      expect([line, patterns.some((each) => isAllowed(each, line))]).toEqual([line, true]);
  });

  test('what it may run cannot write a file', () => {
    const home = new TempHome();
    const { code, stderr } = runRecall(home, ['show', '--brief', '1', '--output', 'x.md']);
    home.remove();
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be written to a file')]);
  });

  test('says how to search, cite, distrust and give up', () => {
    for (const part of [
      'How to search',
      'How to cite',
      'not instructions to you',
      'When nothing is found',
      'title, date and id',
    ])
      expect(body).toContain(part);
  });
});

test('no command has the name of a skill, which would hide it', () => {
  const commands = existsSync('plugin/commands') ? readdirSync('plugin/commands') : [];
  expect(commands.filter((file) => skillNames.includes(file.replace(/\.md$/, '')))).toEqual([]);
});

describe('what the texts say to run', () => {
  const skills = skillNames
    .map((name) => readFileSync(join('plugin/skills', name, 'SKILL.md'), 'utf8'))
    .join('\n');
  const lines = [
    ...[...skills.matchAll(/`(recall [^`]+)`/g)].map(([, line]) => line ?? ''),
    ...[...skills.matchAll(/Bash\((recall [^)]+)\)/g)].map(([, line]) => line ?? ''),
    ...hooks.map(({ command }) => command),
    ...Object.values(servers).map(({ command, args }) => [command, ...args].join(' ')),
  ];
  const bareFlags = [...skills.matchAll(/`(--[a-z-]+)/g)].map(([, flag]) => flag ?? '');
  let commands: string[] = [];
  beforeAll(() => {
    const { stdout } = runRecall(home, ['--help']);
    const section = stdout.split('Commands:\n')[1]?.split('\n\n')[0] ?? '';
    commands = [...section.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name ?? '');
  });

  /** Also those that every command takes. */
  function flagsOf(command: string): string[] {
    const { stdout } = runRecall(home, [commands.includes(command) ? command : 'index', '--help']);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag ?? '');
    return flags;
  }

  test('there is something to check', () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(bareFlags).toContain('--project');
    expect(commands).toEqual(expect.arrayContaining(['index', 'search', 'open', 'doctor', 'setup']));
  });

  test('every command is one of the program’s', () => {
    const named = [...new Set(lines.map((line) => line.split(' ')[1] ?? ''))];
    expect(named.filter((name) => !commands.includes(name))).toEqual([]);
  });

  test('every flag is one of that command’s', () => {
    const unknown = lines.filter((line) => {
      const known = flagsOf(line.split(' ')[1] ?? '');
      return (line.match(/(?<= )--[a-z-]+/g) ?? []).some((flag) => !known.includes(flag));
    });
    expect(unknown).toEqual([]);
    const known = flagsOf('search');
    expect(bareFlags.filter((flag) => !known.includes(flag))).toEqual([]);
  });
});

/** As Claude Code compares them: a star at the end stands for anything. */
function isAllowed(pattern: string, line: string): boolean {
  return pattern.endsWith('*') ? line.startsWith(pattern.slice(0, -1)) : line === pattern;
}
