// A message comes out of the table as it went in, however it is packed, and what is asked of the packed columns is what
// would be asked of the readable ones.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MessageKind, Role } from '../../../src/records.ts';
import { toTimestamp } from '../../../src/sources/json/json-value.ts';
import { isKind, isMachineKind, isRole, isSaidBy, toTimeMs } from '../../../src/store/read/message-row.ts';
import { maxSeq } from '../../../src/store/row-ids.ts';
import { type IndexedMessage, TranscriptWriter } from '../../../src/store/write/transcript-writer.ts';
import { TempHome } from '../../support/home.ts';
import { withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const roles: readonly Role[] = ['user', 'assistant'];
const kinds: readonly MessageKind[] = ['prompt', 'queued', 'command', 'shell', 'answer', 'task', 'recap'];

/** As Claude Code writes them, almost so, and anything else. */
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replaceAll('-', '')),
  fc.uuid().map((id) => `${id.slice(1)}${id[0]}`),
  fc.uuid().map((id) => `${id}\n`),
  fc.constantFrom('12', '1e3', 'x', "X'00'", '00000000-0000-0000-0000-000000000000'),
  fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')),
  fc.constant(null),
);

const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
const lastSecond = Math.floor(lastMs / 1000);
const time = fc.oneof(
  fc.integer({ min: 0, max: lastMs }),
  fc.integer({ min: 0, max: lastSecond }).map((seconds) => seconds * 1000),
  fc.integer({ min: 0, max: lastSecond }).map((seconds) => seconds * 1000 + 999),
  fc.constantFrom(0, 1, lastMs),
);
const timestamp = fc.option(time.map((ms) => new Date(ms).toISOString()));

const message: fc.Arbitrary<IndexedMessage> = fc.record({
  seq: fc.oneof(fc.integer({ min: 0, max: maxSeq }), fc.constantFrom(0, maxSeq)),
  uuid,
  role: fc.constantFrom(...roles),
  kind: fc.constantFrom(...kinds),
  timestamp,
  text: fc.string(),
  isSidechain: fc.boolean(),
  part: fc.constant(''),
});

test('a message comes out as it went in', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const read = db.prepare(
      'select session_id, seq, uuid, role, kind, timestamp, text, is_sidechain from message',
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 23 - 1 }), message, (sessionId, said) => {
        writer.begin();
        writer.addMessages(sessionId, [said]);
        const { seq, uuid, role, kind, timestamp, text, isSidechain } = said;
        const stored = { session_id: sessionId, seq, uuid, role, kind, timestamp, text };
        expect(read.all()).toEqual([{ ...stored, is_sidechain: Number(isSidechain) }]);
        writer.rollback();
      }),
      { numRuns: 2000 },
    );
  });
});

test('every time that transcripts are read with comes out as it was read', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const read = db.prepare('select timestamp from message').pluck();
    const bare = { role: 'user', kind: 'prompt', text: '', isSidechain: false, part: '' } as const;
    const written = fc.oneof(
      time,
      time.map((ms) => ms / 1000),
      time.map((ms) => new Date(ms).toISOString()),
      time.map((ms) => new Date(ms).toISOString().replace(/\.\d+Z$/, '+05:30')),
      fc.tuple(fc.integer({ min: 1970, max: 9999 }), fc.nat(99), fc.nat(99)).map(([year, month, day]) => {
        const pad = (value: number) => String(value).padStart(2, '0');
        return `${year}-${pad(month)}-${pad(day)}T23:59:59.999Z`;
      }),
      fc.string(),
    );
    fc.assert(
      fc.property(written, (value) => {
        const timestamp = toTimestamp(value);
        writer.begin();
        writer.addMessages(1, [{ ...bare, seq: 1, uuid: null, timestamp }]);
        expect(read.get()).toBe(timestamp);
        writer.rollback();
      }),
      { numRuns: 2000 },
    );
  });
});

test('a uuid takes its sixteen bytes', async () => {
  await withStore(home, ({ db }) => {
    const id = 'aaaaaaaa-0000-4000-8000-00000000000a';
    const row = {
      role: 'user',
      kind: 'prompt',
      timestamp: null,
      text: '',
      isSidechain: false,
      part: '',
    } as const;
    new TranscriptWriter(db).addMessages(1, [
      { ...row, seq: 1, uuid: id },
      { ...row, seq: 2, uuid: id.toUpperCase() },
    ]);
    const lengths = db.prepare('select length(packed_uuid) from message order by id').pluck();
    expect(lengths.all()).toEqual([16, 36]);
  });
});

test('conditions on what is stored are those on what is read', async () => {
  await withStore(home, ({ db }) => {
    const writer = new TranscriptWriter(db);
    const each = kinds.flatMap((kind) =>
      roles.flatMap((role) => [false, true].map((isSidechain) => ({ role, kind, isSidechain }))),
    );
    writer.addMessages(
      1,
      each.map((said, seq) => ({ ...said, seq, uuid: null, timestamp: null, text: '', part: '' })),
    );
    const lines = (condition: string) =>
      db.prepare(`select seq from message where ${condition} order by id`).pluck().all();
    const linesOf = (wanted: (said: (typeof each)[number]) => boolean) =>
      each.flatMap((said, seq) => (wanted(said) ? [seq] : []));
    for (const kind of kinds) {
      expect(lines(isKind(kind))).toEqual(linesOf((said) => said.kind === kind));
      expect(lines(`not ${isKind(kind)}`)).toEqual(linesOf((said) => said.kind !== kind));
    }
    for (const role of roles) {
      expect(lines(isRole(role))).toEqual(linesOf((said) => said.role === role));
      expect(lines(isSaidBy(role))).toEqual(
        linesOf((said) => said.role === role && said.kind !== 'task' && said.kind !== 'recap'),
      );
    }
    expect(kinds.filter(isMachineKind)).toEqual(['task', 'recap']);
  });
});

test('times are asked for as they are stored', () => {
  expect(toTimeMs('2026-10-06T08:30:00.123Z')).toBe(Date.UTC(2026, 9, 6, 8, 30, 0, 123));
  expect(toTimeMs(null)).toBeNull();
});
