// Seven agents in one home: one index, one search, and for each session the command that resumes it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agents } from '../../src/records.ts';
import { runRecall } from '../support/program.ts';
import { claudeSession, SevenHome, usualPlaces } from '../support/seven-home.ts';

const home = new SevenHome();
afterAll(() => home.remove());

const run = (...args: string[]) => runRecall(home, args);
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);
const agentsOf = (sessions: readonly { agent: string }[]) =>
  [...new Set(sessions.map(({ agent }) => agent))].sort();

beforeAll(() => {
  expect(run('index')).toMatchObject({ code: 0 });
});

test('index says what it found of each, and finds it once', () => {
  const { stdout } = run('index');
  expect(stdout).toMatch(
    /nothing changed .*\(claude 1, codex 7, copilot 2, gemini 4, opencode 5, pi 2, qwen 3\)/,
  );
  expect(json('index').agents).toMatchObject({ claude: { sessions: 1, messages: 2 }, pi: { sessions: 2 } });
});

describe('a search', () => {
  test('finds them all, and says whose each is', () => {
    const { hits } = json('search', 'why', '--limit', '50');
    expect(agentsOf(hits)).toEqual(['claude', 'codex', 'copilot', 'gemini', 'opencode']);
    expect(run('search', 'voucher page').stdout).toMatch(/c1a0de00 .* claude /);
    expect(run('list', '--agent', 'pi').stdout).toMatch(/019cbd2a-7b00 .* pi /);
  });

  test.each(agents)('finds those of %s, by flag and in the query', (agent) => {
    const { sessions } = json('list', '--agent', agent);
    expect(agentsOf(sessions)).toEqual([agent]);
    expect(json('search', `agent:${agent}`, '--limit', '50').total).toBe(sessions.length);
  });

  test('leaves those of one out', () => {
    const { hits } = json('search', '-agent:codex', '--limit', '50');
    expect(agentsOf(hits)).toEqual(agents.filter((agent) => agent !== 'codex'));
    expect(run('search', 'x', '--agent', 'cursor')).toMatchObject({ code: 2 });
  });

  test('stats, projects and files too', () => {
    expect(json('stats', '--agent', 'gemini').projects).toHaveLength(2);
    const projects = json('projects', '--agent', 'copilot').projects as { sessions: number }[];
    expect(projects.map(({ sessions }) => sessions)).toEqual([1, 1]);
    expect(agentsOf(json('files', 'checkout.ts', '--changed').sessions)).toEqual(['codex']);
    expect(agentsOf(json('files', 'merge.ts', '--agent', 'copilot').sessions)).toEqual(['copilot']);
  });
});

