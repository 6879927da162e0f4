// One result per conversation: subagents, saved histories and copies are shown under what a person would
// open.

import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, type Line, toolUse, userLine } from '../support/home.ts';
import { indexHome } from '../support/index-home.ts';
import { ask, type Indexed, idsOf, indexed } from './ask.ts';

const parent = 'aaaaaaaa-0000-4000-8000-000000000001';
const rival = 'bbbbbbbb-0000-4000-8000-000000000002';
const original = 'cccccccc-0000-4000-8000-000000000003';
const fork = 'dddddddd-0000-4000-8000-000000000004';
const asked = 'eeeeeeee-0000-4000-8000-000000000005';

let index: Indexed;

beforeAll(async () => {
  const agentLine = {
    ...{ isSidechain: true, agentId: 'a1b2c3d4', sessionId: parent },
    gitBranch: 'feat/ocelot',
  };
  const shared: Line[] = [
    userLine('plan the walrus exhibit', { timestamp: at(0), uuid: '11111111-0000-4000-8000-000000000001' }),
    assistantLine('A pool, some rocks, and herring.', {
      timestamp: at(1),
      uuid: '11111111-0000-4000-8000-000000000002',
    }),
  ];
  index = await indexed((home) => {
    home.writeSession(parent, [userLine('check every verifier', { timestamp: at(0) })]);
    home.write(`projects/-home-u-shop/${parent}/subagents/agent-a1b2c3d4.jsonl`, [
      userLine('look for armadillo', { ...agentLine, timestamp: at(1), cwd: '/home/u/worktree' }),
      assistantLine('armadillo is in src/ws/upgrade.ts', { ...agentLine, timestamp: at(2) }),
      assistantLine([toolUse('Edit', { file_path: '/home/u/worktree/burrow.ts' })], {
        ...agentLine,
        timestamp: at(3),
      }),
    ]);
    home.write(`projects/-home-u-shop/${parent}/subagents/agent-a1b2c3d4.meta.json`, {
      agentType: 'Explore',
      description: 'Find armadillo',
    });
    home.writeSession(rival, [userLine('armadillo is in src/ws/upgrade.ts', { timestamp: at(3) })]);
    home.writeSession(original, [...shared, userLine('only here: the narwhal tank', { timestamp: at(5) })]);
    home.writeSession(fork, [...shared, userLine('only here: the otter slide', { timestamp: at(60) })]);
    home.writeSession('gggggggg-0000-4000-8000-000000000007', [
      userLine('the ocelot is done', { timestamp: at(0) }),
    ]);
    home.writeSession(asked, [
      userLine('<bash-input>recall search capybara</bash-input>', { timestamp: at(0, '2026-10-01') }),
      userLine('1 the capybara pond\n1 of 1 sessions   open one: recall open <number>  capybara capybara', {
        timestamp: at(1, '2026-10-01'),
      }),
    ]);
    home.writeSession('ffffffff-0000-4000-8000-000000000006', [
      userLine('hello', { timestamp: at(0) }),
      assistantLine('somewhere in a longer answer about the park the capybara is mentioned once', {
        timestamp: at(1),
      }),
    ]);
  });
});

afterAll(() => index.close());

test('a session is found by the branch on which only its subagent worked, beside one that speaks of it', async () => {
  const result = await ask(index.store, 'ocelot');
  expect(idsOf(result).sort()).toEqual([parent, 'gggggggg-0000-4000-8000-000000000007']);
  expect(result.total).toBe(2);
});

