// Searching on a hub with the built program: what others have shared is found there, fetched when it is opened, and gone when it is
// withdrawn. Skipped and named where PostgreSQL is not installed.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { noServer, PrivateServer } from '../support/postgres.ts';
import { runRecall } from '../support/program.ts';

const secret = `ghp_${'a1B2'.repeat(9)}`;
const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
const other = '6c0de5ca-1e00-4000-8000-00000000b0a7';

describe.skipIf(noServer !== null)(`searching on a hub${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  let homes: Record<'admin' | 'ann' | 'bob', TempHome>;
  beforeAll(() => {
    server = new PrivateServer().start();
  }, 60_000);
  afterAll(() => server.remove());

  beforeEach(() => {
    server.psql('admin', 'drop schema if exists recall cascade');
    homes = { admin: new TempHome(), ann: new TempHome(), bob: new TempHome() };
    ok('admin', 'hub', 'setup', server.address('admin'), '--searchable');
    for (const name of ['ann', 'bob']) ok('admin', 'hub', 'add', name);
    write('ann', id, `the walrus of src/tusk.ts has ${secret}`);
    write('ann', other, 'a private walrus');
    for (const who of ['ann', 'bob'] as const) ok(who, 'hub', 'join', server.address(who), '--yes');
  });
  afterEach(() => {
    for (const home of Object.values(homes)) home.remove();
  });

  type Who = keyof typeof homes;
  const run = (who: Who, ...args: string[]) =>
    runRecall(homes[who], args, { env: { RECALL_MACHINE: `${who}-machine` } });
  const ok = (who: Who, ...args: string[]) => {
    const done = run(who, ...args);
    expect(done.code, `${args.join(' ')}: ${done.stderr}`).toBe(0);
    return done.stdout;
  };
  const json = (who: Who, ...args: string[]) => JSON.parse(run(who, ...args, '--json').stdout);
  const found = (who: Who, ...words: string[]) =>
    json(who, 'search', '--hub', ...words).hits.map((hit: { id: string }) => hit.id);
  const write = (who: Who, sessionId: string, text: string) =>
    homes[who].writeSession(sessionId, [
      userLine(text, { sessionId, timestamp: at(0) }),
      assistantLine(
        [toolUse('Edit', { file_path: '/home/u/shop/src/tusk.ts', new_string: 'narwhal' }, 't1')],
        {
          sessionId,
          timestamp: at(1),
        },
      ),
      userLine([{ ...toolResult('t1'), content: 'flensed' }], { sessionId, timestamp: at(2) }),
    ]);
  const count = (text: string) => Number(server.psql('admin', text).out);

  test('what is shared is found there, with whose it is, and nothing that is private or secret', () => {
    expect(found('bob', 'walrus')).toEqual([]);
    ok('ann', 'hub', 'share', id);
    const { hits } = json('bob', 'search', '--hub', 'walrus');
    expect(hits).toMatchObject([{ id, machine: 'ann-machine', owner: 'ann', resumable: false }]);
    expect(hits[0].matches[0]).toMatchObject({ role: 'user', kind: 'prompt' });
    expect(JSON.stringify(hits)).not.toContain(secret);
    expect(ok('bob', 'search', '--hub', 'walrus')).toContain('ann@ann-machine');
    expect(json('bob', 'search', 'hub: walrus').hits).toHaveLength(1);
    for (const [words, ids] of [
      ['narwhal', [id]],
      ['flensed', [id]],
      ['tusk.ts', [id]],
      ['walrsu', [id]],
      ['private walrus', [id]],
      ['walrus owner:ann', [id]],
      ['walrus -owner:ann', []],
      ['walrus project:shop', [id]],
      ['walrus project:zoo', []],
    ] as const)
      expect([words, found('bob', words)]).toEqual([words, ids]);
    // A search without it is one of this machine.
    expect(json('bob', 'search', 'walrus').hits).toEqual([]);
    expect(json('ann', 'search', '--hub', 'walrus').hits).toMatchObject([
      { id, machine: null, resumable: true },
    ]);
    const kept = server.psql('admin', 'select words, text, facts from recall.text').out;
    expect(kept).toContain('walrus');
    for (const word of ['private', secret, secret.slice(4)]) expect(kept).not.toContain(word);
  });

  test('a session is fetched when it is shown, kept up to date, and dropped by trim', () => {
    ok('ann', 'hub', 'share', id);
    ok('bob', 'index');
    expect(json('bob', 'list').total).toBe(0);
    ok('bob', 'search', '--hub', 'walrus');
    expect(ok('bob', 'show', '1')).toContain('the walrus of');
    expect(json('bob', 'list')).toMatchObject({ total: 1, sessions: [{ id, owner: 'ann' }] });
    expect(json('bob', 'search', '--hub', 'walrus').hits).toHaveLength(1);
    expect(run('bob', 'open', '1').code).toBe(1);

    homes.ann.append(`projects/-home-u-shop/${id}.jsonl`, [
      userLine('and its cousin, the dugong', { sessionId: id, timestamp: at(5) }),
    ]);
    ok('ann', 'index');
    ok('bob', 'index');
    expect(json('bob', 'search', 'dugong').hits).toHaveLength(1);
    expect(found('bob', 'dugong')).toEqual([id]);

    expect(ok('bob', 'hub', 'trim')).toContain('1 session');
    expect(json('bob', 'list').total).toBe(0);
    ok('bob', 'index');
    expect(json('bob', 'list').total).toBe(0);
    expect(ok('bob', 'show', `${id}@ann-machine`)).toContain('dugong');
  });

  test.each([
    ['unshared', () => ok('ann', 'hub', 'unshare', id)],
    ['forgotten', () => [ok('ann', 'forget', id, '--yes'), ok('ann', 'hub', 'push')]],
    ['of a machine that left', () => ok('ann', 'hub', 'leave', '--delete', '--yes')],
  ])('nothing is left of a session that is %s', (_, withdraw) => {
    ok('ann', 'hub', 'share', id);
    expect(found('bob', 'walrus')).toEqual([id]);
    withdraw();
    for (const words of ['walrus', 'walrsu', 'narwhal', 'tusk.ts', ''])
      expect([words, found('bob', words, '--since', '2000-01-01')]).toEqual([words, []]);
    for (const table of ['word_session', 'text', 'vocabulary'])
      expect(count(`select count(*) from recall.${table}`)).toBe(0);
  });

  test('a session that was shared before the hub could be searched is filled in by the next push', () => {
    server.psql('admin', 'drop schema recall cascade');
    for (const who of ['ann', 'bob'] as const) ok(who, 'hub', 'leave', '--yes');
    ok('admin', 'hub', 'setup', server.address('admin'));
    for (const name of ['ann', 'bob']) run('admin', 'hub', 'add', name);
    for (const who of ['ann', 'bob'] as const) ok(who, 'hub', 'join', server.address(who), '--yes');
    ok('ann', 'hub', 'share', id);
    const refused = run('bob', 'search', '--hub', 'walrus');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--searchable');
    ok('admin', 'hub', 'setup', server.address('admin'), '--searchable');
    expect(found('bob', 'walrus')).toEqual([]);
    ok('ann', 'hub', 'push');
    expect(found('bob', 'walrus')).toEqual([id]);
  });

  test('words of another version are not searched, and who has to update is said', () => {
    ok('ann', 'hub', 'share', id);
    for (const [version, says] of [
      [99, 'update recall here'],
      [0, 'older recall'],
    ] as const) {
      server.psql('admin', `update recall.word_session set version = ${version}`);
      server.psql(
        'admin',
        `update recall.text set words = regexp_replace(words::text, '''=\\d+', '''=${version}', 'g')::tsvector`,
      );
      const done = run('bob', 'search', '--hub', 'walrus');
      expect(done.stdout + done.stderr).toContain(says);
      expect(found('bob', 'walrus')).toEqual([]);
    }
    // The machine that sent them sends them as it makes them now.
    ok('ann', 'hub', 'push');
    expect(found('bob', 'walrus')).toEqual([id]);
  });

  test('without a hub, or a connection to it, it is said how to search here', () => {
    server.stop();
    try {
      const done = run('bob', 'search', '--hub', 'walrus');
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('cannot be reached');
      expect(done.stderr).toContain('without --hub');
    } finally {
      server.start();
    }
    const none = run('admin', 'search', '--hub', 'walrus');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('joined no hub')]);
  });

  test('with psql a member can write no words, and nobody else can read any', () => {
    ok('ann', 'hub', 'share', id);
    const machine = server.psql('admin', "select key from recall.machine where member = 'ann'").out.trim();
    const bob = (text: string) => server.psql('bob', text);
    for (const attempt of [
      'delete from recall.text',
      'update recall.word_session set title = null',
      'select * from recall.vocabulary',
      `select recall.put_words('${machine}', '[]', '[]')`,
      'select recall.drop_texts(array(select id from recall.word_session))',
      "select * from recall.newest('said', 'walrus', 10, '{1}', null, null)",
      'truncate recall.text',
    ])
      expect(bob(attempt).code, attempt).not.toBe(0);
    bob(`select recall.drop_words('${machine}', array(select key from recall.word_session))`);
    expect(count("select count(*) from recall.text where kind = 'said'")).toBe(1);
    server.psql('admin', 'create role eve login; grant recall_member to eve');
    for (const [ask, answer] of [
      ['select count(*) from recall.text', '0'],
      ["select count(*) from recall.near_words('walrsu', 1)", '0'],
      ["select count(*) from recall.sessions_with('walrus', '{}', '{said}')", '0'],
      [
        "select count(*) from recall.list_places('{walrus}', '{}', '', '{said}', '{10}', '{1}', null, null)",
        '0',
      ],
    ] as const)
      expect([ask, server.psql('eve', ask).out.trim()]).toEqual([ask, answer]);
    server.psql('admin', 'drop role eve');
  });
});
