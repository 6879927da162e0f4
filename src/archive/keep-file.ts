// Brings the copy of one file up to date.
//
//  1. The names say what is kept. Where the file still starts with it, by samples, only what was added is read; otherwise the
//     file was rewritten, and a new version is kept beside the old one. Where nothing was added, all of it is compared.
//  2. The bytes are cut into pieces, and each becomes a segment. The first segment of a further version gets its name last:
//     until then, the old version counts.
//  3. When all are in place, the segments that they replace are deleted, and an older version of which every line is in the
//     new one as well.
//
// Killed at any moment, every byte that was kept still is, and nothing that is not whole has a name.

import { createHash } from 'node:crypto';
import { closeSync, fstatSync } from 'node:fs';
import { openFile } from '../open-file.ts';
import { readFingerprint, Witness } from '../sources/files/fingerprint.ts';
import { redactionVersion } from '../text/redact.ts';
import {
  type Copy,
  type CopyPlace,
  type Listings,
  type Segment,
  segmentBytes,
  type Version,
} from './layout.ts';
import {
  type Clean,
  cutPieces,
  deleteSegments,
  discard,
  type PreparedSegment,
  prepareSegment,
  putInPlace,
  type ReadAt,
  readStretches,
  syncFolder,
  toChecksum,
  toReadAt,
} from './segments.ts';

interface KeepOptions {
  readonly listings: Listings;
  /** It usually only grows, and every version of it is worth keeping. */
  readonly isTranscript: boolean;
  /** Secrets are taken out line by line; else of the file as a whole. */
  readonly hasLines: boolean;
  readonly clean: Clean | null;
  readonly segmentBytes?: number;
  readonly signal?: AbortSignal;
}

/** The file was rewritten while it was being read: it is kept the next time. */
export class FileChanged extends Error {}

/** How many bytes of the file were kept, what they take in the archive, and whether all of the copy is known to equal the file. */
export async function keepFile(path: string, place: CopyPlace, options: KeepOptions) {
  const fd = openFile(path);
  try {
    return await keepOpenFile(fd, options.listings.find(place), options);
  } finally {
    closeSync(fd);
  }
}

interface OpenFile extends KeepOptions {
  readonly fd: number;
  readonly sizeBytes: number;
  readonly modifiedAtMs: number;
  readonly maxBytes: number;
  readonly readAt: ReadAt;
}

async function keepOpenFile(fd: number, copy: Copy, options: KeepOptions) {
  const { size: sizeBytes, mtimeMs: modifiedAtMs } = fstatSync(fd);
  if (sizeBytes === 0 || copy.prunedBytes.includes(sizeBytes))
    return { bytes: 0, addedBytes: 0, isChecked: true };
  const maxBytes = options.segmentBytes ?? segmentBytes;
  const file: OpenFile = { ...options, fd, sizeBytes, modifiedAtMs, maxBytes, readAt: toReadAt(fd) };
  const [current] = copy.versions;
  let plan = planKeep(current, file);
  // Before anything new: of a version that a killed run has begun, nothing may mix with the one that is begun now.
  await deleteReplaced(copy, copy.leftovers);
  let written = plan.from === sizeBytes ? [] : await writeSegments(copy, plan, file);
  // What was added may be half a line, which is not kept before the rest of it is there.
  const isKnown = ({ segment }: PreparedSegment) => copy.segments.some(({ name }) => name === segment.name);
  if (written.every(isKnown)) written = [];
  if (current !== undefined && written.length === 0 && !holdSame(current.segments, file)) {
    plan = toNewVersion(current.version + 1);
    written = await writeSegments(copy, plan, file);
  }
  if (written.length > 0) {
    const segments = written.map(({ segment }) => segment);
    const names = new Set(segments.map(({ name }) => name));
    const outdated = plan.isNew ? findOutdated(copy, plan.version, segments, options) : plan.replaced;
    await deleteReplaced(
      copy,
      outdated.filter(({ name }) => !names.has(name)),
    );
  }
  return {
    bytes: written.reduce((sum, { segment }) => sum + segment.to - segment.from, 0),
    addedBytes: written.reduce((sum, { packedBytes }) => sum + packedBytes, 0),
    isChecked: plan.isNew || written.length === 0,
  };
}

