// What search asks of an index, whatever engine holds it: words in, places out. The questions are asynchronous and take all
// terms or all sessions at once, so that an engine behind a network can answer a search in at most eight rounds. Ids belong to
// the engine: they are compared and handed back, and nothing is read out of them; newer sessions have higher ones.

import type { FilterName } from '../filters.ts';
import type { AgentName, Labels, Role, SearchedPart, SessionKind, TitleSource } from '../records.ts';
import type { Form } from '../text/occurrences.ts';

/** What a text must contain: any of the forms of one term, or a combination of such terms. */
export type Expression =
  | { readonly forms: readonly Form[] }
  | { readonly any: readonly Expression[] }
  | { readonly all: readonly Expression[] };

/** A message or a tool text, and whose it is. */
export type Place = Readonly<Record<'id' | 'sessionId', number>>;

/** Where one term occurs. Lists are bounded and hold the newest; what is cut says less the more there is of it. */
export interface TermPlaces {
  /** Newest first. */
  readonly messages: readonly Place[];
  readonly areMessagesCut: boolean;
  /** About how much of the index was covered before the list of messages was full, from 0 to 1. */
  readonly coveredShare: number;
  /** What tools were given and what they printed; newest first. */
  readonly toolTexts: readonly Place[];
  readonly areToolTextsCut: boolean;
  /** How many tool texts of each session hold it; of a cut list as far as they were counted. */
  readonly toolTextCounts: ReadonlyMap<number, number>;
  readonly areToolTextCountsCut: boolean;
  /** The sessions of tool calls that were pointed at it, one for each call. */
  readonly toolCalls: readonly number[];
  readonly areToolCallsCut: boolean;
  /** The newest sessions with it in their title, summary, first prompt or surroundings. */
  readonly named: readonly number[];
  readonly isNamedCut: boolean;
  /** The newest of those that are called so: by their title, summary or surroundings. */
  readonly called: readonly number[];
}

export interface ListLimits {
  readonly messages: number;
  readonly toolTexts: number;
  /** Where there are more tool texts than that, so many of them are counted by session. */
  readonly toolTextsCounted: number;
  readonly toolCalls: number;
  readonly named: number;
}

export interface MessageText {
  readonly id: number;
  readonly sessionId: number;
  readonly uuid: string | null;
  readonly role: Role;
  readonly kind: string;
  readonly timestamp: string | null;
  readonly text: string;
  readonly isSidechain: boolean;
}

/** A tool call that was pointed at something: a file, or a command with arguments. */
export interface PointedCall {
  /** The id that a message on its line would have. */
  readonly messageId: number;
  readonly sessionId: number;
  readonly kind: 'file' | 'command';
  readonly tool: string;
  readonly target: string;
  readonly isError: boolean;
}

export interface ToolText {
  readonly id: number;
  readonly sessionId: number;
  /** The id that a message on its line would have. */
  readonly messageId: number;
  readonly kind: 'tool-input' | 'tool-output';
  readonly timestamp: string | null;
  readonly tool: string | null;
  readonly target: string | null;
  readonly isError: boolean;
  /** Null for a tool text that was indexed before texts were stored: only its words are known. */
  readonly text: string | null;
}

export interface SessionInfo {
  readonly id: number;
  readonly agent: AgentName;
  /** The index has sessions of other agents too, so that lists say whose this is. */
  readonly isOfSeveral: boolean;
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly parentNativeId: string | null;
  /** The session this one is shown under: its parent if that is known, otherwise itself. */
  readonly ownerId: number;
  readonly conversationId: number;
  readonly title: string | null;
  readonly titleSource: TitleSource;
  readonly labels: Labels;
  readonly summary: string | null;
  readonly firstPrompt: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  /** The session that this one is a named branch of. */
  readonly branchedFrom: string | null;
  readonly subagentType: string | null;
  readonly subagentDescription: string | null;
  readonly prNumber: number | null;
  readonly prRepository: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  readonly textChars: number;
  readonly toolCallCount: number;
  readonly slug: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  readonly relocatedCwd: string | null;
  readonly isDeleted: boolean;
  /** Where it was, and whose it is if it is somebody else's; null on this machine. */
  readonly machine: string | null;
  readonly owner: string | null;
  /** The day on which its owner handed it on; null where it did not come in a file. */
  readonly importedOn: string | null;
}

/** A session, what it is shown under, and what that is a copy of. */
export interface Relation {
  readonly id: number;
  /** The session of a subagent or saved history, unless the filters leave it out or subagents are listed; else itself. */
  readonly ownerId: number;
  /** Shared by the copies of one conversation, of which one is shown. */
  readonly conversationId: number;
  /** When the session that it is shown under was last modified. */
  readonly modifiedAt: string | null;
}

