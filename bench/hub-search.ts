// npm run bench:hub-search [-- --messages <n> --pushed <n>]: searching on a hub of 100 members, on a private PostgreSQL over a socket: common
// words, questions and rare words (for a million messages at most 800 ms for 95 of 100), a common word through each filter, and what
// the server takes to be sent 100,000 messages: at most 25 s of processor time and 1 GB of log.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { WordedPart } from '../src/hub/carrier.ts';
import { connect, type Sql } from '../src/hub/postgres/connect.ts';
import { openPostgresWords } from '../src/hub/postgres/word-index.ts';
import { parseQuery } from '../src/search/query/parse-query.ts';
import { search } from '../src/search/search.ts';
import { noFilters, type SessionFilters } from '../src/store/word-index.ts';
import { toVector } from '../src/text/lexemes.ts';
import { noServer, PrivateServer } from '../test/support/postgres.ts';
import { joinAs, makeWordsHub } from '../test/support/words-hub.ts';

if (noServer !== null) throw new Error(noServer);
const { values } = parseArgs({ options: { messages: { type: 'string' }, pushed: { type: 'string' } } });
const messages = Number(values.messages ?? 1_000_000);
const pushed = Number(values.pushed ?? 100_000);
const perSession = 25;
const wordsPerMessage = 60;
const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };
const server = new PrivateServer().start('-c shared_buffers=512MB', '-c max_wal_size=4GB');
const as = (user: string) => connect({ address: server.address(user), password: null, at, timeoutMs: 5000 });

/** The n-th word: the first are in nearly every message, the last in few. */
const wordOf = (n: number) =>
  String(n)
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
    .concat('q');
const vocabulary = 20_000;
const someWord = (from = 1, to = vocabulary) => wordOf(Math.floor(from * (to / from) ** Math.random()));

async function fill(admin: Sql): Promise<void> {
  const sqlWord = `translate(floor(exp(random() * ln(${vocabulary})))::int::text, '0123456789', 'abcdefghij') || 'q'`;
  for (const statement of [
    'set statement_timeout = 0',
    "set maintenance_work_mem = '512MB'",
    "insert into recall.member select 'm' || i from generate_series(1, 98) i",
    'insert into recall.machine (key, member, name, change) select gen_random_uuid(), role_name, role_name, 0 from recall.member',
    `insert into recall.session (member, agent, native_id, modified_at, visibility)
      select role_name, 'claude', role_name, now(), 'team' from recall.member`,
    'drop index recall.text_words',
    `insert into recall.word_session select (8000000 + i * 13)::bigint * 256, s.id, s.member, m.key, md5(i::text), 'x', 1, 'claude',
        gen_random_uuid(), null, 'main', i, 'title', 'ai-title', null, null, '/p/' || i % 200, i % 200, null, 'main', null, null, '{}',
        null, null, null, null, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', ${perSession}, ${perSession * 350}, 0,
        null, null, null, null, false, false
      from generate_series(1, ${messages / perSession}) i join recall.session s on s.native_id = 'm' || (i % 98 + 1)
      join recall.machine m on m.member = s.member`,
    `insert into recall.text (kind, session, words, chars, facts, text)
      select 'said', s.id, to_tsvector('simple', w.words) || array_to_tsvector(array['=o' || s.member, '=m' || s.machine, '=aclaude',
          '=kmain', '=p' || s.project_id, '=ruser', '=1f' || (s.id >> 18), '=1g' || (s.id >> 22)]), length(w.words),
        '{"role":"user","kind":"prompt"}', w.words
      from recall.word_session s, generate_series(1, ${perSession}) n,
        lateral (select string_agg(${sqlWord}, ' ') as words from generate_series(1, ${wordsPerMessage}) k where s.id + n > k) w`,
    'create index text_words on recall.text using gin (words) with (fastupdate = on, gin_pending_list_limit = 1024)',
    'analyze',
  ])
    await admin.query(statement);
}

const quantile = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0;

try {
  const admin = await as('admin');
  await makeWordsHub(admin, ['ann']);
  const startedAt = performance.now();
  await fill(admin);
  console.log(`${messages} messages, filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const [sql, machine] = [await as('ann'), randomUUID()];
  const carrier = await joinAs(sql, 'ann', machine);
  const index = openPostgresWords(sql, machine);
  const ask = (text: string, only: SessionFilters['only']) =>
    search(index, {
      query: parseQuery(text),
      filters: { ...noFilters, only },
      ...{ limit: 10, sort: 'relevance', listsSubagents: false, now: new Date() },
    });
  const measure = async (what: string, toText: () => string, only: SessionFilters['only'] = {}) => {
    const times: number[] = [];
    for (let n = -5; n < 60; n++) {
      const from = performance.now();
      await ask(toText(), only);
      if (n >= 0) times.push(performance.now() - from);
    }
    const shown = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(0).padStart(6)).join(' ');
    console.log(`${what.padEnd(36)} p50, p95, slowest ${shown} ms`);
  };
  const many = (count: number, from: number, to: number) => () =>
    Array.from({ length: count }, () => someWord(from, to)).join(' ');
  await measure('a common word', many(1, 3, 30));
  await measure('two common words', many(2, 3, 60));
  await measure('a question of eight words', many(8, 3, 2000));
  await measure('two rare words', many(2, 2000, vocabulary));
  await measure('a common word of a project', many(1, 3, 30), { project: [7] });
  await measure('a common word of an owner', many(1, 3, 30), { owner: 'm7' });
  await measure('a common word on a branch', many(1, 3, 30), { branch: 'main' });

  const [backend] = await sql.query('select pg_backend_pid() as pid');
  const read = async () => {
    const [, rest = ''] = readFileSync(`/proc/${String(backend?.pid)}/stat`, 'utf8').split(') ');
    const [user, system] = rest.split(' ').slice(11, 13).map(Number) as [number, number];
    const [log] = await admin.query("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as bytes");
    return { seconds: (user + system) / 100, bytes: Number(log?.bytes) };
  };
  await sql.query(
    "insert into recall.session (member, agent, native_id, modified_at, visibility) values (current_user, 'claude', 'pushed', now(), 'team')",
  );
  const before = await read();
  const row = {
    ...{
      agent: 'claude',
      native_id: 'pushed',
      kind: 'main',
      conversation: 1,
      title_source: 'ai-title',
      models: [],
    },
    ...{ message_count: 1, text_chars: 1, tool_call_count: 0, is_gone: false, is_hidden: false },
  };
  let batch: WordedPart[] = [];
  for (let i = 0; i < pushed / perSession; i++) {
    const texts = Array.from({ length: perSession }, () => {
      const text = many(wordsPerMessage, 1, vocabulary)();
      const facts = { role: 'user', kind: 'prompt' };
      return { kind: 'said' as const, words: toVector([text], ''), chars: text.length, facts, text };
    });
    const key = String(i).padStart(32, '0');
    batch.push({ key, mark: 'x', owner: 'pushed', row, texts, isFirst: true, isLast: true });
    if (batch.length < 40) continue;
    await carrier.words?.put(batch, []);
    batch = [];
  }
  const after = await read();
  console.log(
    `sending ${pushed} messages: ${(after.seconds - before.seconds).toFixed(1)} s of the server, ${((after.bytes - before.bytes) / 1e6).toFixed(0)} MB of log`,
  );
  await sql.close();
  await admin.close();
} finally {
  server.remove();
}
