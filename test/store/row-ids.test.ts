// Row ids sort by session, then line, then call, and give back where a row belongs, exactly, for any size.

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { maxCallsPerLine, maxSeq } from '../../src/records.ts';
import { openDatabase } from '../../src/store/open/database.ts';
import {
  isMessageOf,
  isToolCallOf,
  isToolTextOf,
  messageId,
  sessionOfMessage,
  sessionOfToolCall,
  sessionOfToolText,
  toMessageIdOfToolText,
  toolCallId,
  toolTextId,
  toSessionOfToolText,
} from '../../src/store/row-ids.ts';

const db = openDatabase(':memory:');
afterAll(() => {
  db.close();
});

const read = (sql: string) => {
  const statement = db.prepare(`select ${sql}`).pluck().safeIntegers();
  return (...params: number[]) => statement.get(...params.map(BigInt)) as bigint;
};
const toMessageId = read(messageId('?', '?'));
const toCallId = read(toolCallId('?', '?', '?'));
const toToolTextId = read(toolTextId('?', '?', '?', '?'));

/** Far more sessions than anyone has, still exact as a JavaScript number. */
const session = fc.oneof(fc.integer({ min: 1, max: 2 ** 23 - 1 }), fc.integer({ min: 1, max: 9 }));
const seq = fc.oneof(fc.integer({ min: 0, max: maxSeq }), fc.constantFrom(0, 1, maxSeq));
const nth = fc.integer({ min: 0, max: maxCallsPerLine - 1 });
const row = fc.tuple(session, seq, nth);

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, value] of a.entries()) if (value !== b[i]) return value - (b[i] ?? 0);
  return 0;
}

const sign = (value: number | bigint) => (value > 0 ? 1 : value < 0 ? -1 : 0);

describe('row ids', () => {
  test('are what they are said to be', () => {
    expect(toMessageId(1, 1)).toBe((1n << 20n) | 1n);
    expect(toCallId(3, 7, 5)).toBe((((3n << 20n) | 7n) << 6n) | 5n);
    expect(toToolTextId(3, 7, 5, 1)).toBe((((((3n << 20n) | 7n) << 6n) | 5n) << 1n) | 1n);
    expect(toMessageId(2 ** 23 - 1, maxSeq)).toBe(((2n ** 23n - 1n) << 20n) | BigInt(maxSeq));
  });

  test('sort by session, line and call', () => {
    fc.assert(
      fc.property(row, row, (a, b) => {
        expect(sign(toCallId(...a) - toCallId(...b))).toBe(sign(compare(a, b)));
        const [messageA, messageB] = [a.slice(0, 2), b.slice(0, 2)];
        expect(sign(toMessageId(...messageA) - toMessageId(...messageB))).toBe(
          sign(compare(messageA, messageB)),
        );
      }),
    );
  });

  test('name their session, and only it claims them', () => {
    const sessionOf = db
      .prepare(`select ${sessionOfMessage('?')}`)
      .pluck()
      .safeIntegers();
    const sessionOfCall = db
      .prepare(`select ${sessionOfToolCall('?')}`)
      .pluck()
      .safeIntegers();
    const isOf = db
      .prepare(`select ${isMessageOf('@session', '@id')}`)
      .pluck()
      .safeIntegers();
    const isCallOf = db
      .prepare(`select ${isToolCallOf('@session', '@id')}`)
      .pluck()
      .safeIntegers();
    fc.assert(
      fc.property(row, fc.constantFrom(-1, 0, 1), ([id, line, call], step) => {
        expect(sessionOf.get(toMessageId(id, line))).toBe(BigInt(id));
        expect(sessionOfCall.get(toCallId(id, line, call))).toBe(BigInt(id));
        const other = { session: BigInt(id + step) };
        const isOwn = BigInt(step === 0);
        expect(isOf.get({ ...other, id: toMessageId(id, line) })).toBe(isOwn);
        expect(isCallOf.get({ ...other, id: toCallId(id, line, call) })).toBe(isOwn);
      }),
    );
  });

  test('of work texts do so too, and lead to the line', () => {
    const sessionOf = db
      .prepare(`select ${sessionOfToolText('?')}`)
      .pluck()
      .safeIntegers();
    const isOf = db
      .prepare(`select ${isToolTextOf('@session', '@id')}`)
      .pluck()
      .safeIntegers();
    const anyWork = fc.tuple(session, seq, nth, fc.constantFrom(0, 1));
    fc.assert(
      fc.property(anyWork, anyWork, fc.constantFrom(-1, 0, 1), (a, b, step) => {
        const [id, line] = a;
        const work = toToolTextId(...a);
        expect(sign(work - toToolTextId(...b))).toBe(sign(compare(a, b)));
        expect(sessionOf.get(work)).toBe(BigInt(id));
        expect(toSessionOfToolText(Number(work))).toBe(id);
        expect(BigInt(toMessageIdOfToolText(Number(work)))).toBe(toMessageId(id, line));
        expect(isOf.get({ session: BigInt(id + step), id: work })).toBe(BigInt(step === 0));
      }),
    );
  });

  test('are exact as JavaScript numbers', () => {
    fc.assert(
      fc.property(row, ([id, line, call]) => {
        for (const exact of [
          toMessageId(id, line),
          toCallId(id, line, call),
          toToolTextId(id, line, call, 1),
        ])
          expect(BigInt(Number(exact))).toBe(exact);
      }),
    );
  });
});
