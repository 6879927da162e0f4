// Which segments make up which version of a file, and which are no longer needed. Pure: it looks at names only.

import type { Segment } from './names.ts';

export interface Version {
  readonly version: number;
  /** In order. One may start before the end of the one before, but reaches further. */
  readonly segments: readonly Segment[];
  /** Where its last segment ends. */
  readonly sizeBytes: number;
  /** Bytes that no segment holds: something was lost from the archive. */
  readonly holes: readonly { readonly from: number; readonly to: number }[];
}

export interface Versions {
  /** The newest first. */
  readonly versions: readonly Version[];
  /** What others hold too, or what a run that was killed has left of a version that it did not finish. */
  readonly leftovers: readonly Segment[];
}

/**
 * A further version is put in place with its start last, so one without a start is not finished; the older one counts. The
 * first version is put in place from its start, so that what a killed run has kept of it counts.
 */
export function toVersions(segments: readonly Segment[]): Versions {
  const byVersion = new Map<number, Segment[]>();
  for (const segment of segments) {
    const others = byVersion.get(segment.version);
    if (others === undefined) byVersion.set(segment.version, [segment]);
    else others.push(segment);
  }
  const all = [...byVersion].sort(([a], [b]) => b - a);
  const finished = all.filter(([, own]) => own.some(({ from }) => from === 0));
  const chosen = finished.length > 0 ? finished : all.slice(-1);
  const versions = chosen.map(([version, own]) => toVersion(version, own));
  const needed = new Set(versions.flatMap((each) => each.segments));
  return { versions, leftovers: segments.filter((segment) => !needed.has(segment)) };
}

/** From each place on, the segment that reaches furthest: a merged one before those that it replaces. No byte is passed over. */
function toVersion(version: number, own: readonly Segment[]): Version {
  const sorted = own.toSorted(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.isRedacted) - Number(a.isRedacted),
  );
  const segments: Segment[] = [];
  const holes: { from: number; to: number }[] = [];
  let end = 0;
  for (const segment of sorted) {
    if (segment.to <= end) continue;
    if (segment.from > end) holes.push({ from: end, to: segment.from });
    segments.push(segment);
    end = segment.to;
  }
  return { version, segments, sizeBytes: end, holes };
}

/** Small segments are merged with what is added, so that a file of n additions has about log n segments. */
export function planAppend(
  { segments, sizeBytes }: Version,
  newSizeBytes: number,
  maxBytes: number,
): { readonly from: number; readonly replaced: readonly Segment[] } {
  let from = sizeBytes;
  let kept = segments.length;
  for (; kept > 0; kept--) {
    const { from: start, to } = segments[kept - 1] as Segment;
    const isSmall = to - start <= newSizeBytes - to;
    if (!isSmall || sizeBytes - start > maxBytes / 2) break;
    from = start;
  }
  return { from, replaced: segments.slice(kept) };
}
