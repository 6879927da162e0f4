// What only OpenCode does: it keeps its sessions in a database, which is read while its owner writes.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unquote } from '../../../src/sources/opencode/reader.ts';
import { openDatabase } from '../../../src/store/open/database.ts';
import { readToolTexts } from '../../../src/store/read/tool-texts.ts';
import { AgentHome } from '../../support/agent-home.ts';
import { rowsOf, withStore } from '../../support/index-home.ts';

const session = 'ses_0a1b2c3d4e5f60718293a4b5';

describe('the database', () => {
  let home: AgentHome;
  let path: string;
  beforeEach(() => {
    home = new AgentHome('opencode');
    path = join(home.root.path, 'opencode.db');
  });
  afterEach(() => home.remove());

  const texts = async () =>
    (await rowsOf<{ text: string }>(home, 'select text from message order by text')).map(({ text }) => text);

  const answersOf = async (nativeId: string) => {
    const rows = await rowsOf<{ id: number }>(
      home,
      "select work.id from work join session on session.id = session_id where native_id = ? and work.kind = 'tool-output'",
      nativeId,
    );
    const ids = rows.map(({ id }) => id);
    return withStore(home, ({ db }) => [...readToolTexts(db, ids).values()]);
  };

  test('of a program that is running is read with its log, and left as it was', async () => {
    using owner = own(path);
    owner.add('msg_new', 'Said a moment ago');
    const before = statSync(path);
    await home.index();
    expect(await texts()).toContain('Said a moment ago');
    expect(statSync(path).mtimeMs).toBe(before.mtimeMs);
    expect(readdirSync(home.root.path).sort()).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal']);
    // The owner goes on writing.
    owner.add('msg_newer', 'And this one after');
    const { files, bytesRead } = await home.index();
    expect(await texts()).toContain('And this one after');
    expect([files.seen, files.unchanged, bytesRead > 0]).toEqual([5, 4, true]);
  });

  test('is not waited for while its owner holds it', async () => {
    using owner = own(path);
    owner.db.exec('begin immediate');
    await home.index();
    expect((await texts()).length).toBeGreaterThan(5);
    owner.db.exec('rollback');
  });

  test('from which a session was deleted leaves it in the index', async () => {
    await home.index();
    const before = await texts();
    using owner = own(path);
    owner.db.exec(
      `delete from part where session_id = '${session}'; delete from session where id = '${session}'`,
    );
    await home.index();
    expect(await texts()).toEqual(before);
    const gone = await rowsOf(home, 'select native_id from session where is_gone = 1');
    expect(gone).toEqual([{ native_id: session }]);
  });

  test.each([
    ['alter table part rename to piece', 'no table part'],
    ['alter table message rename column data to body', 'no column data'],
  ])('of an unknown form is reported, not guessed: %s', async (change, reason) => {
    await home.index();
    const before = await texts();
    using owner = own(path);
    owner.db.exec(change);
    const { failures } = await home.index();
    expect(failures).toEqual([{ path, reason: expect.stringContaining(reason) }]);
    expect(await texts()).toEqual(before);
  });

  test('gives what a tool answered', async () => {
    await home.index();
    expect(await answersOf(session)).toContain('wombat 10');
  });

  describe('with messages in the newer table', () => {
    const newer = 'ses_0a1b2c3d4e5f60718293a4b9';
    const said = async () =>
      (
        await rowsOf<{ text: string }>(
          home,
          'select text from message join session on session.id = session_id where native_id = ? order by seq',
          newer,
        )
      ).map(({ text }) => text);

    test('gives what tools answered, too', async () => {
      await home.index();
      expect(await answersOf(newer)).toEqual([expect.stringContaining('quoll: counter.log'), 'EROFS']);
    });

    test('reads a row again when it changed, and a message that is in both tables once', async () => {
      await home.index();
      const before = await said();
      expect(before.at(-1)).toBe('And on Sundays?');
      using owner = own(path);
      owner.db.exec(
        `update session_message set time_updated = time_updated + 1000, data = replace(data, 'rotated', 'moved')
        where id = 'msg_v09';
        insert into session_message values ('msg_0043', '${newer}', 'user', 99, 1772704841000, 1772704841000,
          '{"time":{"created":1772704841000},"text":"And on Sundays?"}')`,
      );
      await home.index();
      expect(await said()).toEqual(before.map((text) => text.replace('rotated', 'moved')));
    });

    test('of an unknown form leaves the rest as it is, and is noticed', async () => {
      using owner = own(path);
      owner.db.exec('alter table session_message rename column data to body');
      const { failures, unknownTypes } = await home.index();
      expect(failures).toEqual([]);
      expect(unknownTypes).toMatchObject({ session_message: 1 });
      expect(await said()).toEqual(['And on Sundays?']);
    });
  });
});

/** The program, with the database open. */
function own(path: string) {
  const db = openDatabase(path);
  return {
    db,
    add: (id: string, text: string) => {
      const now = Date.now();
      const data = JSON.stringify({ role: 'user', time: { created: now } });
      db.prepare('insert into message values (?, ?, ?, ?, ?)').run(id, session, now, now, data);
      const part = JSON.stringify({ type: 'text', text });
      db.prepare('insert into part values (?, ?, ?, ?, ?, ?)').run(`prt_${id}`, id, session, now, now, part);
    },
    [Symbol.dispose]: () => db.close(),
  };
}

test.each([
  ['"a b"', 'a b'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['"one" and "two"', '"one" and "two"'],
  ['"open', '"open'],
  ['plain', 'plain'],
])('%s was typed as %s', (stored, typed) => {
  expect(unquote(stored)).toBe(typed);
});
