// What the API is given by a front end: where things are, what time it is, and whom to tell what is going on. Nothing in
// this folder or below it asks the process.

import type { Config, Surroundings } from '../config.ts';
import type { ReaderThreads } from '../indexing/reader.ts';
import type { Progress } from '../indexing/report.ts';
import type { Root } from '../records.ts';
import type { UpgradeProgress } from '../store/open/open-store.ts';

export type { Progress, UpgradeProgress };

export interface Host {
  readonly at: Surroundings;
  readonly indexPath: string;
  /** The folders to index; looked for only when they are needed. Throws where one is missing. */
  readonly roots: () => readonly Root[];
  readonly config: () => Config;
  readonly now: () => Date;
  /** Milliseconds since some moment, for durations. */
  readonly elapsedMs: () => number;
  readonly pid: number;
  readonly signal: AbortSignal;
  /** For reading much at a time. */
  readonly threads: ReaderThreads;
  /** How long an answer to "has anything changed?" holds. */
  readonly freshForMs: number;
  readonly onEvent: (event: RecallEvent) => void;
}

/** What happens on the way to a result. */
export type RecallEvent =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** No more progress is to come. */
  | { readonly type: 'progress-end' }
  /** Process 0 where it is not known which. */
  | { readonly type: 'waiting'; readonly holderPid: number }
  /** An older index is brought to the form of this version. */
  | { readonly type: 'upgrade' }
  | { readonly type: 'upgrading'; readonly progress: UpgradeProgress }
  | { readonly type: 'redacted'; readonly texts: number; readonly isWiped: boolean }
  | { readonly type: 'redaction-stopped' };
