// Decides what has to be done to make the index equal to the files: disk × known → new, grown, rewritten, gone.
// Pure; what is known of a file is asked for, since most files are not in question. Whether a grown file really only grew is checked by its fingerprint when it is opened.

import type { FileStamp, TranscriptFile } from '../records.ts';
import type { KnownTranscript } from '../store/read/read-known.ts';

export type Change = 'new' | 'grown' | 'rewritten' | 'unchanged';

export interface PlannedRead {
  readonly file: TranscriptFile;
  readonly known: KnownTranscript | null;
  readonly change: Exclude<Change, 'unchanged'>;
  /** Places of the files from the oldest: what sessions that are new are numbered by. */
  readonly age: number;
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
  /** Read every file on disk again. */
  readonly rebuild: boolean;
  /**
   * A run that may have to stop begins with the newest, so that it sees what a person just did. Else the oldest come
   * first, and every row is appended: a first index in the other order leaves pages half empty, a third more of them.
   */
  readonly newestFirst: boolean;
}

/** `files` are those that may have changed; `missing` is what is known but was not found. */
export function planReads(
  files: readonly TranscriptFile[],
  findKnown: (path: string) => KnownTranscript | null,
  missing: readonly KnownTranscript[],
  options: PlanOptions,
): Plan {
  const found: Omit<PlannedRead, 'age'>[] = [];
  let unchanged = 0;
  for (const file of files) {
    const known = findKnown(file.path);
    const change = toChange(file, known, options);
    if (change === 'unchanged') unchanged++;
    else found.push({ file, known, change });
  }
  found.sort((a, b) => a.file.mtimeMs - b.file.mtimeMs);
  const reads = found.map((read, i) => ({ ...read, age: i + 1 }));
  if (options.newestFirst) reads.reverse();
  const gone = missing.filter(
    (transcript) =>
      transcript.state !== 'gone' && !options.unreadable.some((folder) => isBelow(transcript.path, folder)),
  );
  return { reads, gone, unchanged };
}

function toChange(file: TranscriptFile, known: KnownTranscript | null, options: PlanOptions): Change {
  if (known === null) return 'new';
  if (options.rebuild || known.parserVersion !== options.parserVersion) return 'rewritten';
  if (hasSameStamp(file, known)) return known.state === 'current' ? 'unchanged' : 'grown';
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

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