interface KeepPlan {
  readonly version: number;
  readonly from: number;
  readonly replaced: readonly Segment[];
  readonly isNew: boolean;
}

function planKeep(current: Version | undefined, file: OpenFile): KeepPlan {
  const last = current?.segments.at(-1);
  if (current === undefined || last === undefined) return toNewVersion(1);
  const { version, sizeBytes } = current;
  const isRewritten =
    current.holes.length > 0 ||
    file.sizeBytes < sizeBytes ||
    readFingerprint(file.fd, sizeBytes) !== last.fingerprint;
  const { from, replaced } = planAppend(current, file);
  if (
    isRewritten ||
    (file.clean !== null && !isRedacted(current)) ||
    // What is to be merged is read again anyway: the fingerprint has looked at samples only.
    !holdSame(replaced, file)
  )
    return toNewVersion(version + 1);
  return { version, from, replaced, isNew: false };
}

function toNewVersion(version: number): KeepPlan {
  return { version, from: 0, replaced: [], isNew: true };
}

/** Whether the file has the bytes that these segments hold, or would have them without its secrets. */
function holdSame(segments: readonly Segment[], file: OpenFile): boolean {
  for (let i = 0; i < segments.length; ) {
    const { from, to, checksum, redactionVersion: rules } = segments[i] as Segment;
    if (rules === 0) {
      if (toChecksum(file.readAt(from, to - from)) !== checksum) return false;
      i++;
      continue;
    }
    // Lines may reach over several segments, so that secrets are taken out of all of them together.
    const isNext = (next: Segment, n: number) =>
      next.from === segments[n - 1]?.to && next.redactionVersion === rules;
    const end = segments.findIndex((next, n) => n > i && !isNext(next, n));
    const run = segments.slice(i, end < 0 ? undefined : end);
    // What other rules have taken out is not known here.
    if (file.clean !== null && rules === redactionVersion && !holdCleaned(run, file, file.clean))
      return false;
    i += run.length;
  }
  return true;
}

function holdCleaned(
  run: readonly Segment[],
  { readAt, maxBytes, hasLines }: OpenFile,
  clean: Clean,
): boolean {
  const range = { from: run[0]?.from ?? 0, to: run.at(-1)?.to ?? 0 };
  let held: Buffer = Buffer.alloc(0);
  let nth = 0;
  for (const { bytes } of cutPieces(readAt, { ...range, maxBytes, clean, hasLines })) {
    held = Buffer.concat([held, bytes]);
    for (let next = run[nth]; next !== undefined && held.length >= next.to - next.from; next = run[++nth]) {
      const length = next.to - next.from;
      if (toChecksum(held.subarray(0, length)) !== next.checksum) return false;
      held = held.subarray(length);
    }
  }
  return nth === run.length;
}

/** By the rules of today. */
export function isRedacted({ segments }: Pick<Version, 'segments'>): boolean {
  return segments.every((segment) => segment.redactionVersion >= redactionVersion);
}

/** Small segments are merged with what is added, so that a file of n additions has about log n segments. */
function planAppend({ segments, sizeBytes }: Version, file: OpenFile): Pick<KeepPlan, 'from' | 'replaced'> {
  let from = sizeBytes;
  let unchanged = segments.length;
  if (file.sizeBytes > sizeBytes)
    for (; unchanged > 0; unchanged--) {
      const { from: start, to } = segments[unchanged - 1] as Segment;
      const isSmall = to - start <= file.sizeBytes - to;
      if (!isSmall || sizeBytes - start > file.maxBytes / 2) break;
      from = start;
    }
  return { from, replaced: segments.slice(unchanged) };
}

