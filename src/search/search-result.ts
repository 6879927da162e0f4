// What a search answers.

import type { MessageText, PointedCall, SessionInfo, ToolText } from '../store/word-index.ts';
import type { Term } from './query/parse-query.ts';
import type { ScoreParts } from './rank.ts';

type Tier = 'all' | 'prefix' | 'any' | 'fuzzy';

export interface SearchResult {
  readonly tier: Tier;
  readonly total: number;
  /** False if there may be more: not every occurrence of a very common word is listed. */
  readonly isTotalExact: boolean;
  readonly hits: readonly Hit[];
  /** How many of the hits contain all of the words, as far as is known. */
  readonly completeHits: number;
  /** The terms as they were searched for, for highlighting. */
  readonly terms: readonly Term[];
  /** Misspelt word → what was searched for instead. */
  readonly corrections: readonly (readonly [string, string])[];
  /** Path, address or name that occurs nowhere → the part of it that was searched for instead. */
  readonly shortened: readonly (readonly [string, string])[];
  /** Words that occur only as the start of longer ones, as typed. */
  readonly lengthened: readonly string[];
  /** Words that occur nowhere, not even in another form, as typed. */
  readonly missing: readonly string[];
  /** Words that occur only in what the filters leave out. */
  readonly hidden: readonly Term[];
  /** The word that is being typed, where it was left out: it occurs nowhere, and is too short to look for words that start with it. */
  readonly begun: string | null;
  /** The sessions that the total counts, copies and subagents each on their own; null for all that the filters let through. */
  readonly matchingIds: readonly number[] | null;
}

export interface Hit {
  readonly session: SessionInfo;
  readonly copies: number;
  readonly score: number;
  readonly parts: ScoreParts | null;
  /** How many messages contain some of the words; the best of them are in `matches`. */
  readonly matchCount: number;
  readonly matches: readonly Match[];
}

export interface Match {
  readonly message: MessageText;
  /** The subagent that said or did it, if it was not the session itself. */
  readonly subagent: SessionInfo | null;
  /** Where the match is in what a tool was given or printed; `message` then has its text. */
  readonly toolText: ToolText | null;
  readonly call: PointedCall | null;
}