describe('subagents', () => {
  test('are shown under their session, and named', async () => {
    const result = await ask(index.store, 'armadillo');
    expect(idsOf(result).sort()).toEqual([parent, rival]);
    const hit = result.hits.find((each) => each.session.nativeId === parent);
    expect(hit?.matches[0]?.subagent).toMatchObject({
      nativeId: 'a1b2c3d4',
      kind: 'subagent',
      subagentType: 'Explore',
    });
  });

  test('count less than the session’s own words', async () => {
    expect(idsOf(await ask(index.store, 'armadillo upgrade.ts'))[0]).toBe(rival);
  });

  test('are found together with words of their session', async () => {
    const result = await ask(index.store, 'verifier armadillo');
    expect(result.tier).toBe('all');
    expect(idsOf(result)).toEqual([parent]);
  });

  test('are separate results on request', async () => {
    expect(idsOf(await ask(index.store, 'armadillo', { listsSubagents: true })).sort()).toEqual(
      ['a1b2c3d4', rival].sort(),
    );
    expect(
      idsOf(
        await ask(index.store, 'armadillo', {
          listsSubagents: true,
          filters: { only: { kind: 'subagent' } },
        }),
      ),
    ).toEqual(['a1b2c3d4']);
    expect(idsOf(await ask(index.store, 'armadillo', { filters: { only: { kind: 'main' } } }))).toEqual([
      rival,
    ]);
  });

  test('and their session are excluded together', async () => {
    expect(idsOf(await ask(index.store, 'armadillo -verifier'))).toEqual([rival]);
    expect(idsOf(await ask(index.store, 'verifier -armadillo'))).toEqual([]);
    const alone = { listsSubagents: true, filters: { only: { kind: 'subagent' } } } as const;
    expect(idsOf(await ask(index.store, 'armadillo -verifier', alone))).toEqual(['a1b2c3d4']);
  });

  test('of an unknown session are separate results', async () => {
    const orphans = await indexed((home) => {
      for (const [id, text] of [
        ['one', 'the quokka'],
        ['two', 'the quokka and the wombat'],
      ] as const) {
        const lines = [
          userLine(text, { isSidechain: true, agentId: id, sessionId: parent, timestamp: at(1) }),
        ];
        home.write(`projects/-home-u-shop/${parent}/subagents/agent-${id}.jsonl`, lines);
      }
    });
    expect(idsOf(await ask(orphans.store, 'quokka -wombat'))).toEqual(['one']);
    orphans.close();
  });

  test('belong to their session’s project, and what they did counts as done by it', async () => {
    const { db } = index.store;
    const shop = db.prepare("select id from project where path = '/home/u/shop'").pluck().get() as number;
    const inShop = await ask(index.store, 'armadillo', { filters: { only: { project: [shop] } } });
    expect(idsOf(inShop).sort()).toEqual([parent, rival]);
    const without = { project: [[shop]] };
    expect(idsOf(await ask(index.store, 'armadillo', { filters: { without } }))).toEqual([]);
    expect(idsOf(await ask(index.store, 'verifier', { filters: { only: { file: 'burrow.ts' } } }))).toEqual([
      parent,
    ]);
  });

  test('their kind and task count as words of the session', async () => {
    expect(await ask(index.store, 'verifier explore')).toMatchObject({ tier: 'all', total: 1 });
  });

  test('of the current session are excluded with it', async () => {
    expect(idsOf(await ask(index.store, 'armadillo', { filters: { excludedNativeIds: [parent] } }))).toEqual([
      rival,
    ]);
  });
});

describe('copies', () => {
  test('are counted, and the newest of equal ones is shown', async () => {
    const result = await ask(index.store, 'walrus');
    expect(result.total).toBe(1);
    expect(result.hits[0]).toMatchObject({ session: { nativeId: fork }, copies: 1 });
  });

  test('the copy that contains the match is shown', async () => {
    expect(idsOf(await ask(index.store, 'narwhal'))).toEqual([original]);
    expect(idsOf(await ask(index.store, 'walrus narwhal'))).toEqual([original]);
    expect(idsOf(await ask(index.store, 'otter'))).toEqual([fork]);
  });
});

test('the copy on the branch that was asked for is shown, also beside words that both contain', async () => {
  const said = (gitBranch: string) =>
    userLine('plan the walrus exhibit', { timestamp: at(0), uuid: asked, gitBranch });
  const branches = await indexed((home) => {
    home.writeSession(original, [said('feat/ocelot')]);
    home.writeSession(fork, [
      said('feat/ocelot'),
      userLine('now with seals', { timestamp: at(60), gitBranch: 'feat/lynx' }),
    ]);
  });
  // The newest copy was shown, without the word, and as if no session contained both.
  for (const [query, nativeId, branch] of [
    ['walrus', fork, 'feat/lynx'],
    ['walrus lynx', fork, 'feat/lynx'],
    ['walrus ocelot', original, 'feat/ocelot'],
  ] as const)
    expect(await ask(branches.store, query)).toMatchObject({
      tier: 'all',
      hits: [{ session: { nativeId, branch }, copies: 1 }],
    });
  branches.close();
});

test('among equal copies, one whose transcript still exists is shown', async () => {
  const moved = await indexed((home) =>
    home.writeSession(original, [userLine('the tapir', { uuid: asked })]),
  );
  const { claudeDir } = moved.home;
  renameSync(join(claudeDir, 'projects/-home-u-shop'), join(claudeDir, 'projects/-elsewhere'));
  await indexHome(moved.home);
  for (const result of [
    await ask(moved.store, 'tapir'),
    await ask(moved.store, '', { filters: { only: { since: '2020' } } }),
  ])
    expect(result.hits).toMatchObject([
      { session: { nativeId: original, isDeleted: false, slug: '-elsewhere' }, copies: 0 },
    ]);
  renameSync(join(claudeDir, 'projects/-elsewhere'), join(claudeDir, 'projects/-home-u-shop'));
  await indexHome(moved.home);
  for (const result of [
    await ask(moved.store, 'tapir'),
    await ask(moved.store, '', { filters: { only: { since: '2020' } } }),
  ])
    expect(result.hits).toMatchObject([{ session: { isDeleted: false, slug: '-home-u-shop' } }]);
  moved.close();
});

test('what recall itself printed into a session does not come first', async () => {
  const found = idsOf(await ask(index.store, 'capybara'));
  expect(found[0]).not.toBe(asked);
});
