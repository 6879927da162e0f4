// The word index in PostgreSQL keeps the contract of every engine, in this process and on a server.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { connect, type Sql } from '../../src/hub/postgres/connect.ts';
import { openPostgresWords } from '../../src/hub/postgres/word-index.ts';
import { openStore } from '../../src/store/open/open-store.ts';
import { describeEngine } from '../search/contract.ts';
import { indexHome } from '../support/index-home.ts';
import { LiteServer, noServer, PrivateServer } from '../support/postgres.ts';
import { joinAs, makeWordsHub, shareWords } from '../support/words-hub.ts';

const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };

function runOn(name: string, open: (user: string) => Promise<Sql>): void {
  describeEngine(name, async (home, roots) => {
    const admin = await open('admin');
    await makeWordsHub(admin, ['ann']);
    await admin.close();
    await indexHome(home, { at: roots });
    const store = await openStore(home.indexPath);
    const sql = await open('ann');
    const machine = randomUUID();
    const carrier = await joinAs(sql, 'ann', machine);
    await shareWords(store, sql, carrier);
    const index = openPostgresWords(sql, machine);
    return {
      index,
      projects: new Map((await index.projects()).map(({ id, path }) => [path, id])),
      update: async () => {
        await indexHome(home, { at: roots });
        await shareWords(store, sql, carrier);
      },
      close: async () => {
        store.close();
        await sql.close();
      },
    };
  });
}

describe('PGlite', () => {
  const server = new LiteServer();
  afterAll(() => server.close());
  runOn('PGlite', async (user) => server.as(user === 'admin' ? 'postgres' : user));
});

describe.skipIf(noServer !== null)(`PostgreSQL${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  beforeAll(() => {
    server = new PrivateServer().start();
  }, 60_000);
  afterAll(() => server.remove());
  runOn('PostgreSQL', (user) =>
    connect({ address: server.address(user), password: null, at, timeoutMs: 5000 }),
  );
});
