// The sessions in a database of OpenCode: rows with their messages and parts.

import type { ForeignDatabase } from '../../batch.ts';
import { type DatabaseLayout, optional, readColumns, type SessionRow } from '../files/database.ts';

export function opencodeRows(program: string, databaseName: string): DatabaseLayout {
  return {
    program,
    listDatabases: () => [databaseName],
    needed: {
      session: ['id', 'directory', 'time_created', 'time_updated'],
      message: ['id', 'session_id', 'time_created', 'data'],
      part: ['id', 'message_id', 'data'],
    },
    readRows: (db) => querySessions(db).map(toRow),
  };
}

function querySessions(db: ForeignDatabase): Record<string, unknown>[] {
  const columns = readColumns(db, 'session');
  const hasUpdates = readColumns(db, 'part').includes('time_updated');
  const last = hasUpdates ? 'max(part.time_updated)' : 'null';
  const newer = readColumns(db, 'session_message');
  const ofNewer = (what: string) =>
    `(select ${what} from session_message where session_message.session_id = session.id)`;
  const newerUpdated = newer.includes('time_updated') ? ofNewer('max(time_updated)') : 'null';
  return db.all(`
    select session.id, ${optional(columns, 'parent_id')}, session.time_updated as updated,
      (select ${last} from message join part on part.message_id = message.id where message.session_id = session.id) as partUpdated,
      (select count(*) from message join part on part.message_id = message.id where message.session_id = session.id)
        ${newer.length > 0 ? `+ ${ofNewer('count(*)')}` : ''} as parts,
      ${newerUpdated} as newerUpdated
    from session order by session.id`);
}

/** A version that writes times as text is compared by what Date makes of them. */
function toRow(row: Record<string, unknown>): SessionRow {
  return {
    id: String(row.id),
    parentId: typeof row.parent_id === 'string' ? row.parent_id : null,
    updatedMs: Math.max(toMs(row.updated), toMs(row.partUpdated), toMs(row.newerUpdated)),
    rows: Number(row.parts),
  };
}

function toMs(value: unknown): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value);
  return Number.isFinite(ms) ? ms : 0;
}
