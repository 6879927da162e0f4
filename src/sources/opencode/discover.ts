// What of OpenCode's database differs from a snapshot of it. A session is a row with its messages and parts; its stamp is made
// of when these were last changed and how many there are. While neither the database nor its log changed, it is not even opened.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignDatabase } from '../../batch.ts';
import { toReason } from '../../errors.ts';
import type { FileStamp, TranscriptFile } from '../../records.ts';
import { type FolderSnapshot, toStamp, toStampsByName, unknownStamp } from '../files/snapshot.ts';
import type { DiscoverOptions, Discovery, Obstacle } from '../source.ts';

export const databaseName = 'opencode.db';
const databaseFiles = [databaseName, `${databaseName}-wal`];

export function discoverSessions(
  root: string,
  { known = new Map(), openDatabase }: Partial<DiscoverOptions> = {},
): Discovery {
  const before = known.get(databaseName);
  const files = databaseFiles.map((name) => readStamp(join(root, name)));
  const folder = toSnapshot('', databaseFiles, files);
  if (files[0] === null) return toDiscovery(before, null, folder, []);
  if (before !== undefined && isSame(known.get(''), folder)) return toDiscovery(before, before, folder, []);
  let sessions: readonly TranscriptFile[];
  try {
    sessions = readSessions(join(root, databaseName), openDatabase);
  } catch (error) {
    const obstacle = { path: databaseName, reason: toReason(error), isLink: false, isOfName: false };
    return toDiscovery(before, before ?? null, folder, [], [obstacle]);
  }
  const ids = sessions.map(({ nativeId }) => nativeId);
  return toDiscovery(before, toSnapshot(databaseName, ids, sessions), folder, sessions);
}

function toSnapshot(path: string, files: readonly string[], found: readonly (FileStamp | null)[]) {
  const stamps = found.map((stamp) => (stamp === null ? unknownStamp : toStamp(stamp)));
  return { path, stamp: unknownStamp, folders: [], files, stamps };
}

function readStamp(path: string): FileStamp | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  const { size: sizeBytes, mtimeMs, ino: inode } = found;
  // Reading through the log gives it another ctime, as far as some file systems are concerned.
  return { sizeBytes, mtimeMs, ctimeMs: 0, inode };
}

function isSame(before: FolderSnapshot | undefined, now: FolderSnapshot): boolean {
  return before !== undefined && databaseFiles.every((_, i) => before.stamps[i] === now.stamps[i]);
}

function toDiscovery(
  before: FolderSnapshot | undefined,
  now: FolderSnapshot | null,
  database: FolderSnapshot,
  sessions: readonly TranscriptFile[],
  obstacles: readonly Obstacle[] = [],
): Discovery {
  const known = before === undefined ? new Map<string, number>() : toStampsByName(before);
  const changed = sessions.filter((session) => known.get(session.nativeId) !== toStamp(session));
  const left = new Set(now?.files ?? []);
  return {
    files: changed,
    sidecars: [],
    obstacles,
    unchanged: (now?.files.length ?? 0) - changed.length,
    missing: [...known.keys()].filter((id) => !left.has(id)).map(toPath),
    folders: now === null ? [database] : [now, database],
    nativeIds: () => left,
  };
}

function toPath(id: string): string {
  return `${databaseName}/${id}`;
}

function readSessions(path: string, open: DiscoverOptions['openDatabase'] | undefined): TranscriptFile[] {
  if (open === undefined) throw new Error('nobody can open a database');
  const db = open(path);
  try {
    const unknown = findUnknown(db);
    if (unknown !== null) throw new Error(`not the database of a known version of OpenCode: ${unknown}`);
    return querySessions(db).map(toFile);
  } finally {
    db.close();
  }
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
function toFile(row: Record<string, unknown>): TranscriptFile {
  const nativeId = String(row.id);
  const parentNativeId = typeof row.parent_id === 'string' ? row.parent_id : null;
  return {
    path: toPath(nativeId),
    nativeId,
    parentNativeId,
    slug: null,
    isMachinery: false,
    kind: parentNativeId === null ? 'main' : 'subagent',
    sizeBytes: Number(row.parts),
    mtimeMs: Math.max(toMs(row.updated), toMs(row.partUpdated), toMs(row.newerUpdated)),
    ctimeMs: 0,
    inode: 0,
  };
}

function toMs(value: unknown): number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number(value);
  return Number.isFinite(ms) ? ms : 0;
}

const needed = {
  session: ['id', 'directory', 'time_created', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'data'],
} as const;

/** What is missing of the tables as they are known; null when nothing is. */
function findUnknown(db: ForeignDatabase): string | null {
  for (const [table, columns] of Object.entries(needed)) {
    const found = new Set(readColumns(db, table));
    const missing = columns.find((column) => !found.has(column));
    if (found.size === 0) return `it has no table ${table}`;
    if (missing !== undefined) return `its table ${table} has no column ${missing}`;
  }
  return null;
}

export function readColumns(db: ForeignDatabase, table: string): string[] {
  return db.all('select name from pragma_table_info(?)', table).map(({ name }) => String(name));
}

/** SQL for a column that not every version has. */
export function optional(columns: readonly string[], name: string): string {
  return columns.includes(name) ? name : `null as ${name}`;
}
