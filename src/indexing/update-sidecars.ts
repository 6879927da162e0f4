// Takes in the small JSON files beside the transcripts that changed since they were last read.

import { closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toReason } from '../errors.ts';
import type { SidecarFile } from '../records.ts';
import {
  parseCustomTitle,
  parseJsonObject,
  parseSessionsIndex,
  parseSubagentMeta,
} from '../sources/claude/sidecars.ts';
import { openFile } from '../sources/files/open-file.ts';
import type { Store } from '../store/open/open-store.ts';
import type { KnownFiles } from '../store/read/read-known.ts';
import { dropSnapshot } from '../store/write/saved-snapshot.ts';
import type { SidecarWriter } from '../store/write/sidecar-writer.ts';
import { redact } from '../text/redact.ts';
import { hasSameStamp } from './plan.ts';
import type { IndexReport } from './report.ts';

const maxSidecarBytes = 64 * 1024 * 1024;

export async function updateSidecars(
  store: Store,
  known: KnownFiles,
  rootId: number,
  root: string,
  sidecars: readonly SidecarFile[],
  tombstones: ReadonlySet<string>,
  isRedacting: boolean,
  report: IndexReport,
): Promise<void> {
  const changed = sidecars.filter((file) => {
    const before = known.findSidecar(file.path);
    // projects/<slug>/<session>/…: a subagent's sidecar stands in its session's folder.
    const ids = [file.nativeId, file.path.split('/')[2]];
    const isForgottenSession = ids.some((id) => id != null && tombstones.has(id));
    return !isForgottenSession && (before === null || !hasSameStamp(before, file));
  });
  if (changed.length === 0) return;
  // With it comes kysely, which a refresh without sidecars has no use for.
  const { SidecarWriter } = await import('../store/write/sidecar-writer.ts');
  const writer = new SidecarWriter(store.db);
  const save = store.db.transaction(() => {
    dropSnapshot(store.db, rootId);
    for (const file of changed) saveSidecar(writer, rootId, root, file, tombstones, isRedacting, report);
  });
  save.immediate();
}

function saveSidecar(
  writer: SidecarWriter,
  rootId: number,
  root: string,
  file: SidecarFile,
  tombstones: ReadonlySet<string>,
  isRedacting: boolean,
  report: IndexReport,
): void {
  const path = join(root, file.path);
  let text: string;
  try {
    text = file.sizeBytes > maxSidecarBytes ? '' : readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') report.fail(path, toReason(error));
    return;
  }
  // Escapes could hide a secret from a look at the file's text, so what was read is looked at.
  const value = parseJsonObject(text, isRedacting ? redactStrings : undefined);
  // Half-written or broken: what was known stays, and it is looked at again when it changes.
  if (value === null) report.skipped.push({ path, line: 1, reason: 'not a JSON object' });
  if (value !== null && file.kind === 'sessions-index') {
    for (const hint of parseSessionsIndex(value)) {
      if (!tombstones.has(hint.nativeId)) writer.saveHint(rootId, file.slug, hint);
    }
  }
  report.sidecars++;
  writer.saveSidecar(rootId, file, {
    customTitle: value !== null && file.kind === 'custom-title' ? parseCustomTitle(value) : null,
    meta: value !== null && file.kind === 'agent-meta' ? parseSubagentMeta(value) : null,
  });
}

function redactStrings(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? redact(value) : value;
}

function readText(path: string): string {
  const fd = openFile(path);
  try {
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}
