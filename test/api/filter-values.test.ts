// How what was found is spread over agents, projects, branches and days.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { indexHome } from '../support/index-home.ts';

const home = new TempHome();
const recall = new Recall(toHost(home));

beforeAll(async () => {
  const write = (id: string, project: string, branch: string, day: string, word: string) =>
    home.writeSession(
      id,
      [
        userLine(`about the ${word}`, { cwd: project, gitBranch: branch, timestamp: at(0, day) }),
        assistantLine('yes', { cwd: project, gitBranch: branch, timestamp: at(1, day) }),
      ],
      project.replaceAll('/', '-'),
    );
  write('aaaaaaaa-0000-4000-8000-000000000001', '/home/u/shop', 'main', '2026-03-01', 'okapi');
  write('aaaaaaaa-0000-4000-8000-000000000002', '/home/u/shop', 'feat/x', '2026-03-02', 'okapi');
  write('aaaaaaaa-0000-4000-8000-000000000003', '/home/u/zoo', 'main', '2026-03-02', 'okapi');
  write('aaaaaaaa-0000-4000-8000-000000000004', '/home/u/zoo', 'HEAD', '2026-03-09', 'tapir');
  // What a subagent said counts for its session.
  home.write('projects/-home-u-zoo/aaaaaaaa-0000-4000-8000-000000000003/subagents/agent-a1b2c3d4.jsonl', [
    userLine('find the okapi', {
      isSidechain: true,
      agentId: 'a1b2c3d4',
      sessionId: 'aaaaaaaa-0000-4000-8000-000000000003',
    }),
    assistantLine('the okapi is here', {
      isSidechain: true,
      agentId: 'a1b2c3d4',
      sessionId: 'aaaaaaaa-0000-4000-8000-000000000003',
    }),
  ]);
  await indexHome(home);
});
afterAll(() => {
  recall.close();
  home.remove();
});

const facetsOf = async (request: Parameters<Recall['search']>[0]) =>
  (await recall.search({ ...request, facets: true }, { refresh: false })).facets;

test('every session that was found counts, not only those that are listed', async () => {
  const facets = await facetsOf({ query: 'okapi', limit: 1 });
  expect(facets).toEqual({
    agents: [{ value: 'claude', sessions: 3 }],
    projects: [
      { value: '/home/u/shop', sessions: 2 },
      { value: '/home/u/zoo', sessions: 1 },
    ],
    branches: [
      { value: 'main', sessions: 2 },
      { value: 'feat/x', sessions: 1 },
    ],
    days: [
      { value: '2026-03-01', sessions: 1 },
      { value: '2026-03-02', sessions: 2 },
    ],
  });
});

test('without words, all that the filters let through; their sums are the total', async () => {
  const all = await recall.search({ query: '', limit: 2, facets: true }, { refresh: false });
  expect(all.facets?.projects.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(all.total);
  expect(all.total).toBe(4);
  expect((await facetsOf({ query: '', project: '/home/u/zoo' }))?.days).toEqual([
    { value: '2026-03-02', sessions: 1 },
    { value: '2026-03-09', sessions: 1 },
  ]);
});

test('nothing found has none, and nothing is counted unless it is asked for', async () => {
  expect(await facetsOf({ query: 'zzzqqqxxx' })).toEqual({
    agents: [],
    projects: [],
    branches: [],
    days: [],
  });
  expect((await recall.search({ query: 'okapi' }, { refresh: false })).facets).toBeNull();
});
