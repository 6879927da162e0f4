// `recall setup claude`: prints what to configure, changes settings only on request, and undoes it.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';
import { programPath, type Result, type RunOptions, runRecall } from '../support/program.ts';

let home: TempHome;
let settingsPath: string;
let userConfigPath: string;
beforeEach(() => {
  home = new TempHome();
  settingsPath = join(home.claudeDir, 'settings.json');
  userConfigPath = join(home.path, '.claude.json');
  const bin = join(home.path, 'bin');
  mkdirSync(bin);
  symlinkSync(programPath, join(bin, 'recall'));
});
afterEach(() => home.remove());

function setup(args: readonly string[], options: RunOptions = {}): Result {
  const env = { PATH: `${join(home.path, 'bin')}:${process.env.PATH}`, ...options.env };
  return runRecall(home, ['setup', 'claude', ...args], { ...options, env });
}
const read = (path: string) => readFileSync(path, 'utf8');
const readJson = (path: string) => JSON.parse(read(path)) as unknown;

const settings = `{
    "model": "opus",
    "permissions": {"allow": ["Bash(ls *)"]},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
    }
}
`;
const userConfig =
  '{"numStartups":3,"mcpServers":{"github":{"type":"http","url":"https://example.com"}},"theme":"dark"}';

function writeBoth(): void {
  writeFileSync(settingsPath, settings);
  writeFileSync(userConfigPath, userConfig);
}

