// What a front end gives the API: where things are, what time it is, and where to report events. Nothing in
// this folder or in those it imports reads the state of the process.

import type { ReadSpace } from '../archive/keep-roots.ts';
import type { Config } from '../config.ts';
import type { Progress, Root, Surroundings } from '../records.ts';
import type { FoundList } from '../store/open/last-results.ts';
import type { UpgradeProgress } from '../store/open/open-store.ts';

export interface Host {
  readonly at: Surroundings;
  readonly indexPath: string;
  /** Where copies of transcripts are kept, and the name of this machine in it. */
  readonly archivePath: string;
  readonly machine: string;
  /** How much room there is; asked of the system where it is not given. */
  readonly readSpace?: ReadSpace;
  /** The folders to index; looked up only when they are needed. Throws if one is missing. */
  readonly roots: () => readonly Root[];
  readonly config: () => Config;
  readonly now: () => Date;
  /** Milliseconds since an arbitrary point in time, for durations. */
  readonly elapsedMs: () => number;
  readonly pid: number;
  /** Names the terminal that the front end runs in, to which the numbers of a list belong; null without one. */
  readonly terminal: string | null;
  readonly signal: AbortSignal;
  /** For reading many files at once: the program of a thread, null for none, and how many the machine has cores for. */
  readonly threads: { readonly workerPath: string | null; readonly cores: number };
  readonly freshForMs: number;
  readonly onEvent: (event: RecallEvent) => void;
}

export type RecallEvent =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'archiving' | 'verifying' | 'sending' | 'receiving'; readonly progress: Progress }
  | { readonly type: 'progress-end' }
  /** Process 0 if it is not known which one. */
  | { readonly type: 'waiting'; readonly holderPid: number }
  | { readonly type: 'waiting-for-archive' }
  | { readonly type: 'upgrade' }
  | { readonly type: 'upgrading'; readonly progress: UpgradeProgress }
  | { readonly type: 'redacted'; readonly texts: number; readonly isWiped: boolean }
  | { readonly type: 'redaction-stopped' }
  /** A number was looked up in a list that is old, or that this terminal did not show. */
  | { readonly type: 'numbered'; readonly ref: string; readonly list: FoundList };
