// What of databases that hold sessions as rows differs from a snapshot of them. The stamp of a session is made of when it was last
// changed and how many rows it has. While neither a database nor its log changed, it is not even opened.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ForeignDatabase } from '../../batch.ts';
import { toReason } from '../../errors.ts';
import type { FileStamp, TranscriptFile } from '../../records.ts';
import type { DiscoverOptions, Discovery, Obstacle } from '../source.ts';
import { type FolderSnapshot, toStamp, toStampsByName, unknownStamp } from './snapshot.ts';

export interface SessionRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly updatedMs: number;
  readonly rows: number;
  /** What the agent calls it by when it is resumed, where that is not its id. */
  readonly slug?: string | null;
}

export interface DatabaseLayout {
  /** Whose it is, for a message. */
  readonly program: string;
  readonly fileName: string;
  /** Their paths relative to the root, with forward slashes; absent where there is one, in the root itself. */
  listDatabases?(root: string): readonly string[];
  /** The tables and columns without which nothing can be read. */
  readonly needed: Readonly<Record<string, readonly string[]>>;
  readRows(db: ForeignDatabase): readonly SessionRow[];
}

/** A session's path is that of its database, and its id. */
export function discoverRows(
  root: string,
  layout: DatabaseLayout,
  options: Partial<DiscoverOptions> = {},
): Discovery {
  const { known = new Map() } = options;
  const found = new Set(layout.listDatabases?.(root) ?? [layout.fileName]);
  // A database that is no longer there is looked at once more: its sessions are missing now.
  const before = [...known.keys()].filter((path) => known.has(`${filesOf}${path}`));
  return joinDiscoveries(
    [...new Set([...found, ...before])].map((path) => discoverIn(root, path, layout, options)),
  );
}

export function joinDiscoveries(found: readonly Discovery[]): Discovery {
  return {
    files: found.flatMap(({ files }) => files),
    sidecars: found.flatMap(({ sidecars }) => sidecars),
    obstacles: found.flatMap(({ obstacles }) => obstacles),
    unchanged: found.reduce((sum, { unchanged }) => sum + unchanged, 0),
    missing: found.flatMap(({ missing }) => missing),
    folders: found.flatMap(({ folders }) => folders),
    nativeIds: () => new Set(found.flatMap((each) => [...each.nativeIds()])),
  };
}

const filesOf = 'files of ';

function discoverIn(
  root: string,
  path: string,
  layout: DatabaseLayout,
  { known = new Map(), openDatabase }: Partial<DiscoverOptions>,
): Discovery {
  const before = known.get(path);
  const names = [path, `${path}-wal`];
  const stamps = names.map((name) => readStamp(join(root, name)));
  const folder = toSnapshot(`${filesOf}${path}`, names, stamps);
  const isThere = stamps[0] !== null;
  const isSame = before !== undefined && hasSameStamps(known.get(folder.path), folder);
  let now = isThere ? (before ?? null) : null;
  let sessions: readonly TranscriptFile[] = [];
  const obstacles: Obstacle[] = [];
  if (isThere && !isSame)
    try {
      sessions = readSessions(join(root, path), layout, openDatabase).map((row) => toFile(path, row));
      const ids = sessions.map(({ nativeId }) => nativeId);
      now = toSnapshot(path, ids, sessions);
    } catch (error) {
      obstacles.push({ path, reason: toReason(error), isLink: false, isOfName: false });
    }
  const stampsBefore = before === undefined ? new Map<string, number>() : toStampsByName(before);
  const files = sessions.filter((session) => stampsBefore.get(session.nativeId) !== toStamp(session));
  const ids = now?.files ?? [];
  const left = new Set(ids);
  return {
    files,
    sidecars: [],
    obstacles,
    nativeIds: () => left,
    unchanged: ids.length - files.length,
    missing: [...stampsBefore.keys()].filter((id) => !left.has(id)).map((id) => `${path}/${id}`),
    folders: now === null ? [folder] : [now, folder],
  };
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

function hasSameStamps(before: FolderSnapshot | undefined, now: FolderSnapshot): boolean {
  return before !== undefined && now.files.every((_, i) => before.stamps[i] === now.stamps[i]);
}

function readSessions(
  path: string,
  { needed, program, readRows }: DatabaseLayout,
  open: DiscoverOptions['openDatabase'] | undefined,
): readonly SessionRow[] {
  if (open === undefined) throw new Error('nobody can open a database');
  const db = open(path);
  try {
    const unknown = findUnknown(db, needed);
    if (unknown !== null) throw new Error(`not the database of a known version of ${program}: ${unknown}`);
    return readRows(db);
  } finally {
    db.close();
  }
}

function toFile(path: string, { id, parentId, updatedMs, rows, slug = null }: SessionRow): TranscriptFile {
  return {
    path: `${path}/${id}`,
    nativeId: id,
    parentNativeId: parentId,
    slug,
    isMachinery: false,
    kind: parentId === null ? 'main' : 'subagent',
    sizeBytes: rows,
    mtimeMs: updatedMs,
    ctimeMs: 0,
    inode: 0,
  };
}

/** What is missing of the tables as they are known; null when nothing is. */
function findUnknown(db: ForeignDatabase, needed: DatabaseLayout['needed']): string | null {
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

/** SQL for columns that not every version has. */
export function optionalColumns(db: ForeignDatabase, table: string, ...names: readonly string[]): string {
  const columns = readColumns(db, table);
  return names.map((name) => (columns.includes(name) ? name : `null as ${name}`)).join(', ');
}
