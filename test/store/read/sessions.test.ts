// Which session a person means: by a whole id, or by the beginning of one.

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/open/open-store.ts';
import { findSessions, minPrefixChars } from '../../../src/store/read/sessions.ts';
import { TempHome } from '../../support/home.ts';
import { withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

interface Row {
  readonly id: string;
  readonly kind?: string;
  readonly modifiedAt?: string;
  readonly isGone?: number;
}

function insert({ db }: Store, rows: readonly Row[]): void {
  db.exec("insert into root (agent, path) values ('claude', '/r') on conflict do nothing");
  const add = db.prepare(
    "insert into session (root_id, agent, native_id, kind, last_timestamp, is_gone) values (1, 'claude', ?, ?, ?, ?)",
  );
  db.transaction(() => {
    for (const { id, kind = 'main', modifiedAt = '2026-03-05', isGone = 0 } of rows)
      add.run(id, kind, modifiedAt, isGone);
  })();
}

const ids = async (store: Store, ref: string) =>
  (await findSessions(store.db, ref)).map((found) => found.nativeId);

describe('findSessions', () => {
  test('a whole id, a prefix of four or more, nothing shorter', async () => {
    await withStore(home, async (store) => {
      insert(store, [{ id: '5b60eaeb-0001' }, { id: '5b60ffff-0002' }, { id: 'abc' }]);
      expect(await ids(store, '5b60eaeb-0001')).toEqual(['5b60eaeb-0001']);
      expect(await ids(store, '5b60e')).toEqual(['5b60eaeb-0001']);
      expect((await ids(store, '5b60')).sort()).toEqual(['5b60eaeb-0001', '5b60ffff-0002']);
      expect(await ids(store, '5b6')).toEqual([]);
      expect(await ids(store, 'abc')).toEqual(['abc']);
      expect(await ids(store, '')).toEqual([]);
      expect(await ids(store, '5b60eaeb-0001x')).toEqual([]);
    });
  });

  test('a whole id is meant, also when it begins another', async () => {
    await withStore(home, async (store) => {
      insert(store, [{ id: 'session' }, { id: 'session-2' }]);
      expect(await ids(store, 'session')).toEqual(['session']);
    });
  });

  test('one entry for one id; the one that is there, then the newest', async () => {
    await withStore(home, async (store) => {
      insert(store, [
        { id: 'twice-1', modifiedAt: '2026-03-09', isGone: 1 },
        { id: 'twice-1', modifiedAt: '2026-03-01', kind: 'subagent' },
        { id: 'twice-2', modifiedAt: '2026-03-05' },
      ]);
      const found = await findSessions(store.db, 'twice');
      expect(found.map(({ nativeId, kind }) => [nativeId, kind])).toEqual([
        ['twice-2', 'main'],
        ['twice-1', 'subagent'],
      ]);
    });
  });

  // `search 8D471A2E` found it, and `open 8D471A2E` did not.
  test('an id in capitals, unless there is one with capitals', async () => {
    await withStore(home, async (store) => {
      insert(store, [{ id: '8d471a2e-0001' }, { id: 'ses_AbC' }, { id: 'ses_abc' }, { id: 'ses_abd' }]);
      expect(await ids(store, '8D471A2E')).toEqual(['8d471a2e-0001']);
      expect(await ids(store, '8D471A2E-0001')).toEqual(['8d471a2e-0001']);
      expect(await ids(store, 'ses_AbC')).toEqual(['ses_AbC']);
      expect(await ids(store, 'ses_A')).toEqual(['ses_AbC']);
      expect(await ids(store, 'ses_abc')).toEqual(['ses_abc']);
      expect(await ids(store, 'SES_ABD')).toEqual(['ses_abd']);
    });
  });

  test('signs that mean something to SQL are just characters', async () => {
    await withStore(home, async (store) => {
      insert(store, [{ id: 'abcd%efg' }, { id: 'abcdXefg' }, { id: "it's an id" }]);
      expect(await ids(store, 'abcd%')).toEqual(['abcd%efg']);
      expect(await ids(store, '%%%%')).toEqual([]);
      expect(await ids(store, '____')).toEqual([]);
      expect(await ids(store, "it's")).toEqual(["it's an id"]);
    });
  });

  test('finds what looking at every id finds', async () => {
    const id = fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '~', '0', '-', '😀', '\uffff'),
      maxLength: 7,
    });
    await withStore(home, async (store) => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(id, { maxLength: 12 }), id, async (all, ref) => {
          store.db.exec('delete from session');
          insert(
            store,
            all.map((each) => ({ id: each })),
          );
          const expected = all.includes(ref)
            ? [ref]
            : all.filter((each) => ref.length >= minPrefixChars && each.startsWith(ref));
          expect((await ids(store, ref)).sort()).toEqual(expected.sort());
        }),
        { numRuns: 200 },
      );
    });
  });
});
