// The places of messages in their sessions, counted from 1.

import type Database from 'better-sqlite3';
import { firstMessageIdOf } from '../row-ids.ts';

/** By message id. */
export function readPositions(db: Database.Database, ids: Iterable<number>): Map<number, number> {
  const count = db
    .prepare(
      `select count(*) from message where id between ${firstMessageIdOf('cast(@id as integer)')} and @id`,
    )
    .pluck();
  return new Map([...ids].map((id) => [id, Number(count.get({ id }))]));
}
