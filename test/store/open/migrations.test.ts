// A migration that has landed never changes, and every later one is run on an index that an older schema has left: what is
// only in the index, because its transcript was deleted, is still there and still found.

import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Migration, migrations } from '../../../migrations/index.ts';
import { type Database, openDatabase } from '../../../src/store/open/database.ts';
import { openStore } from '../../../src/store/open/open-store.ts';
import { schemaVersion } from '../../../src/store/open/versions.ts';
import { checkWords } from '../../../src/store/upkeep/words-index.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { runRecall } from '../../support/program.ts';

/** Of the text of each migration. A new one gets a line here when it lands; a line that is here is never edited. */
const landed: Readonly<Record<string, string>> = {
  '0001_create_index.ts': 'c9233b951b9d575762a85ac2f1f0e3cde2766247b3920035d7b4ddcc34730d89',
  '0002_add_work_text.ts': '190244bf0f0d5228803cdf3bf195d4151fc2324d699e4fdbf95b29f1b928f362',
  '0003_index_queued_messages.ts': '90f53b66ae649e1a02499163c4e6f6dd3da4f8a6ae0ad3fa4055dccf9c76ecf5',
  '0004_store_tool_texts.ts': 'd57ebc8fb5915a23fbcbcc5e11954a0bcfe8f0b00b5d23be319959c2da63fcce',
  '0005_finish_forgetting.ts': '472ae813bbfa8ab12430472604ff01a47a90ea7e3cccf6b3c24757a89f8e5c05',
  '0006_say_where_sessions_come_from.ts': 'a52decf7342ff3a4ebe5f41a00eeff35fd5aa6bf827d18afe49a2dfd5278c923',
  '0007_name_machines.ts': 'da80a1376bb514e06a3f5a8565efc85bef115b54ee387e390427411a407ac2f8',
  '0008_label_sessions.ts': 'fb2b95fd3fcdf27b0390eafe92fba80cf21ee556bbb2c9092098f657f7bf0841',
};

describe('migrations', () => {
  test('that have landed are never edited', () => {
    const files = readdirSync('migrations').filter((name) => name !== 'index.ts');
    const hashes = files.map((name) => {
      const text = readFileSync(`migrations/${name}`, 'utf8').replaceAll('\r\n', '\n');
      return [name, createHash('sha256').update(text).digest('hex')];
    });
    expect(
      Object.fromEntries(hashes),
      'people have indexes that were made by this migration: leave it as it was, and add a new one',
    ).toEqual(landed);
  });

  test('are counted by the schema version, and all are in the list', () => {
    expect([migrations.length, schemaVersion]).toEqual(Array(2).fill(Object.keys(landed).length));
  });
});

/** What the index of the demo home holds; its transcript was deleted, or was never read. */
const onlyInTheIndex: readonly (readonly [query: string, id: string])[] = [
  ['zsh start-up', '24ce48fb'],
  ['"order history" queries', '33ca1fe9'],
  ['数据库连接', '7c88b795'],
  ['refreshToken httpOnly cookie', '5b60eaeb'],
  ['prometheus histogram buckets', '548f969e'],
  ['feature flags percentage rollout', '2f265dcb'],
];
const fixtures = readdirSync('fixtures/indexes');

