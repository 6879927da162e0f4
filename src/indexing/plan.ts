// Decides what has to be done to make the index equal to the files: disk × known → new, grown, rewritten, gone.
// Pure. Whether a file really only grew is checked by its fingerprint when it is opened.

import type { FileStamp, Identity, TranscriptFile } from '../records.ts';
import { isUnchecked } from '../sources/files/fingerprint.ts';
import type { FreeIds, KnownTranscript } from '../store/read/known-files.ts';

type Change = 'new' | 'grown' | 'rewritten' | 'unchanged';

export interface PlannedRead {
  readonly file: TranscriptFile;
  readonly known: KnownTranscript | null;
  readonly change: Exclude<Change, 'unchanged'>;
  /** The id of its session, if that is new: the older the file, the lower. */
  readonly newId: number;
  readonly readPath?: string;
}

export interface Plan {
  readonly reads: readonly PlannedRead[];
  readonly gone: readonly KnownTranscript[];
  readonly unchanged: number;
}

export interface PlanOptions {
  readonly parserVersion: number;
  /** Folders that could not be read: what is known below them is left as it is. */
  readonly unreadable: readonly string[];
  readonly rebuild: boolean;
  /**
   * A run that may have to stop starts with the newest, so that it sees what a person just did. Otherwise the oldest come
   * first, and every row is appended: a first index in the other order leaves pages half empty, a third more of them.
   */
  readonly newestFirst: boolean;
  readonly wanted?: string | undefined;
  /** Files to which a run without the time for it has added are compared as a whole with what was read of them. */
  readonly isChecking?: boolean;
  readonly freeIds: FreeIds;
}

/** `files` are those that may have changed; `missing` is what is known but was not found. */
export function planReads(
  files: readonly TranscriptFile[],
  findKnown: (path: string) => KnownTranscript | null,
  missing: readonly KnownTranscript[],
  options: PlanOptions,
): Plan {
  const found: UnnumberedRead[] = [];
  const emptied: KnownTranscript[] = [];
  let unchanged = 0;
  for (const file of files) {
    const known = findKnown(file.path);
    // A crash may leave a transcript without a byte: as with one that was deleted, what was read of it is kept.
    if (known !== null && file.sizeBytes === 0 && known.bytesRead > 0) {
      if (known.state === 'gone') unchanged++;
      else emptied.push(known);
      continue;
    }
    const change = findChange(file, known, options);
    if (change === 'unchanged') unchanged++;
    else found.push({ file, known, change });
  }
  found.sort((a, b) => a.file.mtimeMs - b.file.mtimeMs);
  const oldestFirst = withIds(found, options.freeIds);
  const reads = options.newestFirst ? orderNewestFirst(oldestFirst, options.wanted) : oldestFirst;
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const gone = missing.filter(
    ({ state, path }) => state !== 'gone' && !options.unreadable.some((folder) => isBelow(path, folder)),
  );
  return { reads, gone: [...gone, ...emptied], unchanged };
}

type UnnumberedRead = Omit<PlannedRead, 'newId'>;

/** The prompt history is no session. A known transcript may need an id too, if it was empty or could not be read before. */
function withIds(oldestFirst: readonly UnnumberedRead[], { above, left }: FreeIds): PlannedRead[] {
  const isOlder = ({ file, change }: UnnumberedRead) =>
    left !== null && change === 'new' && file.kind !== 'history' && file.mtimeMs <= left.mtimeMs;
  const older = oldestFirst.filter(isOlder).length;
  let nextLeft = left !== null && older <= left.count ? left.below - older : null;
  let nextAbove = above + 1;
  return oldestFirst.map((read) => {
    if (read.file.kind === 'history') return { ...read, newId: 0 };
    return { ...read, newId: nextLeft !== null && isOlder(read) ? nextLeft++ : nextAbove++ };
  });
}

/** In groups, each with its oldest first: FTS5 writes out its buffer whenever a row id is lower than the one before. */
function orderNewestFirst(oldestFirst: readonly PlannedRead[], wanted: string | undefined): PlannedRead[] {
  const groups: PlannedRead[][] = [[]];
  let room = firstGroupBytes;
  for (const read of oldestFirst.toReversed()) {
    if (room <= 0) room = Math.min(lastGroupBytes, firstGroupBytes * 2 ** groups.push([]));
    groups.at(-1)?.push(read);
    room -= read.file.sizeBytes;
  }
  const reads = groups.flatMap((group) => group.toReversed());
  const isWanted = ({ file }: PlannedRead) => wanted !== undefined && file.nativeId === wanted;
  return [...reads.filter(isWanted), ...reads.filter((read) => !isWanted(read))];
}

/** If time runs out inside a group, the newest of it are missing: so the first is small, and none takes long to read. */
const firstGroupBytes = 256 * 1024;
const lastGroupBytes = 8 * 1024 * 1024;

function findChange(file: TranscriptFile, known: KnownTranscript | null, options: PlanOptions): Change {
  if (known === null) return 'new';
  if (options.rebuild || known.parserVersion !== options.parserVersion) return 'rewritten';
  if (hasSameStamp(file, known)) {
    const isToCheck = options.isChecking === true && isUnchecked(known.fingerprint);
    return known.state === 'current' && !isToCheck ? 'unchanged' : 'grown';
  }
  if (file.isMachinery) return 'grown';
  if (file.sizeBytes < known.bytesRead) return 'rewritten';
  // The same size with another time was written anew, whatever its ends look like.
  if (file.sizeBytes === known.sizeBytes) return 'rewritten';
  // The last line was taken without its newline: what follows may continue it.
  if (known.isUnterminated) return 'rewritten';
  return 'grown';
}

export function hasSameStamp(a: FileStamp, b: FileStamp): boolean {
  return (
    a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode
  );
}

/** Nothing is new in it: it was read only to compare it with what was read before. */
export function isCheck({ file, known, change }: PlannedRead): boolean {
  return change === 'grown' && known?.state === 'current' && !file.isMachinery && hasSameStamp(file, known);
}

/** The name of a file says whose it is, unless its content knows better. */
export function identify(read: PlannedRead, identity: Identity | null): PlannedRead {
  if (identity === null) return read;
  const { file } = read;
  const kind = identity.kind ?? file.kind;
  const nativeId = identity.nativeId ?? file.nativeId;
  const parentNativeId = identity.parentNativeId ?? file.parentNativeId;
  return { ...read, file: { ...file, kind, nativeId, parentNativeId } };
}
