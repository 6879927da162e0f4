// What the screen asks the thread that reads the index, and the answers: plain data that can be sent from one thread to
// another. A question follows from the state alone, so the same state asks the same question.

import type { ListedSession } from '../api/list.ts';
import type { Emptiness } from '../api/search.ts';
import type { MarkedTerm } from '../text/snippet.ts';

/** Where sessions are looked for: anywhere, in the repository with its work trees, or in the directory and below. */
export const scopes = ['everywhere', 'project', 'directory'] as const;
export type Scope = (typeof scopes)[number];

/** What decides which sessions are in the list, and in what order. */
export interface Asked {
  readonly query: string;
  readonly scope: Scope;
  readonly sort: 'relevance' | 'recent';
}

export interface ListQuestion extends Asked {
  readonly type: 'list';
  readonly limit: number;
}

/** A session in the list. */
export interface Row extends ListedSession {
  /** The message that matches best; null if nothing was searched for, or if only its name matches. */
  readonly bestId: number | null;
}

export interface Results {
  /** What was asked; it may have been typed on since. */
  readonly of: Asked;
  readonly rows: readonly Row[];
  readonly total: number;
  /** False if there may be more. */
  readonly isTotalExact: boolean;
  /** What was searched for, for highlighting. */
  readonly terms: readonly MarkedTerm[];
  /** Newest first, with a heading for each day. */
  readonly isByDay: boolean;
  /** How the words were understood, if not as typed. */
  readonly note: string;
  readonly emptiness: Emptiness | null;
  /** The session that recall is called from. */
  readonly currentId: string | null;
}

/** Part of a conversation, drawn. */
export interface PreviewQuestion {
  readonly type: 'preview';
  readonly id: string;
  /** Words to show the passages of; empty for the start of the conversation. */
  readonly match: string;
  readonly bestId: number | null;
  readonly columns: number;
}

export interface Preview {
  readonly lines: readonly string[];
  /** The lines with something marked, in order. */
  readonly matches: readonly number[];
  /** The line to show first of all; null for the top. */
  readonly best: number | null;
  /** There is more of the conversation than these lines. */
  readonly isCut: boolean;
}

/** A whole conversation, from a line on: what is far below is drawn when it is reached. */
export interface PageQuestion {
  readonly type: 'page';
  readonly id: string;
  readonly match: string;
  readonly columns: number;
  readonly showsTools: boolean;
  readonly showsSubagents: boolean;
  readonly from: number;
}

/** Where a message starts in the drawn conversation, and how to refer to it. */
export interface MessageMark {
  readonly line: number;
  readonly session: string;
  readonly position: number;
}

export interface Page {
  readonly lines: readonly string[];
  /** With line numbers of the whole conversation. */
  readonly matches: readonly number[];
  readonly messages: readonly MessageMark[];
  readonly isLast: boolean;
}

/** The text of one message, as it was written. */
export interface MessageQuestion {
  readonly type: 'message';
  readonly session: string;
  readonly position: number;
}

/** The projects to choose from, the latest first. */
export interface ProjectsQuestion {
  readonly type: 'projects';
}

export type Question = ListQuestion | PreviewQuestion | PageQuestion | MessageQuestion | ProjectsQuestion;

export interface Answers {
  readonly list: Results;
  readonly preview: Preview;
  readonly page: Page;
  readonly message: string;
  readonly projects: readonly string[];
}

/** A problem that the person can do something about. */
export interface Failure {
  readonly message: string;
  readonly hint: string;
}