describe('without --write or --remove', () => {
  test('it prints what to configure and changes nothing', () => {
    const { code, stdout, stderr } = setup([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      '    claude mcp add --scope user recall -- recall mcp\n\nor in ~/.claude.json:\n',
    );
    expect(stdout).toContain(
      'in ~/.claude/settings.json:\n\n    {\n      "hooks": {\n        "SessionEnd": [\n',
    );
    expect(stdout).toMatch(/\nNothing was changed\. To write these entries: recall setup claude --write\n$/);
    expect(existsSync(userConfigPath)).toBe(false);
    expect(readdirSync(home.claudeDir)).toEqual([]);
  });

  test.each([
    ['--no-mcp', 'hook'],
    ['--no-hook', 'mcp'],
  ])('%s: only the %s', (flag, part) => {
    const { stdout } = setup([flag, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      changed: false,
      steps: [{ part, state: 'pending' }],
    });
  });

  test('both flags leave nothing', () => {
    const { code, stderr } = setup(['--no-mcp', '--no-hook']);
    expect(code).toBe(2);
    expect(stderr).toContain('recall: --no-mcp and --no-hook together leave nothing to set up');
  });

  test.each([['--write'], ['--remove']])('without a terminal %s shows the change and needs --yes', (flag) => {
    writeBoth();
    if (flag === '--remove') setup(['--write', '--yes']);
    const before = [read(settingsPath), read(userConfigPath)];
    const { code, stdout, stderr } = setup([flag]);
    expect(code).toBe(2);
    expect(stdout).toContain('--- ~/.claude/settings.json\n+++ ~/.claude/settings.json\n@@');
    expect(stderr).toBe(
      `recall: setup would change Claude Code’s settings\n  try: recall setup claude ${flag} --yes\n`,
    );
    expect([read(settingsPath), read(userConfigPath)]).toEqual(before);
  });

  test('warns if Claude Code would not find recall', () => {
    const { stderr } = setup([], { env: { PATH: '/nonexistent' } });
    expect(stderr).toContain('recall is not on your PATH');
  });
});

describe('--write and --remove', () => {
  test('add and remove, and everything else stays as it was, byte for byte', () => {
    writeBoth();
    chmodSync(userConfigPath, 0o600);
    const { code, stdout, stderr } = setup(['--write', '--yes']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "--- ~/.claude.json
      +++ ~/.claude.json
      @@ -1,1 +1,1 @@
      -{"numStartups":3,"mcpServers":{"github":{"type":"http","url":"https://example.com"}},"theme":"dark"}
      +{"numStartups":3,"mcpServers":{"github":{"type":"http","url":"https://example.com"},"recall":{"type":"stdio","command":"recall","args":["mcp"]}},"theme":"dark"}

      --- ~/.claude/settings.json
      +++ ~/.claude/settings.json
      @@ -2,6 +2,18 @@
           "model": "opus",
           "permissions": {"allow": ["Bash(ls *)"]},
           "hooks": {
      -        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
      +        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
      +        "SessionEnd": [
      +            {
      +                "hooks": [
      +                    {
      +                        "type": "command",
      +                        "command": "recall index --quiet",
      +                        "async": true,
      +                        "timeout": 60
      +                    }
      +                ]
      +            }
      +        ]
           }
       }

      ~/.claude.json: MCP server: added
      ~/.claude/settings.json: hook: added
      new Claude Code sessions will use it
      "
    `);
    expect(statSync(userConfigPath).mode & 0o777).toBe(0o600);
    expect(read(userConfigPath)).toBe(
      userConfig.replace(
        '}},"theme"',
        '},"recall":{"type":"stdio","command":"recall","args":["mcp"]}},"theme"',
      ),
    );
    expect(readJson(settingsPath)).toMatchObject({
      model: 'opus',
      hooks: {
        SessionEnd: [
          { hooks: [{ type: 'command', command: 'recall index --quiet', async: true, timeout: 60 }] },
        ],
      },
    });

    const added = [read(settingsPath), read(userConfigPath)];
    const times = [statSync(settingsPath).mtimeMs, statSync(userConfigPath).mtimeMs];
    expect(setup(['--write'])).toEqual({
      code: 0,
      stdout:
        '~/.claude.json: MCP server: already there\n~/.claude/settings.json: hook: already there\nnothing to do\n',
      stderr: '',
    });
    expect([read(settingsPath), read(userConfigPath)]).toEqual(added);
    expect([statSync(settingsPath).mtimeMs, statSync(userConfigPath).mtimeMs]).toEqual(times);
    expect(setup([]).stdout).toMatch(/\nEverything is set up\. To undo it: recall setup claude --remove\n$/);

    expect(setup(['--remove', '--yes']).code).toBe(0);
    expect([read(settingsPath), read(userConfigPath)]).toEqual([settings, userConfig]);
    expect(setup(['--remove']).stdout).toMatch(/hook: not there\nnothing to do\n$/);
    expect(readdirSync(home.claudeDir)).toEqual(['settings.json']);
  });

  test('create missing files', () => {
    expect(setup(['--write', '-y', '--quiet'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readJson(userConfigPath)).toEqual({
      mcpServers: { recall: { type: 'stdio', command: 'recall', args: ['mcp'] } },
    });
    expect([settingsPath, userConfigPath].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  test('report in JSON', () => {
    const { code, stdout } = setup(['--write', '--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      changed: true,
      steps: [
        { part: 'mcp', file: userConfigPath, action: 'add', state: 'done' },
        { part: 'hook', file: settingsPath, action: 'add', state: 'done' },
      ],
    });
    expect(JSON.parse(setup(['--write', '--json']).stdout)).toMatchObject({
      changed: false,
      steps: [{ state: 'already' }, { state: 'already' }],
    });
    expect(JSON.parse(setup(['--remove', '--json']).stdout)).toMatchObject({
      error: { code: 'needs-confirmation' },
    });
  });

  test('exclude each other', () => {
    const { code, stderr } = setup(['--write', '--remove']);
    expect(code).toBe(2);
    expect(stderr).toContain("option '--remove' cannot be used with option '--write'");
  });

  test('follow a link to dotfiles', () => {
    const target = join(home.path, 'dotfiles.json');
    writeFileSync(target, settings);
    symlinkSync(target, settingsPath);
    setup(['--write', '--yes', '--no-mcp']);
    expect(lstatSync(settingsPath).isSymbolicLink()).toBe(true);
    expect(read(target)).toContain('recall index --quiet');
  });

  test.each([['settings.json'], ['../.claude.json']])(
    'a broken %s is named, and neither file is written',
    (name) => {
      writeBoth();
      const broken = join(home.claudeDir, name);
      writeFileSync(broken, '{"a": 1,}');
      const others = [settingsPath, userConfigPath].map(read);
      for (const flags of [[], ['--write', '--yes'], ['--remove', '--yes']]) {
        const { code, stdout, stderr } = setup(flags);
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(`recall: ${broken} was not changed: it is not JSON (`);
      }
      expect([settingsPath, userConfigPath].map(read)).toEqual(others);
    },
  );

  test('another server with the same name stays, with a note', () => {
    writeFileSync(userConfigPath, '{"mcpServers":{"recall":{"command":"mine"}}}');
    expect(setup(['--write', '--yes']).stdout).toContain(
      '~/.claude.json: MCP server: not changed: another MCP server is already named recall\n',
    );
    expect(setup(['--remove', '--yes']).code).toBe(0);
    expect(read(userConfigPath)).toBe('{"mcpServers":{"recall":{"command":"mine"}}}');
  });
});

describe('which files', () => {
  test('--claude-dir: both in that folder, as with CLAUDE_CONFIG_DIR', () => {
    const folder = join(home.path, "my 'work'");
    mkdirSync(folder);
    const { stdout } = setup(['--claude-dir', folder]);
    expect(stdout).toContain(
      `CLAUDE_CONFIG_DIR='${home.path}/my '\\''work'\\''' claude mcp add --scope user`,
    );
    setup(['--claude-dir', folder, '--write', '--yes']);
    expect(readdirSync(folder).sort()).toEqual(['.claude.json', 'settings.json']);
    setup(['--remove', '--yes'], { env: { CLAUDE_CONFIG_DIR: folder } });
    expect(read(join(folder, '.claude.json'))).toBe('{}\n');
    expect(existsSync(settingsPath) || existsSync(userConfigPath)).toBe(false);
  });

  test('the default folder, set by the variable, has both', () => {
    setup(['--write', '--yes'], { env: { CLAUDE_CONFIG_DIR: home.claudeDir } });
    expect(readdirSync(home.claudeDir).sort()).toEqual(['.claude.json', 'settings.json']);
  });

  test('the default folder, set by the flag, has .claude.json next to it', () => {
    setup(['--claude-dir', '.claude', '--write', '--yes'], { env: { CLAUDE_CONFIG_DIR: '' } });
    expect(readdirSync(home.claudeDir)).toEqual(['settings.json']);
    expect(existsSync(userConfigPath)).toBe(true);
  });

  test('no such folder', () => {
    const { code, stderr } = setup(['--claude-dir', 'none', '--write', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toContain('no Claude Code folder at');
  });
});

test('without a folder of Claude Code there is nothing to set up, whichever other agents are used', () => {
  rmSync(home.claudeDir, { recursive: true });
  mkdirSync(join(home.path, '.codex'));
  for (const flags of [[], ['--write', '--yes']]) {
    const { code, stdout, stderr } = setup(flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`no Claude Code folder at ${home.claudeDir}`);
  }
});

test('it sets up Claude Code and nothing else', () => {
  const { code, stderr } = runRecall(home, ['setup', 'emacs']);
  expect(code).toBe(2);
  expect(stderr).toContain('<program> must be one of claude, not emacs');
});
