// What a run of indexing reports: what it counted, what it could not read, and how far it has come.

import type { FailedFile, Root } from '../records.ts';
import type { FolderSnapshot } from '../sources/files/snapshot.ts';
import type { Obstacle } from '../sources/source.ts';

export interface LookedRoot {
  readonly root: Root;
  readonly folders: readonly FolderSnapshot[];
  readonly unfinished: readonly string[];
}

export class IndexReport {
  readonly files = { seen: 0, new: 0, grown: 0, rewritten: 0, gone: 0, unchanged: 0, failed: 0 };
  bytesRead = 0;
  messages = 0;
  /** Transcripts that were read from the archive, because they are left nowhere else. */
  fromArchive = 0;
  sidecars = 0;
  skippedLines = 0;
  /** Those of them that `skipped` does not name, where a file has many. */
  unnamedLines = 0;
  pendingFiles = 0;
  /** What of these transcripts is unread. */
  pendingBytes = 0;
  /** Those of them that are indexed, and only have to be read again, as after an upgrade of recall. */
  pendingAgain = 0;
  readonly unknownTypes: Record<string, number> = Object.create(null);
  readonly touchedSessions = new Set<number>();
  readonly failures: FailedFile[] = [];
  /** Of the failures, what could not even be looked at: nobody knows what is new there. */
  readonly unseen: FailedFile[] = [];
  readonly skipped: (FailedFile & { readonly line: number })[] = [];
  readonly links: Obstacle[] = [];
  readonly looked: LookedRoot[] = [];

  get hasChanges(): boolean {
    const { seen: _, unchanged: __, ...changed } = this.files;
    return this.sidecars > 0 || Object.values(changed).some((count) => count > 0);
  }

  fail(path: string, reason: string): void {
    this.files.failed++;
    this.failures.push({ path, reason });
  }
}