export interface SessionWithCopies {
  readonly session: SessionInfo;
  readonly copies: number;
}

export type IndexTotals = Readonly<
  Record<'sessions' | 'spokenSessions' | 'messages' | 'textChars' | 'toolCalls', number>
>;

export interface FilterValues {
  readonly project: readonly number[];
  readonly since: string;
  readonly until: string;
  readonly branch: string;
  readonly role: Role;
  readonly model: string;
  readonly file: string;
  readonly agent: AgentName;
  readonly machine: string;
  readonly owner: string;
  readonly kind: SessionKind;
  readonly tag: string;
  readonly is: string;
  readonly has: string;
  readonly in: SearchedPart;
}

export interface SessionFilters {
  readonly only: { readonly [Name in FilterName]?: FilterValues[Name] };
  /** Values that sessions must not have; each follows the rules of its filter. */
  readonly without: { readonly [Name in FilterName]?: readonly FilterValues[Name][] };
  readonly includeAll: boolean;
  readonly excludedNativeIds: readonly string[];
}

export const noFilters: SessionFilters = { only: {}, without: {}, includeAll: false, excludedNativeIds: [] };

/** Which sessions a search looks at: what the filters let through, without those that hold an excluded term. */
export interface ScopeRequest {
  readonly filters: SessionFilters;
  readonly excluded: readonly Expression[];
  /** A subagent with an excluded term does not take its whole family with it. */
  readonly listsSubagents: boolean;
}

export interface SessionsQuestion {
  readonly sessions: readonly number[];
  readonly terms: readonly Expression[];
}

export interface WordIndex {
  /** Not a question yet: the scope is worked out with the first one. */
  scope(request: ScopeRequest): WordScope;
  totals(): Promise<IndexTotals>;
  messages(ids: readonly number[]): Promise<MessageText[]>;
  toolTexts(ids: readonly number[]): Promise<ToolText[]>;
  /** In the order of the ids. */
  listedSessions(ids: readonly number[]): Promise<SessionWithCopies[]>;
  /** How many other sessions contain the same entries, by conversation. */
  countCopies(conversationIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  sessions(ids: readonly number[]): Promise<Map<number, SessionInfo>>;
  /** Words of the index of about the same length that start like this one, and how many texts hold each. */
  nearWords(word: string, lengthSlack: number): Promise<{ word: string; texts: number }[]>;
}

/** The same index, through filters. */
export interface WordScope {
  list(terms: readonly Expression[], limits: ListLimits): Promise<TermPlaces[]>;
  /** The best messages by BM25, best first. The engine goes through every place of every word: not for common ones. */
  best(expression: Expression, limit: number): Promise<Place[]>;
  /** The newest messages, tool texts and names that match, up to so many of each. */
  newest(expression: Expression, limits: NewestLimits): Promise<Newest>;
  /** What each of these sessions is shown under, in any order. */
  relations(ids: readonly number[], listsSubagents: boolean): Promise<Relation[]>;
  /** Of each question, whether its sessions hold all its terms; assumed of the rest once `enough` do. */
  hold(questions: readonly SessionsQuestion[], enough: number): Promise<boolean[]>;
  /** Of each question, the first messages and tool texts of its sessions that hold any of its terms. */
  passages(questions: readonly SessionsQuestion[], limit: number): Promise<Passages[]>;
  /** Of each question, the first tool call of its sessions that was pointed at one of its terms. */
  calls(questions: readonly SessionsQuestion[]): Promise<(PointedCall | undefined)[]>;
  /** The newest sessions, of copies the newest, and how many there are. */
  recent(limit: number, withSubagents: boolean): Promise<{ ids: number[]; total: number }>;
  /** Sessions whose own id starts with this, newest first. */
  startingWith(prefix: string, limit: number): Promise<number[]>;
}

export type NewestLimits = Pick<ListLimits, 'messages' | 'toolTexts' | 'named'>;
export type Newest = Pick<TermPlaces, 'messages' | 'toolTexts' | 'named'>;

export interface Passages {
  readonly messages: readonly MessageText[];
  readonly toolTexts: readonly ToolText[];
}

export interface SessionDetails {
  readonly models: readonly string[];
  readonly toolCallCount: number;
  readonly compactionCount: number;
  readonly continuedIn: string | null;
  readonly prUrl: string | null;
}

export interface ProjectSummary {
  readonly id: number | null;
  /** Null for sessions that do not say where they ran. */
  readonly path: string | null;
  readonly sessions: number;
  readonly subagents: number;
  readonly messages: number;
  readonly lastUsedAt: string | null;
  /** How many characters of its text are in the index. */
  readonly textChars: number;
  /** How many bytes its transcripts take that are still on disk. */
  readonly diskBytes: number;
}
