// A member of a hub who writes what no recall writes, and a server that is not what it says: whoever searches there still gets the rest,
// sees no control character, and is not kept waiting. Skipped and named where PostgreSQL is not installed.

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchPostgres } from '../../src/hub/postgres/word-index.ts';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { noServer, PrivateServer } from '../support/postgres.ts';
import { runRecall } from '../support/program.ts';

const id = '5c0de5ca-1e00-4000-8000-00000000b0a7';
const evil = '6c0de5ca-1e00-4000-8000-00000000b0a7';

describe.skipIf(noServer !== null)(`a hostile hub${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  let homes: Record<'admin' | 'ann' | 'bob' | 'mallory', TempHome>;
  beforeAll(() => {
    server = new PrivateServer().start();
    homes = { admin: new TempHome(), ann: new TempHome(), bob: new TempHome(), mallory: new TempHome() };
    ok('admin', 'hub', 'setup', server.address('admin'), '--searchable');
    for (const name of ['ann', 'bob', 'mallory']) ok('admin', 'hub', 'add', name);
    homes.ann.writeSession(id, [
      userLine('the walrus of ann', { sessionId: id, timestamp: at(0) }),
      assistantLine('on ice', { sessionId: id, timestamp: at(1) }),
    ]);
    for (const who of ['ann', 'bob', 'mallory'] as const)
      ok(who, 'hub', 'join', server.address(who), '--yes');
    ok('ann', 'hub', 'share', id);
  }, 60_000);
  afterAll(() => {
    server.remove();
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

  type Row = Readonly<Record<string, unknown>>;
  const row = {
    ...{
      agent: 'claude',
      native_id: evil,
      kind: 'main',
      conversation: 7,
      title: 'a walrus',
      title_source: 'ai-title',
    },
    ...{ models: [], created_at: '2026-03-01T10:00:00.000Z', modified_at: '2026-03-01T10:00:00.000Z' },
    ...{ message_count: 1, text_chars: 9, tool_call_count: 0, is_gone: false, is_hidden: false },
  };
  const said: Row = { role: 'user', kind: 'prompt', timestamp: '2026-03-01T10:00:00.000Z', position: 1 };
  const wording = "'evil':2 'walrus':1";
  /** As mallory does with psql, in place of what she wrote before. */
  function put(changed: Row, facts: unknown = said, text: string | null = 'a walrus', words = wording): void {
    const given = { ...row, ...changed };
    const quote = (value: string) => `'${value.replaceAll("'", "''")}'`;
    const texts = ['said', 'done', 'call', 'name'].map((kind) => ({
      kind,
      words,
      chars: 8,
      facts,
      text,
    }));
    const sent = [
      { owner: evil, isFirst: true, row: { ...given, key: 'e'.repeat(32), mark: 'm', version: 1 }, texts },
    ];
    const done = server.psql(
      'mallory',
      `insert into recall.session (member, agent, native_id, modified_at, visibility)
        values (current_user, ${quote(String(given.agent))}, '${evil}', now(), 'team') on conflict do nothing;
      select recall.put_words((select key from recall.machine where member = 'mallory'), ${quote(JSON.stringify(sent))}::jsonb, '[]')`,
    );
    expect(done.err).toBe('');
  }

  const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  const nasty = 'a walrus \x1b]0;owned\x07\x1b[2J\r\x9b31m \u202eevil; $(touch x) `y`';

  test.each<[string, Row, unknown?, (string | null)?]>([
    ['an agent that nobody knows', { agent: 'evil' }],
    ['an agent of every object', { agent: 'constructor' }],
    ['a kind that nobody knows', { kind: '__proto__' }],
    ['a title from nowhere', { title_source: 'toString' }],
    ['times that are none', { modified_at: 'epoch', created_at: 'now' }],
    ['times without end', { modified_at: '99999-01-01', created_at: null }],
    ['no facts', {}, null],
    ['facts that are a text', {}, 'x'],
    [
      'facts of other types',
      {},
      { role: 5, kind: {}, timestamp: [], isSidechain: 'x', position: nasty, tool: {}, target: 7, uuid: 9 },
    ],
    [
      'facts that name what every object has',
      {},
      { role: 'constructor', kind: '__proto__', timestamp: 'x', tool: '__proto__' },
    ],
    ['no text', {}, said, null],
    [
      'control characters',
      {
        title: nasty,
        native_id: nasty,
        branch: nasty,
        project: nasty,
        slug: nasty,
        tag: nasty,
        first_cwd: nasty,
        last_cwd: nasty,
        subagent_type: nasty,
        summary: nasty,
        first_prompt: nasty,
        pr_repository: nasty,
        pr_number: 1,
      },
      { ...said, tool: nasty, target: nasty, timestamp: nasty, uuid: nasty },
      nasty,
    ],
    ['an option as its id', { native_id: '--dangerously-skip-permissions' }],
    [
      'huge numbers',
      { message_count: 2147483647, text_chars: '9223372036854775807', tool_call_count: -5, pr_number: -1 },
    ],
  ])('%s: the rest is found, and nothing reaches the terminal', (_what, changed, facts, text) => {
    put(changed, facts === undefined ? said : facts, text);
    for (const args of [
      ['walrus'],
      ['walrus', '--sort', 'recent'],
      ['--since', '2000-01-01'],
      ['walrus agent:claude', '--explain'],
    ]) {
      const done = run('bob', 'search', '--hub', ...args);
      expect([args, done.code, done.stdout]).toEqual([args, 0, expect.stringContaining('the walrus of ann')]);
      expect(done.stdout + done.stderr).not.toMatch(control);
    }
    const done = run('bob', 'search', '--hub', 'walrus', '--json');
    const { hits } = JSON.parse(done.stdout);
    expect(hits.map((hit: { id: string }) => hit.id)).toContain(id);
    run('bob', 'search', '--hub', 'walrus');
    for (const ref of ['1', '2'])
      for (const command of ['show', 'open']) {
        const opened = run('bob', command, ref);
        expect([0, 1, 2]).toContain(opened.code);
        expect(opened.stdout + opened.stderr).not.toMatch(control);
        expect(opened.stderr).not.toContain('    at ');
      }
  });

  test('nobody puts words into the session of somebody else', () => {
    put({ kind: 'subagent', parent_native_id: id });
    const { hits } = JSON.parse(run('bob', 'search', '--hub', 'walrus', '--json').stdout);
    type Found = { id: string; owner: string; matches: { subagentId: string | null }[] };
    const ann = hits.find((hit: Found) => hit.id === id) as Found;
    expect([ann.owner, ann.matches.map(({ subagentId }) => subagentId)]).toEqual(['ann', [null]]);
    // Nor takes it out of a search by what hers says.
    const rest = run('bob', 'search', '--hub', 'ice -evil', '--json');
    expect(JSON.parse(rest.stdout).hits).toMatchObject([{ id }]);
  });

  test.each(["'=oann':1", '=oann', 'walrus =oann', "'walrus':1 =oann:2"])(
    'nobody says with %s that ann said it',
    (words) => {
      put({}, said, 'a walrus', words);
      expect(
        server.psql('admin', "select count(*) from recall.text where words @@ '''=oann'' & ''=omallory'''")
          .out,
      ).toBe('0\n');
    },
  );

  test('a time to come makes no session the newest of tomorrow', () => {
    put({ modified_at: '2999-01-01T00:00:00.000Z' });
    const { hits } = JSON.parse(run('bob', 'search', '--hub', 'walrus', '--json').stdout);
    for (const { modifiedAt } of hits) expect(Date.parse(modifiedAt)).toBeLessThanOrEqual(Date.now());
  });
});

describe('a server that says nothing any more is not waited for', () => {
  // AuthenticationOk and ReadyForQuery.
  const welcome = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73]);

  test.each([
    ['before it has let anybody in', null, false, 'cannot be reached'],
    ['after that', welcome, false, 'took too long'],
    ['to whoever no longer wants to know', welcome, true, 'no longer'],
  ])(
    '%s',
    async (_, greeting, isStopped, says) => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => {
        sockets.push(socket);
        socket.on('error', () => {});
        if (greeting !== null) socket.once('data', () => socket.write(greeting));
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      const stopping = new AbortController();
      if (isStopped) setTimeout(() => stopping.abort(new Error('no longer wanted')), 100);
      try {
        const address = {
          address: `postgres://bob@127.0.0.1:${port}/recall`,
          password: 'x',
          at: { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const },
          timeoutMs: 1000,
          limitMs: isStopped ? 60_000 : 700,
        };
        const asked = searchPostgres(
          { address, hubId: 'h', machine: 'm', signal: stopping.signal },
          (index) => index.totals(),
        );
        await expect(asked).rejects.toThrow(says);
      } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
      }
    },
    10_000,
  );
});
