// A search on a hub takes at most eight rounds between this program and the server, counted on the wire; and it answers as the
// index does that the hub was filled from.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/hub/postgres/connect.ts';
import { type HubWordIndex, openPostgresWords } from '../../src/hub/postgres/word-index.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { type SearchRequest, search } from '../../src/search/search.ts';
import type { SearchResult } from '../../src/search/search-result.ts';
import { openWordIndex } from '../../src/store/read/sqlite-word-index.ts';
import { noFilters, type SessionFilters } from '../../src/store/word-index.ts';
import { type Indexed, indexed, now } from '../search/ask.ts';
import { anyQuery } from '../search/queries.ts';
import { writeRoundsHome } from '../search/rounds-home.ts';
import { noServer, PrivateServer } from '../support/postgres.ts';
import { joinAs, makeWordsHub, shareWords } from '../support/words-hub.ts';

const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };
const queries = Number(process.env.RECALL_TEST_QUERIES ?? 80);

/** Counts how often this side speaks after the server has answered. */
class Wire {
  readonly folder = mkdtempSync(join(tmpdir(), 'recall-wire-'));
  private readonly server: Server;
  private isAnswered = true;
  rounds = 0;

  constructor(to: string) {
    this.server = createServer((near) => {
      const far = connectSocket(to);
      near.on('data', (bytes) => {
        if (this.isAnswered) this.rounds++;
        this.isAnswered = false;
        far.write(bytes);
      });
      far.on('data', (bytes) => {
        this.isAnswered = true;
        near.write(bytes);
      });
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
      for (const socket of [near, far]) socket.on('error', () => {});
    }).listen(join(this.folder, '.s.PGSQL.5432'));
  }

  close(): void {
    this.server.close();
    rmSync(this.folder, { recursive: true });
  }
}

describe.skipIf(noServer !== null)(`a search on a hub${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  let wire: Wire;
  let sql: Sql;
  let local: Indexed;
  let hub: HubWordIndex;
  let shop: number;

  beforeAll(async () => {
    server = new PrivateServer().start();
    const to = (user: string, folder = server.folder) => ({
      ...{
        address: server.address(user).replace(encodeURIComponent(server.folder), encodeURIComponent(folder)),
      },
      ...{ password: null, at, timeoutMs: 5000 },
    });
    const admin = await connect(to('admin'));
    await makeWordsHub(admin, ['ann']);
    await admin.close();
    wire = new Wire(join(server.folder, '.s.PGSQL.5432'));
    local = await indexed(writeRoundsHome);
    sql = await connect(to('ann', wire.folder));
    const machine = randomUUID();
    await shareWords(local.store, sql, await joinAs(sql, 'ann', machine));
    hub = openPostgresWords(sql, machine);
    shop = (await hub.projects()).find(({ path }) => path === '/home/u/shop')?.id ?? 0;
  }, 60_000);
  afterAll(async () => {
    await sql.close();
    wire.close();
    server.remove();
    local.close();
  });

  type Choices = Partial<Omit<SearchRequest, 'filters'>> & { readonly filters?: Partial<SessionFilters> };
  const toRequest = (text: string, { filters, ...choices }: Choices): SearchRequest => ({
    query: parseQuery(text),
    filters: { ...noFilters, ...filters },
    ...{ limit: 10, sort: 'relevance', listsSubagents: false, now },
    ...choices,
  });
  const roundsOf = async (text: string, choices: Choices = {}) => {
    const before = wire.rounds;
    await search(hub, toRequest(text, choices));
    return wire.rounds - before;
  };

  test.each([
    ['a word', 'quokka'],
    ['a word that is nowhere', 'unicorn'],
    ['a misspelt word beside common ones', 'alpha omega zebrra'],
    ['two misspelt words beside a common one', 'alpha zebrra walrsu'],
    ['words that are everywhere', 'alpha omega'],
    ['words that are everywhere in what tools said', 'dockerd kubelet'],
    ['a common word, and one that few have', 'alpha okapi'],
    ['a sentence', 'where did the zebra go when alpha met the quokka in the zoo'],
    ['a path with a line', '/srv/src/jobs/poller.ts:10:3'],
    ['an excluded word', 'alpha -omega'],
    ['only an exclusion', '-alpha'],
    ['nothing', ''],
  ])('takes at most eight rounds for %s', async (_, text) => {
    for (const filters of [
      {},
      { only: { kind: 'main' } },
      { only: { project: [shop], branch: 'x' } },
      { only: { role: 'user' } },
    ] as const)
      expect(await roundsOf(text, { filters })).toBeLessThanOrEqual(8);
  });

  test('takes five for words that there are', async () => {
    for (const text of ['quokka', 'okapi migration', 'getUserById'])
      expect([text, await roundsOf(text)]).toEqual([text, 5]);
  });

  const idsIn = ({ hits }: SearchResult) => hits.map(({ session }) => session.nativeId).sort();
  const toAnswer = (result: SearchResult) => {
    const { tier, corrections, shortened, lengthened, missing, hidden, begun } = result;
    return { ids: idsIn(result), tier, corrections, shortened, lengthened, missing, hidden, begun };
  };
  const compare = async (text: string, choices: Choices = {}) => {
    const request = toRequest(text, choices);
    const [here, there] = [await search(openWordIndex(local.store.db), request), await search(hub, request)];
    // Of a word that is everywhere not every place is listed, and which are is the engine's matter.
    if (here.isTotalExact && here.total < request.limit)
      expect([text, toAnswer(there)]).toEqual([text, toAnswer(here)]);
  };

  test('finds what the index finds, where that is not more than is shown', async () => {
    const words = [
      'alpha',
      'omega',
      'zebra',
      'walrus',
      'okapi',
      'quokka',
      'zebrra',
      'dockerd',
      'kubelet',
      'migrat',
      'poller',
    ];
    const some = fc.array(
      fc.constantFrom(
        ...words,
        '-alpha',
        '"the walrus"',
        'zeb*',
        'poller.ts',
        '数据库',
        'file:poller.ts',
        'is',
        'OR',
      ),
      {
        maxLength: 5,
      },
    );
    const text = fc.oneof(
      anyQuery,
      some.map((each) => each.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), (typed, isTyping) =>
        compare(typed, { query: parseQuery(typed, isTyping), limit: 20 }),
      ),
      { numRuns: queries },
    );
  }, 600_000);
});