describe('open', () => {
  const q = (path: string) => `'${path}'`;
  const shop = home.shop;
  const pi = '019cbd2a-7b00-7000-8000-0000000000a1';
  test.each([
    ['claude', claudeSession, `cd ${q(shop)} && claude -r ${claudeSession}`],
    [
      'codex',
      '019cbd2a-7a00-7000-8000-00000000000a',
      `cd ${q(shop)} && codex resume 019cbd2a-7a00-7000-8000-00000000000a`,
    ],
    [
      'copilot',
      'b7a6c5d4-0000-4000-8000-00000000c0a1',
      'copilot --resume=b7a6c5d4-0000-4000-8000-00000000c0a1',
    ],
    ['gemini', '6e6d0001', `cd ${q(shop)} && gemini --resume 6e6d0001-0000-4000-8000-0000000000a1`],
    ['opencode', 'ses_0a1b2c3d4e5f60718293a4b5', `cd ${q(shop)} && opencode -s ses_0a1b2c3d4e5f60718293a4b5`],
    [
      'pi',
      pi,
      `pi --session ${home.path}/.pi/agent/sessions/--home-maya-shop--/2026-03-05T10-00-00-000Z_${pi}.jsonl`,
    ],
    [
      'qwen',
      '5a4b3c2d-1e0f-4a1b-8c2d-00000000aaa1',
      `cd ${q(shop)} && qwen -r 5a4b3c2d-1e0f-4a1b-8c2d-00000000aaa1`,
    ],
  ])('prints the command of %s', (_, id, command) => {
    expect(run('open', id)).toMatchObject({ code: 0, stdout: `${command}\n` });
  });

  test('says what has to be done first with an archived session', () => {
    const id = '019cbd2a-7a00-7000-8000-00000000000d';
    const { code, stderr } = run('open', id);
    expect(code).toBe(1);
    expect(stderr).toContain(`codex unarchive ${id}`);
    expect(json('open', id)).toMatchObject({ resumable: false, argv: ['codex', 'resume', id] });
  });

  test('does not promise what a program refuses without the directory', () => {
    rmSync(join(home.path, 'blog'), { recursive: true });
    expect(json('open', '6e6d0004')).toMatchObject({
      resumable: false,
      argv: ['gemini', '--resume', expect.any(String)],
    });
    expect(run('open', '6e6d0004').stderr).toContain('mkdir -p');
    expect(json('open', '019cbd2a-7a00-7000-8000-00000000000e')).toMatchObject({
      resumable: true,
      cwd: null,
    });
    mkdirSync(join(home.path, 'blog'));
  });

  test('runs it', () => {
    const bin = join(home.path, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'qwen'), '#!/bin/sh\necho "$PWD|$*"\n', { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const { stdout } = runRecall(home, ['open', '5a4b3c2d-1e0f-4a1b-8c2d-00000000aaa1', '--run'], { env });
    expect(stdout).toBe(`${shop}|-r 5a4b3c2d-1e0f-4a1b-8c2d-00000000aaa1\n`);
  });
});

describe('the folders', () => {
  const agentsIn = (args: readonly string[], env: Record<string, string> = {}) => {
    const db = join(home.path, 'other.db');
    rmSync(db, { force: true });
    const { stdout } = runRecall(home, ['index', '--db', db, '--json', ...args], { env });
    return Object.keys(JSON.parse(stdout).agents);
  };
  const codex = join(home.path, usualPlaces.codex);

  test('that are named leave the usual ones of all agents out', () => {
    expect(agentsIn(['--claude-dir', home.claudeDir])).toEqual(['claude']);
    expect(agentsIn([], { CLAUDE_CONFIG_DIR: home.claudeDir })).toEqual(['claude']);
    expect(agentsIn(['--agent-dir', `codex=${codex}`])).toEqual(['codex']);
    expect(agentsIn(['--claude-dir', home.claudeDir, '--agent-dir', `codex=${codex}`])).toEqual([
      'claude',
      'codex',
    ]);
  });

  test('are switched off and added in config.json', () => {
    const config = join(home.path, '.config', 'recall', 'config.json');
    const other = join(home.path, 'other-pi');
    home.fill('pi', other);
    mkdirSync(join(home.path, '.config', 'recall'), { recursive: true });
    const write = (agents: unknown) => writeFileSync(config, JSON.stringify({ agents }));
    write({ codex: false, gemini: false, pi: [other] });
    expect(agentsIn([])).toEqual(['claude', 'copilot', 'opencode', 'pi', 'qwen']);
    write({ codex: true });
    expect(agentsIn([], { CLAUDE_CONFIG_DIR: home.claudeDir })).toEqual(['claude', 'codex']);
    write({ cursor: true });
    expect(run('list').stderr).toContain('"cursor" is not one of claude, codex');
    rmSync(config);
  });

  test('are named by agent, or refused', () => {
    const { code, stderr } = run('list', '--agent-dir', 'cursor=/tmp');
    expect(code).toBe(2);
    expect(stderr).toContain('--agent-dir <agent>=<dir>');
    expect(run('list', '--agent-dir', 'codex=/nowhere').stderr).toContain('no Codex folder at /nowhere');
  });
});
