// Takes secrets out of files that leave the machine, and out of the copies that there are: every segment whose name does not say that the rules of today were applied is
// written anew without them, then the old one is deleted. The caller holds the archive lock. Killed at any moment, it goes on
// where it was.

import { rmSync, statSync, utimesSync } from 'node:fs';
import { isFile } from '../open-file.ts';
import type { CopiedFile, SessionFiles } from '../sources/source.ts';
import { redactionVersion } from '../text/redact.ts';
import { isRedacted, keepFile } from './keep-file.ts';
import {
  type ArchiveRoot,
  type Copy,
  type CopyPlace,
  eachCopy,
  Listings,
  type Segment,
  segmentBytes,
  toPlace,
  type Version,
} from './layout.ts';
import { writeFile } from './restore-file.ts';
import {
  type Clean,
  createTemporaryPath,
  cutPieces,
  deleteSegments,
  prepareSegment,
  putInPlace,
  type ReadAt,
  readRange,
  readSegment,
  readStretches,
  syncFolder,
} from './segments.ts';

/** What takes secrets out of the files of an agent. */
export interface Redactor {
  readonly files: SessionFiles;
  readonly clean: Clean;
  /** What a packed file holds; reading it throws where it is damaged. */
  readonly unpack: (file: CopiedFile) => CopiedFile;
}

/** A file as it may leave the machine, in pieces. What an agent has compressed becomes lines. Throws where a part cannot be read. */
export function redactFile(file: CopiedFile, { files, clean, unpack }: Redactor) {
  const { path, chunks } = files.findForm(file.path) === 'packed' ? unpack(file) : file;
  let to = 0;
  for (const { length } of chunks()) to += length;
  const whole = { from: 0, to, maxBytes: segmentBytes, clean, hasLines: files.findForm(path) === 'lines' };
  return { path, pieces: cutPieces(toForwardReadAt(chunks()), whole) };
}

/** Reads each place once more at most: what is before the last one that was asked for is let go. */
function toForwardReadAt(chunks: Iterable<Buffer>): ReadAt {
  const rest = chunks[Symbol.iterator]();
  let held: Buffer = Buffer.alloc(0);
  let start = 0;
  return (position, length) => {
    const parts = [held.subarray(position - start)];
    let bytes = parts[0]?.length ?? 0;
    for (let next = bytes < length ? rest.next() : null; next?.done === false; ) {
      // The next chunk may be read into the same memory.
      parts.push(Buffer.from(next.value));
      bytes += next.value.length;
      next = bytes < length ? rest.next() : null;
    }
    [held, start] = [Buffer.concat(parts), position];
    return Buffer.from(held.subarray(0, length));
  };
}

type Redaction = Pick<Redactor, 'clean' | 'unpack'> & {
  /** Of the machine that this is: what is still there of its own files is known. */
  readonly machine: string;
  readonly signal: AbortSignal;
};

/** Copies that may hold secrets, by the names of their segments. What killed runs left half-written is deleted. */
export function findUnredacted(root: ArchiveRoot, isPacked: (path: string) => boolean): Copy[] {
  return [...eachCopy(root, '', { isCleaning: true })].filter(
    (copy) => !isRedacted(copy) || (copy.segments.length > 0 && isPacked(copy.path)),
  );
}

/** How many packed files were deleted because they could not be read, with nothing left of them. */
export async function redactCopies(
  root: ArchiveRoot,
  files: SessionFiles,
  copies: readonly Copy[],
  redaction: Redaction,
): Promise<number> {
  const { clean, machine, signal } = redaction;
  const packed: Copy[] = [];
  for (const copy of copies) {
    const form = files.findForm(copy.path);
    if (form === 'packed') {
      packed.push(copy);
      continue;
    }
    for (const version of copy.versions) {
      signal.throwIfAborted();
      if (!isRedacted(version)) await redactVersion(copy, version, clean, form === 'lines');
    }
    deleteSegments(copy, copy.leftovers);
  }
  let deleted = 0;
  for (const copy of packed) {
    signal.throwIfAborted();
    const isThere = root.machine === machine && isFile(`${root.path}/${copy.path}`);
    const isKept = isThere || (await keepUnpacked(copy, redaction));
    if (!isKept && copy.segments.length > 0) deleted++;
    deleteSegments(copy, copy.segments);
  }
  return deleted;
}

/** As lines, since secrets cannot be taken out of what is packed. False where not all of it can be read. */
async function keepUnpacked(copy: Copy, { clean, unpack, signal }: Redaction): Promise<boolean> {
  // A killed run may have left the text behind, with its secrets: listing the folder deletes it.
  new Listings({ isCleaning: true }).find(copy);
  const temporary = createTemporaryPath(copy.folder);
  try {
    for (const version of copy.versions.toReversed()) {
      const text = unpack({ path: copy.path, chunks: () => readUndamaged(copy, version) });
      if (!writeText(temporary, text.chunks())) return false;
      const { mtimeMs } = statSync(`${copy.folder}/${version.segments.at(-1)?.name}`);
      utimesSync(temporary, new Date(mtimeMs), new Date(mtimeMs));
      const options = { listings: new Listings(), clean, signal, isTranscript: true, hasLines: true };
      await keepFile(temporary, toPlace(copy.root, text.path), options);
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return copy.versions.length > 0;
}

export function* readUndamaged(place: CopyPlace, version: Version): Generator<Buffer> {
  for (const stretch of readStretches(place, version)) {
    if ('damage' in stretch) throw new Error(stretch.damage.reason);
    yield stretch.bytes;
  }
}

function writeText(path: string, chunks: Iterable<Buffer>): boolean {
  rmSync(path, { force: true });
  try {
    writeFile(path, chunks);
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string') throw error;
    return false;
  }
}

/** Lines may reach over several segments, so these are cleaned together; what is damaged is left as it is. */
async function redactVersion(
  place: CopyPlace,
  version: Version,
  clean: Clean,
  hasLines: boolean,
): Promise<void> {
  const written = new Set<string>();
  const runs = findReadableRuns(place, version);
  for (const segments of runs) {
    const [first, last] = [segments[0] as Segment, segments.at(-1) as Segment];
    const { mtimeMs } = statSync(`${place.folder}/${last.name}`);
    const readable = { ...version, segments };
    const pieces = cutPieces(
      (position, length) =>
        readRange(place, readable, position, Math.min(last.to, position + length)) ?? Buffer.alloc(0),
      { from: first.from, to: last.to, maxBytes: segmentBytes, clean, hasLines },
    );
    for (const { from, bytes } of pieces) {
      const { fingerprint } = segments.find(({ to }) => to >= from + bytes.length) ?? last;
      const about = { version: version.version, from, fingerprint, redactionVersion };
      const prepared = await prepareSegment(place, about, bytes, mtimeMs);
      await putInPlace(prepared);
      written.add(prepared.segment.name);
    }
  }
  await syncFolder(place.folder);
  deleteSegments(
    place,
    runs.flat().filter(({ name }) => !written.has(name)),
  );
}

function findReadableRuns(place: CopyPlace, { segments }: Version): Segment[][] {
  const runs: Segment[][] = [];
  let end = -1;
  for (const segment of segments) {
    if ('damage' in readSegment(place, segment)) continue;
    if (segment.from === end) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    end = segment.to;
  }
  return runs;
}
