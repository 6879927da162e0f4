// recall list as a user or a script runs it: filters, numbers for open, the JSON contract, exit codes.

import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeAll(() => {
  home = new TempHome();
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
});
afterAll(() => home.remove());

function listJson(args: string[] = [], env: Record<string, string> = {}) {
  const { stdout, code } = runRecall(home, ['list', '--json', ...args], { env });
  return { code, ...JSON.parse(stdout) };
}

describe('recall list', () => {
  test('indexes everything, then lists it, newest first', () => {
    const { code, ...found } = listJson(['--limit', '100']);
    expect(code).toBe(0);
    expect(found).toMatchObject({
      schemaVersion: 2,
      total: found.sessions.length,
      freshness: { refreshed: true, pendingFiles: 0 },
    });
    const times = found.sessions.map((session: { modifiedAt: string }) => session.modifiedAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('a session has the fields of a hit except those of the match', () => {
    const [hit] = JSON.parse(
      runRecall(home, ['search', 'rate limiting for the login', '--json']).stdout,
    ).hits;
    const { score, matchCount, matches, rank, ...fields } = hit;
    const listed = listJson(['--limit', '100']).sessions.find(
      (session: { id: string }) => session.id === hit.id,
    );
    const { rank: place, ...session } = listed;
    expect(session).toEqual(fields);
    expect(place).toBeGreaterThan(0);
  });

  test('numbers are for open', () => {
    const args = ['--limit', '3', '--project', 'shop'];
    const second = listJson(args).sessions[1];
    runRecall(home, ['list', ...args]);
    const opened = JSON.parse(runRecall(home, ['open', '2', '--json']).stdout);
    expect(opened.id).toBe(second.id);
  });

  test('the filters of search', () => {
    const ids = (args: string[]) =>
      listJson(args)
        .sessions.map((session: { id: string }) => session.id)
        .sort();
    const found = (args: string[]) =>
      JSON.parse(runRecall(home, ['search', ...args, '--limit', '100', '--json', '']).stdout)
        .hits.map((hit: { id: string }) => hit.id)
        .sort();
    for (const args of [
      ['--project', 'shop'],
      ['--branch', 'main'],
      ['--since', '2026-10-20', '--until', '2026-11-05'],
      ['--file', 'jwt-auth.ts'],
      ['--model', 'opus'],
      ['--kind', 'history'],
      ['--role', 'assistant'],
      ['--subagents'],
      ['--kind', 'subagent'],
      ['--all'],
    ])
      expect(ids([...args, '--limit', '100']), args.join(' ')).toEqual(found(args));
    for (const [older, name] of [
      [['--agents'], ['--subagents']],
      [
        ['--kind', 'agent'],
        ['--kind', 'subagent'],
      ],
    ] as const)
      expect(ids([...older, '--limit', '100']), older.join(' ')).toEqual(ids([...name, '--limit', '100']));
    expect(ids(['--kind', 'subagent']).length).toBeGreaterThan(0);
    expect(ids(['--all', '--limit', '100']).length).toBeGreaterThan(ids(['--limit', '100']).length);
  });

  test('the session it is called from is listed and marked', () => {
    const [first] = listJson().sessions;
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: first.id };
    expect(listJson([], env).sessions[0].id).toBe(first.id);
    const { stdout } = runRecall(home, ['list', '--limit', '2'], { env });
    expect(stdout.match(/this session/g)).toHaveLength(1);
    expect(stdout).toMatch(/ {2}this session\n/);
  });

  test('a session written a moment ago comes first, under today', () => {
    home.writeSession('aaaa1111-0000-4000-8000-000000000001', [
      userLine('is the kettle on?', { timestamp: new Date().toISOString() }),
    ]);
    expect(runRecall(home, ['list', '--no-refresh']).stdout).not.toContain('kettle');
    expect(runRecall(home, ['list']).stdout).toMatch(
      /^(Today|Yesterday)\n 1 is the kettle on\?\n {3}aaaa1111/,
    );
  });

  // It found nothing but sessions in which nothing was said.
  test('--all is not suggested for a filter that leaves nothing', () => {
    const { stderr } = runRecall(home, ['list', '--since', '2190-01-01']);
    expect(stderr).toBe(
      'recall: no session was active since 2190-01-01\n  try: leave --since 2190-01-01 out\n',
    );
  });

  test('nothing matches: exit 1 and what to try', () => {
    const { code, stdout, stderr } = runRecall(home, ['list', '--branch', 'no-such-branch']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'recall: no session is on branch no-such-branch\n  try: leave --branch no-such-branch out\n',
    );
    const json = listJson(['--branch', 'no-such-branch']);
    expect(json).toMatchObject({ code: 1, total: 0, sessions: [] });
  });

  test('an invalid number or date is an error', () => {
    for (const args of [
      ['--limit', '0'],
      ['--limit', 'x'],
      ['--since', 'whenever'],
    ])
      expect(runRecall(home, ['list', ...args]).code, args.join(' ')).toBe(2);
  });

  test('an empty index is reported', () => {
    const empty = new TempHome();
    const { code, stderr } = runRecall(empty, ['list']);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `recall: the index is empty; recall looks for sessions in ${empty.claudeDir}\n  try: another folder with --claude-dir <dir> or --agent-dir <agent=dir>\n`,
    );
    // It was refreshed a moment ago, so that only helps where it was not.
    expect(runRecall(empty, ['list', '--no-refresh']).stderr).toContain(
      'try: recall index, or another folder',
    );
    empty.remove();
  });

  test('escape sequences in titles do not reach the terminal', () => {
    const other = new TempHome();
    other.writeSession('bbbb1111-0000-4000-8000-000000000001', [
      userLine('\u001b]0;owned\u0007 hello \u202e', { timestamp: at(1), cwd: '/home/u/\u001b[2Jshop' }),
    ]);
    expect(runRecall(other, ['list']).stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    other.remove();
  });
});
