// Messages whose session's own row was lost in a damaged index. They are kept under a session made for them, and given up
// again when the transcript turns out to be still there.

import type Database from 'better-sqlite3';
import type { Store } from '../open/open-store.ts';
import { saveTotals } from '../read/totals.ts';
import { TranscriptWriter } from '../write/transcript-writer.ts';

const prefix = 'lost-';
const maxPromptChars = 2000;

/** Nothing else is known of them than what was said, and when. */
export function adoptOrphans(db: Database.Database): void {
  db.exec(`
    insert into session (id, root_id, agent, native_id, kind, first_timestamp, last_timestamp, own_first_prompt, is_gone)
    select session_id, (select coalesce(min(id), 1) from root), (select coalesce(min(agent), 'lost') from root),
      '${prefix}' || session_id, 'history',
      min(timestamp), max(timestamp),
      (select substr(text, 1, ${maxPromptChars}) from message first
        where first.session_id = message.session_id and first.role = 'user' order by first.id limit 1), 1
    from message where session_id not in (select id from session) group by session_id`);
}

/** Takes away those of which every entry stands in another session as well. What they were tied to waits to be settled. */
export function dropCoveredOrphans({ db }: Store): void {
  const isCovered = `exists (select 1 from entry_uuid where session_id = session.id) and not exists (
    select 1 from entry_uuid mine where mine.session_id = session.id and not exists (
      select 1 from entry_uuid other where other.uuid_hash = mine.uuid_hash and other.session_id <> mine.session_id))`;
  const drop = db.transaction(() => {
    const ids = db
      .prepare(
        `select id from session where native_id >= '${prefix}' and native_id < '${prefix}:'
          and kind = 'history' and native_id = '${prefix}' || id and ${isCovered}`,
      )
      .pluck()
      .all() as number[];
    const writer = new TranscriptWriter(db);
    for (const id of ids) writer.deleteSession(id);
    if (ids.length > 0) saveTotals(db);
  });
  drop.immediate();
}
