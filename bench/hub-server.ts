// npm run bench:hub-server: a hub of 100 members with 10,000 sessions each, on a private PostgreSQL: how long the server takes for a
// pull with 100 new sessions (at most 2 s), and for the questions of a push.

import { randomUUID } from 'node:crypto';
import type { HubSegment } from '../src/hub/carrier.ts';
import { openPostgres } from '../src/hub/postgres/carrier.ts';
import { connect } from '../src/hub/postgres/connect.ts';
import { addMember, setUp } from '../src/hub/postgres/schema.ts';
import { noServer, PrivateServer } from '../test/support/postgres.ts';

if (noServer !== null) throw new Error(noServer);
const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };
const server = new PrivateServer().start();
const to = (user: string) => ({ address: server.address(user), password: null, at, timeoutMs: 5000 });

async function time<T>(what: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const answer = await run();
  console.log(`${what.padEnd(40)} ${(performance.now() - startedAt).toFixed(0).padStart(6)} ms`);
  return answer;
}

/** Without triggers, which number one row at a time. */
const fill = [
  "insert into recall.member select 'm' || i from generate_series(1, 98) i",
  'insert into recall.machine (key, member, name, change) select gen_random_uuid(), role_name, role_name, 0 from recall.member',
  'alter table recall.session disable trigger all',
  'alter table recall.segment disable trigger all',
  'set statement_timeout = 0',
  `insert into recall.session (member, agent, native_id, modified_at, visibility, was_shared, change)
    select role_name, 'claude', role_name || '-' || i, now(), case when i % 10 = 0 then 'team' else 'private' end, i % 10 = 0,
      nextval('recall.change') from recall.member, generate_series(1, 10000) i`,
  `insert into recall.segment (session, machine, path, name, sha256, is_redacted, bytes, change)
    select s.id, key, 'p' || s.id, 'n', repeat('0', 64), true, 'x', nextval('recall.change')
    from recall.session s join recall.machine k on k.member = s.member`,
  'alter table recall.session enable trigger all',
  'alter table recall.segment enable trigger all',
  'analyze',
];

const toSegment = (i: number): HubSegment => ({
  session: {
    name: `new-${i}`,
    agent: 'claude',
    isTeam: true,
    modifiedAt: new Date().toISOString(),
    gitRemote: null,
    cwd: null,
  },
  path: `q${i}`,
  name: 'n~1',
  isRedacted: true,
  bytes: Buffer.alloc(20_000, 65),
});

try {
  const admin = await connect(to('admin'));
  await setUp(admin, randomUUID(), true);
  for (const name of ['ann', 'bob']) await addMember(admin, name, 'x');
  await time('filling a million sessions', async () => {
    for (const statement of fill) await admin.query(statement);
  });
  const [own] = await admin.query("select key::text as key from recall.machine where member = 'ann'");
  const ann = await openPostgres(to('ann'), String(own?.key));
  const bob = await openPostgres(to('bob'), randomUUID());
  const [last] = await admin.query('select last_value::text as change from recall.change');
  await time('a push: the names of 5,000 files', () =>
    ann.has(Array.from({ length: 5000 }, (_, i) => `p${i}`)),
  );
  for (const start of [0, 50])
    await time('a push: 50 segments of 20 kB', () =>
      ann.put(
        Array.from({ length: 50 }, (_, i) => toSegment(start + i)),
        [],
      ),
    );
  for (let round = 0; round < 3; round++)
    await time('a pull with 100 new sessions', async () => {
      const { segments } = await bob.changes(String(last?.change));
      const found = await bob.get(segments.map(({ id }) => id));
      if (found.size !== 100) throw new Error(`${found.size} of 100 were received`);
    });
  for (const connection of [ann, bob, admin]) await connection.close();
} finally {
  server.remove();
}
