// Messages whose session's own row was lost in a damaged index are kept under a session made for them (repair-rows.ts). Here
// it is given up again when the transcript turns out to be still there. Every update asks, so it is prepared SQL.

import type { Store } from '../open/open-store.ts';
import { saveTotals } from '../write/settlement.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';

/** The ids of sessions that were made for them begin with this. */
export const orphanPrefix = 'lost-';

/** Takes away those of which every entry is in another session as well. What they were tied to waits to be settled. */
export function dropCoveredOrphans({ db }: Store): void {
  const isCovered = `exists (select 1 from entry_uuid where session_id = session.id) and not exists (
    select 1 from entry_uuid mine where mine.session_id = session.id and not exists (
      select 1 from entry_uuid other where other.uuid_hash = mine.uuid_hash and other.session_id <> mine.session_id))`;
  const drop = db.transaction(() => {
    const ids = db
      .prepare(
        `select id from session where native_id >= '${orphanPrefix}' and native_id < '${orphanPrefix}:'
          and kind = 'history' and native_id = '${orphanPrefix}' || id and ${isCovered}`,
      )
      .pluck()
      .all() as number[];
    if (ids.length === 0) return;
    const writer = new TranscriptWriter(db);
    for (const id of ids) writer.deleteSession(id);
    saveTotals(db);
  });
  drop.immediate();
}
