// Random sequences of sharing, changing, withdrawing, forgetting and leaving: what another member can learn with plain psql is what is
// shared at that moment. No word, count or near spelling is left of anything else.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Carrier } from '../../src/hub/carrier.ts';
import { connect, type Sql } from '../../src/hub/postgres/connect.ts';
import { toVector } from '../../src/text/lexemes.ts';
import { noServer, PrivateServer } from '../support/postgres.ts';
import { joinAs, makeWordsHub } from '../support/words-hub.ts';

const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };
const runs = Number(process.env.RECALL_TEST_RUNS ?? 8);
const letters = 'bcdf';
/** Of a session and what it says at the time; no two are near each other. */
const wordOf = (session: number, version: number) =>
  `only${letters[session]?.repeat(4)}${letters[version]?.repeat(4)}end`;
const nameOf = (session: number) => `0000000${session}-1e00-4000-8000-00000000b0a7`;

const operation = fc.record({
  what: fc.constantFrom('share', 'share', 'share', 'change', 'unshare', 'forget', 'leave'),
  session: fc.nat({ max: letters.length - 1 }),
  machine: fc.nat({ max: 1 }),
});

describe.skipIf(noServer !== null)(`withdrawn words${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  const open = (user: string): Promise<Sql> =>
    connect({ address: server.address(user), password: null, at, timeoutMs: 5000 });
  beforeAll(() => {
    server = new PrivateServer().start();
  }, 60_000);
  afterAll(() => server.remove());

  async function send(carrier: Carrier, session: number, version: number): Promise<void> {
    const name = nameOf(session);
    const text = `the walrus said ${wordOf(session, version)}`;
    const shared = {
      name,
      agent: 'claude',
      isTeam: true,
      modifiedAt: new Date().toISOString(),
      gitRemote: null,
      cwd: null,
    };
    const bytes = Buffer.from(text);
    await carrier.put(
      [{ session: shared, path: `p${session}`, name: `n${version}`, isRedacted: true, bytes }],
      [],
    );
    const row = {
      ...{
        agent: 'claude',
        native_id: name,
        kind: 'main',
        conversation: session,
        title: text,
        title_source: 'ai-title',
      },
      ...{ models: [], created_at: '2026-03-01T10:00:00.000Z', modified_at: '2026-03-01T10:00:00.000Z' },
      ...{ message_count: 1, text_chars: text.length, tool_call_count: 0, is_gone: false, is_hidden: false },
    };
    const words = toVector([text], '');
    const facts = { role: 'user', kind: 'prompt' };
    const texts = (['name', 'called', 'said'] as const).map((kind) => ({
      kind,
      words,
      chars: text.length,
      facts,
      text,
    }));
    const known = ['the', 'walrus', 'said', wordOf(session, version)].map((word) => [word, word] as const);
    const key = String(session).padStart(32, '0');
    await carrier.words?.put(
      [{ key, mark: String(version), owner: name, row, texts, isFirst: true, isLast: true }],
      known,
    );
  }

  /** What bob learns, of every word that was ever said. */
  function learn(): string[] {
    const all = [...letters].flatMap((_, s) => [...letters].map((__, v) => wordOf(s, v)));
    const list = `'{${all.join(',')}}'::text[]`;
    const ask = `select coalesce(string_agg(word || ' ' || found || ' ' || texts || ' ' || near, ',' order by word), '') from (
      select word, (select count(*) from recall.sessions_with(word, '{}', '{said,name,called}')) as found,
        (select count(*) from recall.text t where t.text like '%' || word || '%' or t.words::text like '%' || word || '%') as texts,
        (select count(*) from recall.near_words(overlay(of_list.word placing 'x' from 6 for 1), 1) n where n.word = of_list.word) as near
      from unnest(${list}) of_list (word)) of_word where found + texts + near > 0`;
    const { out, err } = server.psql('bob', ask);
    expect(err).toBe('');
    return out.trim() === '' ? [] : out.trim().split(',');
  }

  test('nothing is left of what is not shared', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        const admin = await open('admin');
        await makeWordsHub(admin, ['ann', 'bob']);
        await admin.close();
        const sql = await open('ann');
        const machines = [randomUUID(), randomUUID()];
        const carriers = [await joinAs(sql, 'ann', machines[0]), await joinAs(sql, 'ann', machines[1])];
        const sent = new Map<string, number>();
        // What was never shared cannot be forgotten there: the id of a session is nobody's matter.
        const [known, forgotten] = [new Set<number>(), new Set<number>()];
        try {
          for (const { what, session, machine } of operations) {
            const carrier = carriers[machine] as Carrier;
            const place = `${machine} ${session}`;
            const name = { agent: 'claude', name: nameOf(session), isTeam: true };
            const version = sent.get(place);
            if (what === 'share' || (what === 'change' && version !== undefined)) {
              const next = ((version ?? -1) + 1) % letters.length;
              await send(carrier, session, next);
              known.add(session);
              if (!forgotten.has(session)) sent.set(place, next);
            } else if (what === 'leave') {
              await carrier.leave();
              for (const each of [...sent.keys()]) if (each.startsWith(`${machine} `)) sent.delete(each);
              machines[machine] = randomUUID();
              carriers[machine] = await joinAs(sql, 'ann', machines[machine]);
            } else if (what === 'unshare' || what === 'forget') {
              await (what === 'unshare' ? carrier.unshare([name]) : carrier.forget([name]));
              if (what === 'forget' && known.has(session)) forgotten.add(session);
              for (const each of [...sent.keys()]) if (each.endsWith(` ${session}`)) sent.delete(each);
            }
            const said = new Map<string, number>();
            for (const [each, version] of sent) {
              const word = wordOf(Number(each.split(' ')[1]), version);
              said.set(word, (said.get(word) ?? 0) + 1);
            }
            const expected = Array.from(said, ([word, n]) => `${word} ${n} ${3 * n} 1`).sort();
            expect([what, learn().sort()]).toEqual([what, expected]);
            const kept = server
              .psql('admin', "select count(*) from recall.vocabulary where word like 'only%'")
              .out.trim();
            expect([what, kept]).toEqual([what, String(said.size)]);
          }
        } finally {
          await sql.close();
        }
      }),
      { numRuns: runs },
    );
  }, 300_000);
});