async function writeSegments(place: CopyPlace, plan: KeepPlan, file: OpenFile): Promise<PreparedSegment[]> {
  const { fd, clean, hasLines, maxBytes, modifiedAtMs } = file;
  const { version, isNew } = plan;
  const witness = new Witness(fd, () => true);
  const readWitnessed: ReadAt = (position, length) => {
    const bytes = file.readAt(position, length);
    witness.add(bytes, position);
    return bytes;
  };
  const pieces = cutPieces(readWitnessed, {
    from: plan.from,
    to: file.sizeBytes,
    maxBytes,
    clean,
    hasLines,
  });
  const written: PreparedSegment[] = [];
  let start: PreparedSegment | null = null;
  try {
    for (const { from, bytes } of pieces) {
      file.signal?.throwIfAborted();
      const fingerprint = readFingerprint(fd, from + bytes.length);
      const about = { version, from, fingerprint, redactionVersion: clean === null ? 0 : redactionVersion };
      const prepared = await prepareSegment(place, about, bytes, modifiedAtMs);
      const isStart = isNew && version > 1 && from === 0;
      if (isStart) start = prepared;
      if (!witness.isSame()) {
        discard(prepared);
        throw new FileChanged('it was rewritten while it was being read');
      }
      if (!isStart) await putInPlace(prepared);
      written.push(prepared);
    }
    if (start !== null) await putInPlace(start);
    start = null;
  } finally {
    if (start !== null) discard(start);
  }
  return written;
}

/** Segments of older versions that hold nothing more, or secrets. Only of a transcript is more than the newest version worth keeping. */
function findOutdated(
  copy: Copy,
  version: number,
  segments: readonly Segment[],
  { isTranscript, clean }: KeepOptions,
): Segment[] {
  const newest = { version, segments, sizeBytes: segments.at(-1)?.to ?? 0, holes: [] };
  return copy.versions
    .filter(
      (older) => !isTranscript || (clean !== null && !isRedacted(older)) || isContained(copy, older, newest),
    )
    .flatMap((older) => older.segments);
}

/** Only when the names that replace them are on disk. */
async function deleteReplaced(place: CopyPlace, replaced: readonly Segment[]): Promise<void> {
  if (replaced.length > 0) await syncFolder(place.folder);
  deleteSegments(place, replaced);
}

/** More lines than anybody has are not compared: both versions stay. */
const maxLines = 4_000_000;

/** Whether the newer version holds every line of the older; false where something is damaged, so that it is not known. */
function isContained(place: CopyPlace, older: Version, newer: Version): boolean {
  const lines = new Set<number>();
  for (const hash of eachLineHash(place, newer, true)) {
    if (hash === null || lines.size >= maxLines) return false;
    lines.add(hash);
  }
  for (const hash of eachLineHash(place, older, false)) if (hash === null || !lines.has(hash)) return false;
  return true;
}

const newline = 10;

/**
 * Null where something is damaged. Empty lines do not count, and of the newer version neither does a last line without its
 * end, which may be half of one.
 */
function* eachLineHash(place: CopyPlace, version: Version, isEndedOnly: boolean): Generator<number | null> {
  let begun: ReturnType<typeof createHash> | null = null;
  for (const stretch of readStretches(place, version)) {
    if ('damage' in stretch) {
      yield null;
      return;
    }
    const { bytes } = stretch;
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(newline, start);
      const line = bytes.subarray(start, end < 0 ? bytes.length : end);
      if (line.length > 0) {
        begun ??= createHash('sha1');
        begun.update(line);
      }
      if (end < 0) break;
      if (begun !== null) yield toNumber(begun.digest());
      begun = null;
      start = end + 1;
    }
  }
  if (begun !== null && !isEndedOnly) yield toNumber(begun.digest());
}

function toNumber(digest: Buffer): number {
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >> 3);
}
