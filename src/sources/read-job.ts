// What a reader is asked for: which transcript, from where, and what of it.

import type { AgentName, SessionKind } from '../records.ts';
import type { WordForms } from '../text/words.ts';

/** Where reading starts. */
export interface ReadFrom {
  readonly bytes: number;
  readonly lines: number;
  /** The program's version as last seen before, for entries that do not name theirs. */
  readonly version: string | null;
}

/** Plain data, so that it can be sent to another thread. */
export interface ReadJob {
  readonly agent: AgentName;
  /** Absolute. */
  readonly path: string;
  readonly kind: SessionKind;
  readonly sizeBytes: number;
  readonly from: ReadFrom;
  /** Of the part before `from`; null when nothing was read before. */
  readonly fingerprint: string | null;
  readonly isRedacting: boolean;
  /** Also what tools were given and answered. */
  readonly keepsWork: boolean;
}

export interface ReadOptions {
  readonly forms: WordForms;
  readonly shouldStop: () => boolean;
}

/** whole: read to its end · unfinished: stopped, the rest is for later. */
export type ReadEnd = 'whole' | 'unfinished';
