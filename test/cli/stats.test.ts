// recall stats as a user or a script runs it: the JSON contract, periods, time zones, copies and subagents.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
const idOf = (name: string) => `${name}-0000-4000-8000-000000000001`;

beforeAll(() => {
  home = new TempHome();
  const original = [
    userLine('one', { timestamp: at(0) }),
    assistantLine('two', { timestamp: at(1) }),
    assistantLine([toolUse('Read', { file_path: '/a' }, 'toolu_1'), toolUse('Edit', { file_path: '/a' })], {
      timestamp: at(2),
    }),
    userLine([toolResult('toolu_1', true)], { timestamp: at(3) }),
  ];
  home.writeSession(idOf('aaaa0001'), original);
  // A fork has the same lines again, and one of its own, late at night.
  home.writeSession(idOf('aaaa0002'), [
    ...original,
    userLine('three', { timestamp: '2026-03-06T23:45:00.000Z' }),
  ]);
  home.write(`projects/-home-u-shop/${idOf('aaaa0002')}/subagents/agent-a1.jsonl`, [
    userLine('look', { timestamp: at(4), isSidechain: true, agentId: 'a1' }),
    assistantLine([toolUse('Grep', { pattern: 'x' })], {
      timestamp: at(4),
      isSidechain: true,
      agentId: 'a1',
    }),
    assistantLine('looked', { timestamp: at(4), isSidechain: true, agentId: 'a1' }),
  ]);
  home.writeSession(
    idOf('bbbb0001'),
    [userLine('four', { timestamp: at(0, '2026-03-09'), cwd: '/home/u/blog' })],
    '-home-u-blog',
  );
});
afterAll(() => home.remove());

function statsJson(args: string[] = [], env: Record<string, string> = {}) {
  const { stdout, code } = runRecall(home, ['stats', '--json', ...args], { env });
  return { code, ...JSON.parse(stdout) };
}

describe('recall stats', () => {
  test('field by field: copies once, subagents separately', () => {
    const stats = statsJson();
    expect(stats).toEqual({
      code: 0,
      schemaVersion: 3,
      since: null,
      until: null,
      freshness: { refreshed: true, pendingFiles: 0 },
      totals: {
        sessions: 2,
        messages: 4,
        prompts: 3,
        subagents: 1,
        projects: 2,
        toolCalls: 3,
        activeDays: 3,
      },
      days: [
        { day: '2026-03-05', sessions: 1, messages: 2 },
        { day: '2026-03-06', sessions: 1, messages: 1 },
        { day: '2026-03-09', sessions: 1, messages: 1 },
      ],
      hours: Array.from({ length: 24 }, (_, hour) => ({
        hour,
        messages: hour === 10 ? 3 : hour === 23 ? 1 : 0,
      })),
      projects: [
        { path: '/home/u/shop', sessions: 1, messages: 3 },
        { path: '/home/u/blog', sessions: 1, messages: 1 },
      ],
      models: [{ model: 'claude-sonnet-4-5', sessions: 1, subagents: 1 }],
      tools: [
        { name: 'Edit', calls: 1, failed: 0 },
        { name: 'Grep', calls: 1, failed: 0 },
        { name: 'Read', calls: 1, failed: 1 },
      ],
      longest: [
        expect.objectContaining({ rank: 1, id: idOf('aaaa0002'), copies: 1, messages: 3 }),
        expect.objectContaining({ rank: 2, id: idOf('bbbb0001'), copies: 0, messages: 1 }),
      ],
    });
  });

  test('days and hours are local', () => {
    const { days, hours } = statsJson([], { TZ: 'Asia/Kathmandu' });
    expect(days.map((day: { day: string }) => day.day)).toEqual(['2026-03-05', '2026-03-07', '2026-03-09']);
    const active = hours.filter((each: { messages: number }) => each.messages > 0);
    expect(active).toEqual([
      { hour: 5, messages: 1 },
      { hour: 15, messages: 3 },
    ]);
  });

  test('a period and a project', () => {
    expect(statsJson(['--since', '2026-03-06', '--until', '2026-03-08'])).toMatchObject({
      since: '2026-03-06T00:00:00.000Z',
      until: '2026-03-08T23:59:59.999Z',
      totals: { sessions: 1, messages: 1, projects: 1 },
      longest: [{ id: idOf('aaaa0002'), messages: 1 }],
    });
    expect(statsJson(['--project', 'blog']).totals).toMatchObject({ sessions: 1, messages: 1, toolCalls: 0 });
  });

  test('a page for people, with the longest sessions numbered for open', () => {
    const { code, stdout } = runRecall(home, ['stats']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^2 sessions in 2 projects, 4 messages, 3 of them yours\n1 subagent, 3 tool calls\n/,
    );
    expect(stdout).toContain('Messages by day\n    Mar\n');
    expect(JSON.parse(runRecall(home, ['open', '2', '--json']).stdout).id).toBe(idOf('bbbb0001'));
  });

  test('nothing found: exit 1; an invalid date: exit 2', () => {
    const { code, stdout, stderr } = runRecall(home, ['stats', '--since', '2030-01-01']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'recall: no session was active since 2030-01-01\n  try: leave --since 2030-01-01 out\n',
    );
    expect(statsJson(['--project', 'nowhere'])).toMatchObject({ code: 1, totals: { sessions: 0 }, days: [] });
    expect(runRecall(home, ['stats', '--since', 'whenever']).code).toBe(2);
  });
});
