// A message comes out of the table as it went in.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IndexedMessage } from '../../../src/batch.ts';
import { type MessageKind, maxSeq, messageKinds, roles } from '../../../src/records.ts';
import { toTimestamp } from '../../../src/sources/json/json-value.ts';
import { TranscriptWriter } from '../../../src/store/write/transcript-writer.ts';
import { TempHome } from '../../support/home.ts';
import { withStore } from '../../support/index-home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const kinds = Object.keys(messageKinds) as MessageKind[];

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
        db.exec('begin immediate');
        writer.addMessages(sessionId, [said]);
        const { seq, uuid, role, kind, timestamp, text, isSidechain } = said;
        const stored = { session_id: sessionId, seq, uuid, role, kind, timestamp, text };
        expect(read.all()).toEqual([{ ...stored, is_sidechain: Number(isSidechain) }]);
        db.exec('rollback');
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
        db.exec('begin immediate');
        writer.addMessages(1, [{ ...bare, seq: 1, uuid: null, timestamp }]);
        expect(read.get()).toBe(timestamp);
        db.exec('rollback');
      }),
      { numRuns: 2000 },
    );
  });
});
