// Takes in the small JSON files beside the transcripts that changed since they were last read.

import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toReason } from '../errors.ts';
import type { Root, SidecarFile } from '../records.ts';
import { openFile } from '../sources/files/open-file.ts';
import type { SourceReader } from '../sources/source.ts';
import type { Store } from '../store/open/open-store.ts';
import type { KnownFiles } from '../store/read/known-files.ts';
import { dropSnapshot } from '../store/write/saved-snapshot.ts';
import type { SidecarWriter } from '../store/write/sidecar-writer.ts';
import { redact } from '../text/redact.ts';
import { isForgotten } from './look.ts';
import { hasSameStamp } from './plan.ts';
import type { IndexReport } from './report.ts';

const maxSidecarBytes = 64 * 1024 * 1024;

/** Of the time for a root: the transcripts come after them, and matter more. */
const shareOfTime = 0.25;

export interface SidecarContext {
  readonly root: Root;
  readonly rootId: number;
  readonly reader: SourceReader;
  readonly known: KnownFiles;
  readonly tombstones: ReadonlySet<string>;
  readonly isRedacting: boolean;
  readonly isTimeUp: (share: number) => boolean;
  readonly report: IndexReport;
  /** Where the bytes of a file are, absolute, if not at its own path. */
  readonly unpack?: (path: string) => string;
}

/** The newest first. The paths of those that there was no time for. */
export async function updateSidecars(
  store: Store,
  sidecars: readonly SidecarFile[],
  context: SidecarContext,
): Promise<string[]> {
  const changed = sidecars.filter((file) => {
    const before = context.known.findSidecar(file.path);
    return !isForgotten(file, context.tombstones) && (before === null || !hasSameStamp(before, file));
  });
  if (changed.length === 0) return [];
  changed.sort((a, b) => b.mtimeMs - a.mtimeMs);
  const left: string[] = [];
  // With it comes kysely, which a refresh without sidecars has no use for.
  const { SidecarWriter } = await import('../store/write/sidecar-writer.ts');
  const writer = new SidecarWriter(store.db);
  const save = store.db.transaction(() => {
    dropSnapshot(store.db, context.rootId);
    for (const file of changed) {
      if (context.isTimeUp(shareOfTime)) left.push(file.path);
      else saveSidecar(writer, file, context);
    }
  });
  save.immediate();
  context.report.pendingFiles += left.length;
  return left;
}

function saveSidecar(
  writer: SidecarWriter,
  file: SidecarFile,
  { root, rootId, reader, tombstones, isRedacting, report, unpack }: SidecarContext,
): void {
  const path = join(root.path, file.path);
  let text: string;
  try {
    text = file.sizeBytes > maxSidecarBytes ? '' : readText(unpack?.(file.path) ?? path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report.fail(path, toReason(error));
    return;
  }
  const parsed = reader.parseSidecar(file, text);
  // Half-written or broken: what was known stays, and it is looked at again when it changes.
  if (parsed === null) report.skipped.push({ path, line: 1, reason: 'not a JSON object' });
  // Escapes could hide a secret from a look at the file's text, so what was read is looked at.
  const said = isRedacting ? redactStrings(parsed) : parsed;
  for (const hint of said?.hints ?? [])
    if (!tombstones.has(hint.nativeId)) writer.saveHint(rootId, file.slug, hint);
  report.sidecars++;
  writer.saveSidecar(rootId, file, { customTitle: said?.customTitle ?? null, meta: said?.meta ?? null });
}

/** Every string in it, however deep. */
function redactStrings<T>(value: T): T {
  if (typeof value === 'string') return redact(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(redactStrings) as T;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactStrings(inner)])) as T;
}

function readText(path: string): string {
  const fd = openFile(path);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
