// Brings what is kept of one file up to date.
//
//  1. The names say what is kept. Where the file still starts with it, only what was added is read; otherwise the file
//     was rewritten, and a new version is kept beside the old one.
//  2. The bytes are cut into pieces, and each becomes a segment. The first segment of a further version gets its name last:
//     until then, the old version counts.
//  3. When all are in place, the segments that they replace are deleted, and an older version of which every line is in the
//     new one as well.
//
// Killed at any moment, every byte that was kept still is, and nothing that is not whole has a name.

import { closeSync, fstatSync, readSync, rmSync } from 'node:fs';
import { readFingerprint, Witness } from '../sources/files/fingerprint.ts';
import { openFile } from '../sources/files/open-file.ts';
import { isContained } from './contained.ts';
import { type Segment, toSegmentName } from './names.ts';
import { type Clean, cutPieces, type ReadAt } from './pieces.ts';
import type { Listings, Place } from './places.ts';
import { toChecksum } from './read-kept.ts';
import { planAppend, toVersions, type Version } from './versions.ts';
import { discard, type Prepared, pack, prepareFile, putInPlace, syncFolder } from './write-segment.ts';

export interface KeepOptions {
  readonly listings: Listings;
  /** It usually only grows, and every version of it is worth keeping. */
  readonly isTranscript: boolean;
  /** Secrets are taken out line by line; else of the file as a whole. */
  readonly hasLines: boolean;
  /** Takes secrets out; null to keep everything as it is. */
  readonly clean: Clean | null;
  readonly segmentBytes?: number;
  readonly signal?: AbortSignal;
}

export interface Kept {
  /** Bytes of the file that were read and kept. */
  readonly bytes: number;
  /** What they take in the archive. */
  readonly addedBytes: number;
}

/**
 * What is read of a transcript for a single passage, so not more; brotli looks back 4 MB, so a larger segment would hardly
 * be packed more tightly.
 */
export const segmentBytes = 8 * 1024 * 1024;

export const nothingKept: Kept = { bytes: 0, addedBytes: 0 };

/** The file was rewritten while it was being read: it is kept the next time. */
export class FileChanged extends Error {}

export async function keepFile(path: string, place: Place, options: KeepOptions): Promise<Kept> {
  const fd = openFile(path);
  try {
    return await keepOpen(fd, place, options);
  } finally {
    closeSync(fd);
  }
}

async function keepOpen(fd: number, place: Place, options: KeepOptions): Promise<Kept> {
  const { size, mtimeMs } = fstatSync(fd);
  const { segments, prunedBytes } = options.listings.find(place);
  if (size === 0 || prunedBytes.includes(size)) return nothingKept;
  const { versions, leftovers } = toVersions(segments);
  const current = versions[0];
  const readAt: ReadAt = (position, length) => {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
  };
  const isRedacting = options.clean !== null;
  const maxBytes = options.segmentBytes ?? segmentBytes;
  const plan = planKeep(current, size, { isRedacting, maxBytes, readAt, fd });
  // Before anything new: of a version that a killed run has begun, nothing may mix with the one that is begun now.
  if (leftovers.length > 0) await remove(place, leftovers);
  const run: Run = { fd, place, options, version: plan.version, modifiedAtMs: mtimeMs, maxBytes };
  const written = plan.from === size ? [] : await writeSegments(run, readAt, plan, size);
  const added = written.reduce((sum, each) => sum + each.packedBytes, 0);
  const outdated = written.length === 0 ? [] : [...plan.replaced];
  if (plan.isNew && written.length > 0 && versions.length > 0)
    outdated.push(...findContained(place, versions, written, plan.version, options));
  const names = new Set(written.map(({ segment }) => segment.name));
  await remove(
    place,
    outdated.filter(({ name }) => !names.has(name)),
  );
  if (written.length > 0 || leftovers.length > 0) options.listings.drop(place);
  return {
    bytes: written.reduce((sum, { segment }) => sum + segment.to - segment.from, 0),
    addedBytes: added,
  };
}

interface KeepPlan {
  readonly version: number;
  readonly from: number;
  /** Segments that the new ones replace. */
  readonly replaced: readonly Segment[];
  /** A version of its own. */
  readonly isNew: boolean;
}

function isRedacted({ segments }: Version): boolean {
  return segments.every((segment) => segment.isRedacted);
}

