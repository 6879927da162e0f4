// The contract, on every carrier; a server that is not installed is named and skipped.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFolder } from '../../src/hub/folder.ts';
import { openCarrierOn, openPostgres } from '../../src/hub/postgres/carrier.ts';
import { connect, type Sql } from '../../src/hub/postgres/connect.ts';
import { addMember, setUp } from '../../src/hub/postgres/schema.ts';
import { LiteServer, noServer, PrivateServer } from '../support/postgres.ts';
import { runContract } from './contract.ts';

const at = { env: {}, homeDir: '/nowhere', cwd: '/', platform: 'linux' as const };

describe('a folder', () => {
  runContract(
    async () => {
      const path = mkdtempSync(join(tmpdir(), 'recall-hub-'));
      return {
        open: (_person, machine) => openFolder(join(path, 'hub'), machine, true),
        remove: async () => rmSync(path, { recursive: true }),
      };
    },
    { knowsTeams: false },
  );
});

async function prepare(admin: Sql): Promise<void> {
  await admin.query('drop schema if exists recall cascade');
  await setUp(admin, randomUUID(), true);
  for (const name of ['ann', 'bob']) await addMember(admin, name, 'secret');
}

describe('PGlite', () => {
  const server = new LiteServer();
  afterAll(() => server.close());
  runContract(
    async () => {
      await prepare(server.as('postgres'));
      return { open: (person, machine) => openCarrierOn(server.as(person), machine), remove: async () => {} };
    },
    { knowsTeams: true },
  );

  test('where nothing is new, two questions are asked', async () => {
    await prepare(server.as('postgres'));
    let asked = 0;
    const sql = server.as('ann');
    const counting: Sql = {
      ...sql,
      query: (...given) => {
        asked++;
        return sql.query(...given);
      },
    };
    const carrier = await openCarrierOn(counting, randomUUID());
    expect((await carrier.changes('')).segments).toEqual([]);
    expect(asked).toBe(2);
  });
});

describe.skipIf(noServer !== null)(`PostgreSQL${noServer === null ? '' : `: ${noServer}`}`, () => {
  let server: PrivateServer;
  beforeAll(() => {
    server = new PrivateServer().start();
  }, 60_000);
  afterAll(() => server.remove());
  runOn((user) => server.address(user));
});

const given = process.env.RECALL_TEST_PG;
describe.skipIf(given === undefined)('the server that RECALL_TEST_PG names', () => {
  runOn((user) => {
    const url = new URL(given ?? '');
    if (user !== 'admin') [url.username, url.password] = [user, 'secret'];
    return url.href;
  });
});

function runOn(toAddress: (user: string) => string): void {
  const to = (user: string) => ({ address: toAddress(user), password: null, at, timeoutMs: 5000 });
  runContract(
    async () => {
      const admin = await connect(to('admin'));
      await prepare(admin);
      await admin.close();
      return { open: (person, machine) => openPostgres(to(person), machine), remove: async () => {} };
    },
    { knowsTeams: true },
  );
}
