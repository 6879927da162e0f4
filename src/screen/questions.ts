// What the screen asks the thread that reads the index, and the answers: plain data that can be sent from one thread to
// another. A question follows from the state alone, so the same state asks the same question.

import type {
  ConversationPage,
  FilterValue,
  Head,
  ListAnswer,
  ListedSession,
  Matches,
  PageStart,
  Piece,
  SearchAnswer,
} from '../api/answers.ts';
import type { FilterName } from '../filters.ts';
import type { MarkedTerm } from '../text/snippet.ts';

/** Where sessions are looked for: anywhere, in the repository with its work trees, or in the directory and below. */
export const scopes = ['everywhere', 'project', 'directory'] as const;
export type SearchScope = (typeof scopes)[number];

export type Within = Readonly<Record<Exclude<SearchScope, 'everywhere'>, readonly string[]>>;

export interface Asked {
  readonly query: string;
  readonly scope: SearchScope;
  readonly sort: 'relevance' | 'recent';
}

export interface ListQuestion extends Asked {
  readonly type: 'list';
  readonly limit: number;
}

export interface Row extends ListedSession {
  /** The message that matches best; null if nothing was searched for, or if only its name matches. */
  readonly bestId: number | null;
}

export interface Results extends Pick<ListAnswer, 'total' | 'emptiness' | 'currentId'> {
  /** What was asked; it may have been typed on since. */
  readonly of: Asked;
  readonly rows: readonly Row[];
  readonly isTotalExact: boolean;
  readonly terms: readonly MarkedTerm[];
  /** Newest first, with a heading for each day. */
  readonly isByDay: boolean;
  /** How the words were understood; null if nothing was searched for. */
  readonly understood: Pick<
    SearchAnswer,
    'tier' | 'corrections' | 'completeHits' | 'time' | 'filters'
  > | null;
}

export function toRecentResults({ sessions, total, currentId, emptiness }: ListAnswer, of: Asked): Results {
  return {
    of,
    rows: sessions.map((listed) => ({ ...listed, bestId: null })),
    total,
    isTotalExact: true,
    terms: [],
    isByDay: true,
    understood: null,
    emptiness,
    currentId,
  };
}

export function toFoundResults(answer: SearchAnswer, of: Asked): Results {
  const { hits, total, isTotalExact, terms, emptiness, tier, corrections, completeHits, time, filters } =
    answer;
  return {
    of,
    rows: hits.map(({ session, copies, resumption, matches }) => ({
      session,
      copies,
      resumption,
      bestId: matches[0]?.message.id || null,
    })),
    total,
    isTotalExact,
    terms: terms.map(({ forms }) => ({ forms })),
    isByDay: of.sort === 'recent' || terms.length === 0,
    understood: { tier, corrections, completeHits, time, filters },
    emptiness,
    currentId: null,
  };
}

export interface PreviewQuestion {
  readonly type: 'preview';
  readonly id: string;
  /** The words whose passages are shown; empty for the start of the conversation. */
  readonly match: string;
  readonly bestId: number | null;
}

export interface OpenedConversation extends Pick<Matches, 'terms'> {
  readonly head: Head;
}

export interface PreviewAnswer {
  readonly opened: OpenedConversation;
  readonly pieces: readonly Piece[];
  readonly isCut: boolean;
}

export interface PageQuestion {
  readonly type: 'page';
  readonly id: string;
  readonly match: string;
  readonly showsSubagents: boolean;
  /** Null for the first page. */
  readonly start: PageStart | null;
}

export interface PageAnswer extends ConversationPage {
  /** Null after the first page. */
  readonly opened: OpenedConversation | null;
}

export interface ValuesQuestion {
  readonly type: 'values';
  readonly filter: FilterName;
  readonly query: string;
  readonly scope: SearchScope;
  /** The days to count. */
  readonly among: readonly string[];
}

export type Question = ListQuestion | PreviewQuestion | PageQuestion | ValuesQuestion;

export interface Answers {
  readonly list: Results;
  readonly preview: PreviewAnswer;
  readonly page: PageAnswer;
  readonly values: readonly FilterValue[];
}

export type Failure = Readonly<Record<'message' | 'hint', string>>;