describe.each(fixtures)('the index that %s is', (fixture) => {
  let home: TempHome;
  beforeEach(() => {
    home = new TempHome();
    mkdirSync(dirname(home.indexPath), { recursive: true });
    copyFileSync(`fixtures/indexes/${fixture}`, home.indexPath);
    // As if it had been made from this home, from which all transcripts have been deleted since.
    use((db) => db.prepare('update root set path = ?').run(home.claudeDir));
    home.writeSession('newcomer', [userLine('a new prompt about an okapi')], '-home-maya-shop');
  });
  afterEach(() => home.remove());

  function use<T>(ask: (db: Database) => T): T {
    const db = openDatabase(home.indexPath);
    try {
      return ask(db);
    } finally {
      db.close();
    }
  }

  /** By columns that the first schema had: later ones may add to them. */
  const readRows = () =>
    use((db) => ({
      sessions: db.prepare('select id, agent, native_id, kind, title, message_count from session').all(),
      messages: db
        .prepare('select id, session_id, seq, uuid, role, kind, timestamp, text from message')
        .all(),
      toolCalls: db.prepare('select id, session_id, seq, name, target, is_error from tool_call').all(),
      summaries: db.prepare('select session_id, seq, text from summary order by 1, 2').all(),
      tombstones: db.prepare('select agent, native_id, forgotten_at from tombstone').all(),
    }));

  test('of a schema that has landed, with every kind of session in it', () => {
    const version = use((db) => Number(db.pragma('user_version', { simple: true })));
    expect(`${String(version).padStart(4, '0')}.db`).toBe(fixture);
    const rows = readRows();
    for (const list of Object.values(rows)) expect(list.length).toBeGreaterThan(0);
    const fates = use((db) => db.prepare('select distinct kind || is_gone from session').pluck().all());
    expect(fates).toEqual(
      expect.arrayContaining(['main0', 'main1', 'subagent0', 'subagent1', 'history1', 'precompact0']),
    );
  });

  test('upgraded, keeps every row, and every row has its words', async () => {
    const before = readRows();
    /** In place of those that are still to come. */
    const addMood: Migration = {
      async up(db) {
        await sql`alter table message add column mood text`.execute(db);
      },
    };
    const store = await openStore(home.indexPath, { migrations: [...migrations, addMood] });
    expect(checkWords(store.db)).toEqual([]);
    expect(store.db.prepare('select count(*) from message where mood is null').pluck().get()).toBe(
      before.messages.length,
    );
    store.close();
    expect(readRows()).toEqual(before);
  });

  test('finds what is only there, before and after everything is read again', () => {
    const before = readRows();
    const check = (found = onlyInTheIndex) => {
      for (const [query, id] of found) {
        const { code, stdout } = runRecall(home, ['search', query, '--no-refresh', '--json']);
        expect([query, code]).toEqual([query, 0]);
        const { hits } = JSON.parse(stdout) as { hits: { id: string }[] };
        expect([query, hits[0]?.id.slice(0, 8)]).toEqual([query, id]);
      }
    };
    check(onlyInTheIndex.slice(0, 2));
    const { code, stderr } = runRecall(home, ['index', '--rebuild']);
    expect([code, stderr]).toEqual([0, '']);
    check();
    expect(runRecall(home, ['doctor']).code).toBe(0);
    expect(readRows()).toMatchObject({
      messages: expect.arrayContaining(before.messages),
      toolCalls: before.toolCalls,
      tombstones: before.tombstones,
    });
    expect(runRecall(home, ['search', 'okapi', '--no-refresh']).stdout).toContain('a new prompt');
    expect(use((db) => db.prepare('select count(*) from session where is_gone = 0').pluck().get())).toBe(1);
  });

  test('holds what tools were given and answered after the next update, of transcripts that are there', () => {
    cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
    const find = (query: string) => {
      const { stdout } = runRecall(home, ['search', query, '--no-refresh', '--json']);
      const { tier, hits } = JSON.parse(stdout) as {
        tier: string;
        hits: { id: string; matches: { kind: string; tool?: string }[] }[];
      };
      return tier === 'all' ? hits : [];
    };
    const hasWork = Number(fixture.slice(0, 4)) > 1;
    if (!hasWork) expect(find('wombat')).toEqual([]);
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(find('wombat')).toMatchObject([{ matches: [{ kind: 'tool-output', tool: 'Bash' }] }]);
    for (const [query, id] of onlyInTheIndex) expect(find(query)[0]?.id.slice(0, 8)).toBe(id);
    expect(runRecall(home, ['doctor']).code).toBe(0);
    // What was read by now stays when its transcript goes.
    rmSync(join(home.claudeDir, 'projects'), { recursive: true });
    expect(runRecall(home, ['index']).code).toBe(0);
    expect(find('wombat')).toMatchObject([{ matches: [{ kind: 'tool-output', tool: 'Bash' }] }]);
  });
});