interface PlanContext {
  readonly isRedacting: boolean;
  readonly maxBytes: number;
  readonly readAt: ReadAt;
  readonly fd: number;
}

function planKeep(current: Version | undefined, size: number, context: PlanContext): KeepPlan {
  const { isRedacting, maxBytes, readAt, fd } = context;
  const last = current?.segments.at(-1);
  if (current === undefined || last === undefined) return { version: 1, from: 0, replaced: [], isNew: true };
  const next = { version: current.version + 1, from: 0, replaced: [], isNew: true };
  if (current.holes.length > 0 || size < current.sizeBytes) return next;
  if (readFingerprint(fd, current.sizeBytes) !== last.fingerprint) return next;
  if (isRedacting && !isRedacted(current)) return next;
  if (size === current.sizeBytes) return { version: current.version, from: size, replaced: [], isNew: false };
  const { from, replaced } = planAppend(current, size, maxBytes);
  // What is to be merged is read again anyway: the fingerprint has looked at samples only.
  const isSame = replaced.every(
    (segment) =>
      segment.isRedacted || toChecksum(readAt(segment.from, segment.to - segment.from)) === segment.checksum,
  );
  return isSame ? { version: current.version, from, replaced, isNew: false } : next;
}

interface Run {
  readonly fd: number;
  readonly place: Place;
  readonly options: KeepOptions;
  readonly version: number;
  readonly modifiedAtMs: number;
  readonly maxBytes: number;
}

interface Written {
  readonly segment: Segment;
  readonly packedBytes: number;
}

async function writeSegments(run: Run, readAt: ReadAt, plan: KeepPlan, size: number): Promise<Written[]> {
  const { fd, options } = run;
  const witness = new Witness(fd, () => true);
  const watched: ReadAt = (position, length) => {
    const bytes = readAt(position, length);
    witness.add(bytes, position);
    return bytes;
  };
  const written: Written[] = [];
  const pieces = cutPieces(watched, {
    ...{ from: plan.from, to: size, maxBytes: run.maxBytes },
    ...{ clean: options.clean, hasLines: options.hasLines },
  });
  /** The start of a further version, which gets its name last. */
  let start: Prepared | null = null;
  try {
    for (const { from, bytes } of pieces) {
      options.signal?.throwIfAborted();
      const { prepared, ...made } = await prepareSegment(run, from, bytes);
      const isStart = plan.isNew && run.version > 1 && from === 0;
      if (isStart) start = prepared;
      if (!witness.isSame()) {
        discard(prepared);
        throw new FileChanged('it was rewritten while it was being read');
      }
      if (!isStart) await putInPlace(prepared);
      written.push(made);
    }
    if (start !== null) await putInPlace(start);
    start = null;
  } finally {
    if (start !== null) discard(start);
  }
  return written;
}

async function prepareSegment(
  { fd, place, options, version, modifiedAtMs }: Run,
  from: number,
  bytes: Buffer,
): Promise<Written & { readonly prepared: Prepared }> {
  const to = from + bytes.length;
  const facts = {
    ...{ version, from, to, checksum: toChecksum(bytes), fingerprint: readFingerprint(fd, to) },
    isRedacted: options.clean !== null,
  };
  const name = toSegmentName(place.stem, facts);
  const packed = await pack(bytes);
  const prepared = await prepareFile(`${place.folder}/${name}`, packed, modifiedAtMs);
  return { segment: { name, ...facts }, packedBytes: packed.length, prepared };
}

/** Segments of older versions that hold nothing more, or secrets. Only of a transcript is more than the newest version worth keeping. */
function findContained(
  place: Place,
  older: readonly Version[],
  written: readonly Written[],
  version: number,
  { isTranscript, clean }: KeepOptions,
): Segment[] {
  const segments = written.map(({ segment }) => segment);
  const sizeBytes = segments.at(-1)?.to ?? 0;
  const newest = { version, segments, sizeBytes, holes: [] };
  return older
    .filter(
      (each) => !isTranscript || (clean !== null && !isRedacted(each)) || isContained(place, each, newest),
    )
    .flatMap((each) => each.segments);
}

/** Only when the names that replace them are on disk. */
async function remove(place: Place, outdated: readonly Segment[]): Promise<void> {
  if (outdated.length > 0) await syncFolder(place.folder);
  for (const { name } of outdated) rmSync(`${place.folder}/${name}`, { force: true });
}
