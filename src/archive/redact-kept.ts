// Takes secrets out of what is already kept: every segment is written anew without them, then the old one is deleted. The
// caller holds the archive lock. Killed at any moment, it goes on where it was.

import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { isFile } from '../sources/files/open-file.ts';
import type { KeptBytes, SessionFiles } from '../sources/kept-files.ts';
import { keepFile, segmentBytes } from './keep-file.ts';
import { type Segment, temporaryPrefix, toSegmentName } from './names.ts';
import { type Clean, cutPieces, type ReadAt } from './pieces.ts';
import { eachKeptFile, type KeptFile, type KeptRoot, Listings, type Place, toPlace } from './places.ts';
import { readRange, readSegment, readStretches, toChecksum } from './read-kept.ts';
import { toVersions, type Version } from './versions.ts';
import { pack, prepareFile, putInPlace, syncFolder } from './write-segment.ts';

export interface Redaction {
  readonly clean: Clean;
  /** What a packed file holds; reading it throws where it is damaged. */
  readonly unpack: (file: KeptBytes) => KeptBytes;
  /** Of the machine that this is: what is still there of its own files is known. */
  readonly machine: string;
  readonly signal: AbortSignal;
}

/** How many packed files were deleted because they could not be read, with nothing left of them. */
export async function redactKept(root: KeptRoot, files: SessionFiles, redaction: Redaction): Promise<number> {
  const { clean, machine, signal } = redaction;
  const packed: KeptFile[] = [];
  for (const file of eachKeptFile(root)) {
    const { path, place, segments } = file;
    const form = files.findForm(path);
    if (form === 'packed') {
      packed.push(file);
      continue;
    }
    const { versions, leftovers } = toVersions(segments);
    for (const version of versions) {
      signal.throwIfAborted();
      if (version.segments.some(({ isRedacted }) => !isRedacted))
        await redactVersion(place, version, clean, form === 'lines');
    }
    for (const { name } of leftovers) rmSync(`${place.folder}/${name}`, { force: true });
  }
  let deleted = 0;
  for (const file of packed) {
    signal.throwIfAborted();
    const isThere = root.machine === machine && isFile(`${root.path}/${file.path}`);
    const isKept = isThere || (await keepUnpacked(root, file, redaction));
    if (!isKept && file.segments.length > 0) deleted++;
    for (const { name } of file.segments) rmSync(`${file.place.folder}/${name}`, { force: true });
  }
  return deleted;
}

/** As lines, since secrets cannot be taken out of what is packed. False where not all of it can be read. */
async function keepUnpacked(
  root: KeptRoot,
  { path, place, segments }: KeptFile,
  { clean, unpack, signal }: Redaction,
): Promise<boolean> {
  // Before anything is written: a killed run may have left the text behind, with its secrets.
  const listings = new Listings({ isCleaning: true });
  listings.find(place);
  const temporary = `${place.folder}/${temporaryPrefix}${randomBytes(6).toString('hex')}`;
  const { versions } = toVersions(segments);
  try {
    for (const version of versions.toReversed()) {
      const text = unpack({ path, chunks: () => readUndamaged(place, version) });
      if (!writeText(temporary, text.chunks())) return false;
      const { mtimeMs } = statSync(`${place.folder}/${version.segments.at(-1)?.name}`);
      utimesSync(temporary, new Date(mtimeMs), new Date(mtimeMs));
      await keepFile(temporary, toPlace(root, text.path), {
        ...{ listings, clean, signal, isTranscript: true, hasLines: true },
      });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
  return versions.length > 0;
}

function* readUndamaged(place: Place, version: Version): Generator<Buffer> {
  for (const stretch of readStretches(place, version)) {
    if ('damage' in stretch) throw new Error(stretch.damage.reason);
    yield stretch.bytes;
  }
}

/** False where it cannot be read. */
function writeText(path: string, chunks: Iterable<Buffer>): boolean {
  const fd = openSync(path, 'w', 0o600);
  try {
    for (const chunk of chunks) for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at);
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall === 'string') throw error;
    return false;
  } finally {
    closeSync(fd);
  }
}

/** Lines may reach over several segments, so these are cleaned together; what is damaged is left as it is. */
async function redactVersion(place: Place, version: Version, clean: Clean, hasLines: boolean): Promise<void> {
  const written = new Set<string>();
  const replaced: Segment[] = [];
  for (const run of toWholeRuns(place, version)) {
    const [first, last] = [run[0] as Segment, run.at(-1) as Segment];
    const readAt: ReadAt = (position, length) =>
      readRange(place, { ...version, segments: run }, position, Math.min(last.to, position + length)) ??
      Buffer.alloc(0);
    const pieces = cutPieces((position, length) => Buffer.from(readAt(position, length)), {
      ...{ from: first.from, to: last.to, maxBytes: segmentBytes },
      ...{ clean, hasLines },
    });
    for (const { from, bytes } of pieces) {
      const { fingerprint } = run.find(({ to }) => to >= from + bytes.length) ?? last;
      written.add(
        await writeRedacted(place, { ...last, version: version.version, fingerprint }, from, bytes),
      );
    }
    replaced.push(...run);
  }
  await syncFolder(place.folder);
  for (const { name } of replaced) if (!written.has(name)) rmSync(`${place.folder}/${name}`, { force: true });
}

/** Segments that follow each other and can be read. */
function toWholeRuns(place: Place, { segments }: Version): Segment[][] {
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

async function writeRedacted(place: Place, like: Segment, from: number, bytes: Buffer): Promise<string> {
  const { version, fingerprint, name: source } = like;
  const facts = {
    version,
    fingerprint,
    from,
    to: from + bytes.length,
    checksum: toChecksum(bytes),
    isRedacted: true,
  };
  const name = toSegmentName(place.stem, facts);
  const { mtimeMs } = statSync(`${place.folder}/${source}`);
  await putInPlace(await prepareFile(`${place.folder}/${name}`, await pack(bytes), mtimeMs));
  return name;
}
