// Every agent in one home: one index, one search, and for each session the command that resumes it.

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
    /nothing changed .*\(antigravity 1, claude 1, cline 2, codex 2, copilot 2, crush 2, cursor 2, droid 2, gemini 2, grok 2, hermes 3, kilo 1, kimi 2, omp 2, openclaw 3, opencode 3, pi 1, qwen 1\)/,
  );
  const { agents, total } = json('index');
  expect(agents).toMatchObject({ claude: { sessions: 1, messages: 2 }, pi: { sessions: 1 } });
  expect(json('list').total).toBe(total.sessions);
  for (const agent of ['codex', 'gemini', 'qwen'])
    expect(json('list', '--agent', agent).total).toBe(agents[agent]?.sessions ?? 0);
});

describe('a search', () => {
  test('finds them all, and says whose each is', () => {
    const { hits } = json('search', 'why', '--limit', '50');
    expect(agentsOf(hits)).toEqual(['claude', 'codex', 'copilot', 'gemini', 'kimi', 'opencode']);
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
    expect(agentsOf(hits)).toEqual(agents.filter((agent) => agent !== 'codex').sort());
    expect(run('search', 'x', '--agent', 'aider')).toMatchObject({ code: 2 });
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
  const kimi = 'session_0a1b2c3d-0000-4000-8000-0000000000a1';
  const omp = '01a1edd0-0000-7000-8000-0000000000a1';
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
      'antigravity',
      'a9170000-0000-4000-8000-0000000000a1',
      'agy --conversation a9170000-0000-4000-8000-0000000000a1',
    ],
    ['cline', '1772704800000_aaaaa', `cd ${q(shop)} && cline --id 1772704800000_aaaaa`],
    [
      'crush',
      'c7054000-0000-4000-8000-0000000000a1',
      `crush --data-dir ${home.path}/.local/share/crush --session c7054000-0000-4000-8000-0000000000a1`,
    ],
    [
      'cursor',
      'c0450000-0000-4000-8000-0000000000a1',
      'cursor-agent --resume c0450000-0000-4000-8000-0000000000a1',
    ],
    [
      'droid',
      'd401d000-0000-4000-8000-0000000000a1',
      `cd ${q(shop)} && droid --resume d401d000-0000-4000-8000-0000000000a1`,
    ],
    [
      'grok',
      '01a1edc1-0000-7000-8000-0000000000a1',
      `cd ${q(shop)} && grok -r 01a1edc1-0000-7000-8000-0000000000a1`,
    ],
    ['hermes', '20260305_100000_aabbcc', 'hermes --resume 20260305_100000_aabbcc'],
    ['kilo', 'ses_1b2c3d4e5f60718293a4b5c6', `cd ${q(shop)} && kilo -s ses_1b2c3d4e5f60718293a4b5c6`],
    ['kimi', kimi, `cd ${q(shop)} && kimi --session ${kimi}`],
    ['omp', omp, `omp --resume ${home.path}/.omp/agent/sessions/-shop/2026-03-05T10-00-00-000Z_${omp}.jsonl`],
    ['openclaw', '0c1a0000-0000-4000-8000-0000000000a1', "openclaw tui --session 'agent:main:main'"],
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
    expect(agentsIn([])).toEqual(agents.filter((agent) => agent !== 'codex' && agent !== 'gemini').sort());
    write({ codex: true });
    expect(agentsIn([], { CLAUDE_CONFIG_DIR: home.claudeDir })).toEqual(['claude', 'codex']);
    write({ aider: true });
    expect(run('list').stderr).toContain('"aider" is not one of claude, antigravity, cline');
    rmSync(config);
  });

  test('are named by agent, or refused', () => {
    const { code, stderr } = run('list', '--agent-dir', 'aider=/tmp');
    expect(code).toBe(2);
    expect(stderr).toContain('--agent-dir <agent>=<dir>');
    expect(run('list', '--agent-dir', 'codex=/nowhere').stderr).toContain('no Codex folder at /nowhere');
  });
});
