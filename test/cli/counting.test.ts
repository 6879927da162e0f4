// A session is what a person had with an agent: every command counts the same, whatever else the index holds. They used to count
// transcripts, subagents and copies, each in its own way.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
const idOf = (name: string) => `${name}-0000-4000-8000-000000000001`;
const counted = { sessions: 3, messages: 6 };

beforeAll(() => {
  home = new TempHome();
  const shop = { cwd: '/home/u/shop' };
  const original = [userLine('a zebra', { ...shop, timestamp: at(0) }), assistantLine('striped', shop)];
  home.writeSession(idOf('aaaa0001'), original);
  // A copy that went on in another directory.
  home.writeSession(
    idOf('aaaa0002'),
    [
      { ...userLine('here'), cwd: '/home/u/other', timestamp: at(1) },
      ...original,
      userLine('on', { timestamp: at(9) }),
    ],
    '-home-u-other',
  );
  const aside = { isSidechain: true, timestamp: at(2) };
  home.write(`projects/-home-u-shop/${idOf('aaaa0001')}/subagents/agent-a1.jsonl`, [userLine('look', aside)]);
  // One of an old version, beside its session and in a work tree where nobody else was.
  home.write('projects/-home-u-tree/agent-b2.jsonl', [
    userLine('dig', { ...aside, cwd: '/home/u/tree', sessionId: idOf('bbbb0001'), agentId: 'b2' }),
  ]);
  home.writeSession(idOf('bbbb0001'), [userLine('an okapi', { ...shop, timestamp: at(3) })]);
  home.writeSession(idOf('cccc0001'), [{ type: 'summary', summary: 'nobody said a word', leafUuid: 'x' }]);
  home.write('projects/-home-u-shop/agent-c3.jsonl', [
    userLine('Warmup', { ...aside, sessionId: idOf('bbbb0001'), agentId: 'c3' }),
  ]);
  home.write('history.jsonl', [
    {
      display: 'only a prompt is left',
      timestamp: Date.parse(at(5)),
      project: '/home/u/blog',
      sessionId: idOf('eeee0001'),
    },
  ]);
  expect(runRecall(home, ['archive', 'on', '--yes']).code).toBe(0);
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

const json = (...args: string[]) => JSON.parse(runRecall(home, [...args, '--json']).stdout);

describe('one way of counting', () => {
  test('list, index, stats, projects and doctor', () => {
    expect(json('list')).toMatchObject({ total: counted.sessions });
    expect(json('index')).toMatchObject({ schemaVersion: 2, total: counted, agents: { claude: counted } });
    expect(json('stats')).toMatchObject({ schemaVersion: 3, totals: { ...counted, projects: 3 } });
    const { projects, ...rest } = json('projects');
    expect(rest).toEqual({ schemaVersion: 3, total: 3 });
    const sum = (of: keyof typeof counted) =>
      projects.reduce((n: number, each: typeof counted) => n + each[of], 0);
    expect({ sessions: sum('sessions'), messages: sum('messages') }).toEqual(counted);
    expect(json('doctor')).toMatchObject({ schemaVersion: 3, ...counted, projects: 3 });
  });

  test('a project in which only a subagent worked, or an older copy is, is not one of them', () => {
    const paths = json('projects').projects.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['/home/u/other', '/home/u/blog', '/home/u/shop']);
    expect(json('projects').projects.every(({ sessions }: typeof counted) => sessions > 0)).toBe(true);
  });

  test('the archive: all but what has no transcript', () => {
    expect(json('archive')).toMatchObject({ schemaVersion: 2, sessions: 2, pending: 0 });
    expect(runRecall(home, ['archive']).stdout).toContain('kept       2 sessions, ');
  });

  test('a search that finds nothing', () => {
    expect(runRecall(home, ['search', 'capybara']).stderr).toContain('in 3 sessions with 6 messages');
  });

  test('doctor alone explains the rest', () => {
    expect(runRecall(home, ['doctor']).stdout).toContain(
      'sessions   3 in 3 projects, 6 messages\nbesides    2 subagents, 1 copy of a conversation, 2 without messages or started by an agent for itself; ',
    );
    const { held } = json('doctor');
    expect(held.sessions).toBe(counted.sessions + held.subagents + held.copies + held.hidden);
  });
});
