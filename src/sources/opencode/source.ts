// OpenCode and what descends from it: all that recall knows of their databases and habits, behind the interface of a source.

import { dirname, isAbsolute, join } from 'node:path';
import type { ForeignDatabase } from '../../batch.ts';
import { isFile } from '../../open-file.ts';
import type { AgentName } from '../../records.ts';
import { type DatabaseLayout, optionalColumns, readColumns, type SessionRow } from '../files/database.ts';
import type { Source } from '../source.ts';
import { findRunning, keepsFolder, keepsRows, resumesById, usualSource } from '../usual.ts';

interface Relative {
  readonly name: string;
  /** Of its folder, its database and its command. */
  readonly program: AgentName;
  /** What its tools see. */
  readonly mark: string;
}

function toSource({ name, program, mark }: Relative): Source {
  const layout = toLayout(name, `${program}.db`);
  return {
    ...usualSource(program, name),
    parserVersion: 4,
    ...keepsFolder(
      'XDG_DATA_HOME',
      ({ env: { XDG_DATA_HOME: xdg = '' }, homeDir }) =>
        join(isAbsolute(xdg) ? xdg : join(homeDir, '.local', 'share'), program),
      { own: ['auth.json', layout.fileName], toValue: dirname },
    ),
    ...keepsRows(layout),
    loadReader: async (_, loadTools) => (await import('./reader.ts')).makeReader(await loadTools()),
    isSessionId: (text) => /^ses_[0-9A-Za-z]{20,40}$/.test(text),
    // From elsewhere its turn runs, but nothing is printed.
    ...resumesById('required', program, '-s'),
    hasSession: ({ root, isGone }) => !isGone && isFile(join(root, layout.fileName)),
    findRunningSession: (env) => findRunning(env, null, mark),
  };
}

export const opencode = toSource({ name: 'OpenCode', program: 'opencode', mark: 'OPENCODE' });
export const kilo = toSource({ name: 'Kilo', program: 'kilo', mark: 'KILO' });

function toLayout(program: string, fileName: string): DatabaseLayout {
  return {
    program,
    fileName,
    needed: {
      session: ['id', 'directory', 'time_created', 'time_updated'],
      message: ['id', 'session_id', 'time_created', 'data'],
      part: ['id', 'message_id', 'data'],
    },
    readRows: (db) => querySessions(db).map(toRow),
  };
}

function querySessions(db: ForeignDatabase): Record<string, unknown>[] {
  const hasUpdates = readColumns(db, 'part').includes('time_updated');
  const last = hasUpdates ? 'max(part.time_updated)' : 'null';
  const newer = readColumns(db, 'session_message');
  const ofNewer = (what: string) =>
    `(select ${what} from session_message where session_message.session_id = session.id)`;
  const newerUpdated = newer.includes('time_updated') ? ofNewer('max(time_updated)') : 'null';
  return db.all(`
    select session.id, ${optionalColumns(db, 'session', 'parent_id')}, session.time_updated as updated,
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
