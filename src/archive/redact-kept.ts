// Takes secrets out of what is already kept, when they are no longer to be kept: every segment is written anew without them,
// then the old one is deleted. What secrets cannot be taken out of is deleted, too. The caller holds the archive lock. Killed at any moment, it goes on where it was.

import { rmSync, statSync } from 'node:fs';
import type { SessionFiles } from '../sources/kept-files.ts';
import { segmentBytes } from './keep-file.ts';
import { type Segment, toSegmentName } from './names.ts';
import { type Clean, cutPieces, type ReadAt } from './pieces.ts';
import { eachKeptFile, type KeptRoot, type Place } from './places.ts';
import { readRange, readSegment, toChecksum } from './read-kept.ts';
import { toVersions, type Version } from './versions.ts';
import { pack, prepareFile, putInPlace, syncFolder } from './write-segment.ts';

/** The paths of files of which nothing is kept any more. */
export async function redactKept(
  root: KeptRoot,
  files: SessionFiles,
  clean: Clean,
  signal: AbortSignal,
): Promise<Set<string>> {
  const dropped = new Set<string>();
  for (const { path, place, segments } of eachKeptFile(root)) {
    const form = files.findForm(path);
    const { versions, leftovers } = toVersions(segments);
    for (const version of form === 'packed' ? [] : versions) {
      signal.throwIfAborted();
      if (version.segments.some(({ isRedacted }) => !isRedacted))
        await redactVersion(place, version, clean, form === 'lines');
    }
    if (form === 'packed') dropped.add(path);
    const deleted = form === 'packed' ? segments : leftovers;
    for (const { name } of deleted) rmSync(`${place.folder}/${name}`, { force: true });
  }
  return dropped;
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
