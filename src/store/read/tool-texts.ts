// What tools were given and what they answered, by the ids of the rows or by their calls.

import { inflateRawSync } from 'node:zlib';
import { maxCallsPerLine, maxSeq } from '../../records.ts';
import { findText, type PlacedText, toSearchedText, unpackTexts } from '../../text/tool-text.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { toolCallId, toolTextId, toSessionId, toTextPlace, toToolTextId } from '../row-ids.ts';
import type { Stretch } from './read-conversation.ts';

/** By id, as `view` gives them; those that are missing were indexed before their text was stored, or are no longer there. */
export function readToolTexts(
  db: Database,
  ids: readonly number[],
  view: (stored: string) => string = toSearchedText,
): Map<number, string> {
  // The texts of a line are in the first block that ends with it or after it.
  const sql = `select value as id, (select min(id) from tool_text where id >= value >> 7) as blockId from json_each(?)
  where blockId is not null order by blockId`;
  const placed = db.prepare(sql).all(JSON.stringify(ids)) as { id: number; blockId: number }[];
  const readBlock = db.prepare('select texts from tool_text where id = cast(? as integer)').pluck();
  const texts = new Map<number, string>();
  let block: { id: number; bytes: Buffer } = { id: -1, bytes: Buffer.alloc(0) };
  for (const { id, blockId } of placed) {
    if (block.id !== blockId) block = { id: blockId, bytes: inflate(readBlock.get(blockId) as Buffer) };
    const text = findText(block.bytes, toTextPlace(id));
    if (text !== undefined) texts.set(id, view(text));
  }
  return texts;
}

/** Nothing where the bytes are damaged. */
function inflate(packed: Buffer): Buffer {
  try {
    return inflateRawSync(packed);
  } catch {
    return Buffer.alloc(0);
  }
}

export interface BlockRow {
  /** That of a message on the last of their lines. */
  readonly id: number;
  readonly texts: Buffer;
}

/** With their ids; none where the bytes are damaged. */
export function unpackBlock({ id, texts }: BlockRow): (PlacedText & { readonly id: number })[] {
  const sessionId = toSessionId(id);
  try {
    return unpackTexts(texts).map((text) => ({ ...text, id: toToolTextId(sessionId, text) }));
  } catch {
    return [];
  }
}

export interface CallText {
  readonly id: number;
  readonly callSeq: number;
  readonly callNth: number;
  readonly isOutput: boolean;
}

/** No index leads from a call to its answer, and most have none: each would go through the rest of the session. */
const maxLinesToAnswer = 4000;

export function listCallTexts(db: Database, sessionId: number, { from, to }: Stretch): CallText[] {
  const last = String(maxCallsPerLine - 1);
  const sql = `select id, call_id >> 6 & ${maxSeq} as callSeq, call_id & ${maxCallsPerLine - 1} as callNth, id & 1 as isOutput
  from work
  where id between ${toolTextId('@sessionId', '@from', '0', '0')} and ${toolTextId('@sessionId', '@end', last, '1')}
    and call_id between ${toolCallId('@sessionId', '@from', '0')} and ${toolCallId('@sessionId', '@to', last)}
  order by id`;
  const rows = db.prepare(sql).all({ sessionId, from, to, end: Math.min(maxSeq, to + maxLinesToAnswer) });
  return withBooleans<CallText>(rows, 'isOutput');
}
