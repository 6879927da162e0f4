// What recall answers about sessions, as plain data: every front end and every page is made from these types. They live here, apart
// from the functions that answer, so that a page does not depend on the index or on what agents write.

import type { Damage } from '../archive/segments.ts';
import type { FilterName } from '../filters.ts';
import type { FailedFile, Role, SessionKind } from '../records.ts';
import type { Query, Term, TypedTime } from '../search/query/parse-query.ts';
import type { ScoreParts } from '../search/rank.ts';
import type { Hit, Match, SearchResult } from '../search/search-result.ts';
import type { LiveSession } from '../sources/source.ts';
import type { StoredCall, StoredMessage, Stretch } from '../store/read/read-conversation.ts';
import type { ProjectSummary, SessionDetails, SessionInfo } from '../store/word-index.ts';

export type Fresh<T> = T & { readonly freshness: Freshness };

export interface Freshness {
  readonly refreshed: boolean;
  /** How many new and changed files there was no time for, and how much of them is unread. */
  readonly pendingFiles: number;
  readonly pendingBytes: number;
  /** How many of the pending files are indexed already, and only have to be read again. */
  readonly pendingAgain: number;
  /** Why something new may be missing although there was time. */
  readonly obstacle: FreshnessObstacle | null;
  readonly failures: readonly FailedFile[];
}

type FreshnessObstacle =
  | { readonly type: 'busy' }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'unseen'; readonly places: readonly FailedFile[] };

export interface ListAnswer {
  readonly sessions: readonly ListedSession[];
  /** How many there are without the limit. */
  readonly total: number;
  readonly currentId: string | null;
  readonly emptiness: Emptiness | null;
}

export interface ListedSession {
  readonly session: SessionInfo;
  /** How many other sessions of the same kind contain the same entries. */
  readonly copies: number;
  readonly resumption: Resumption;
}

export interface Resumption {
  /** What is resumed: the session itself, or the one it belongs to. */
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly program: string;
  /** Null if there is nothing to resume, or no command could do it. */
  readonly resume: Resume | null;
  readonly obstacle: ResumeObstacle | null;
  readonly isResumable: boolean;
  readonly first: string | null;
  /** The ids of sessions that could not be restored, and without which its program does not resume it. */
  readonly lacking: readonly string[];
  /** From what its transcript can be restored: the copy in the archive, or the indexed text; null where it is there. */
  readonly restorable: 'archive' | 'text' | null;
  readonly goneDirectory: string | null;
  /** The variables that its program needs to find it; null for the default folder. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Absolute; null if it never had one. */
  readonly transcriptPath: string | null;
  readonly live: LiveSession | null;
  /** Where it was, and whose it is if it is somebody else's; null on this machine. */
  readonly machine: string | null;
  readonly owner: string | null;
}

export interface Resume {
  /** The directory to start in; null for the current one. */
  readonly cwd: string | null;
  readonly argv: readonly string[];
  /** As one shell command line, safe for any directory name, with the variables that the program needs. */
  readonly command: string;
  /** Variables that are set here and must not be for the program; missing where there are none. */
  readonly unset?: readonly string[];
}

/**
 * kind: its program cannot continue this kind of conversation · id: its program would not have created this
 * id · elsewhere: it was on another machine · same-id: another transcript has its id, and its own directory, which would tell them apart, is gone · directory-gone: its program finds it only from its directory · first: something has to be run before ·
 * no-fork: its program cannot copy a session · base-missing: it was restored, and the session that it continues could not be.
 */
export type ResumeObstacle =
  | 'kind'
  | 'id'
  | 'no-transcript'
  | 'transcript-deleted'
  | 'elsewhere'
  | 'same-id'
  | 'directory-gone'
  | 'first'
  | 'no-fork'
  | 'base-missing';

export interface SearchAnswer extends SearchResult {
  readonly query: string;
  readonly hits: readonly FoundHit[];
  readonly tookMs: number;
  /** The filters in the query, as typed. */
  readonly filters: { readonly only: Query['filters']; readonly without: Query['excludedFilters'] };
  /** Dates in the query that were not understood, as typed; they are treated as words. */
  readonly unknownDays: readonly string[];
  /** The words after a minus: sessions that contain them are left out. */
  readonly excludedWords: readonly string[];
  /** A time in the query: on its own it was the filter, otherwise it was searched for like the other words. */
  readonly time: TypedTime | null;
  readonly hiddenWords: HiddenWords | null;
  /** Null if the request did not ask for them. */
  readonly facets: Facets | null;
  /** Of the hub that was asked; null for this machine's index. */
  readonly hub: HubAnswer | null;
  readonly weights: Readonly<Record<keyof ScoreParts, number>>;
  readonly emptiness: Emptiness | null;
}

export interface HubAnswer {
  readonly where: string;
  /** How many sessions could not be searched, since a newer recall has sent them, or an older one. */
  readonly newer: number;
  readonly older: number;
}

/** How many of the sessions found are of each, the most frequent first; days in order. */
export interface Facets {
  readonly agents: readonly FilterValue[];
  readonly projects: readonly FilterValue[];
  readonly branches: readonly FilterValue[];
  /** Local days on which a session was last active, as `2026-10-06`. */
  readonly days: readonly FilterValue[];
}

export interface FilterValue {
  readonly value: string;
  readonly sessions: number;
}

export interface FoundHit extends Hit {
  readonly matches: readonly FoundMatch[];
  readonly resumption: Resumption;
}

export interface FoundMatch extends Match {
  /** The number of the message in its session, from 1; null if it was not requested. */
  readonly position: number | null;
}

export interface Emptiness {
  readonly isIndexEmpty: boolean;
  /** As many as a list has: copies are one, and subagents belong to their session. */
  readonly sessions: number;
  readonly messages: number;
  readonly blame: Blame | null;
}

export type Blame =
  /** No session passes this filter. `meant` is its value, with the directory in place of `.`. */
  | { readonly type: 'one'; readonly filter: NamedFilter; readonly meant: string }
  /** Some sessions pass each of them, but none passes all. */
  | { readonly type: 'together'; readonly filters: readonly NamedFilter[] }
  | { readonly type: 'swapped'; readonly since: NamedFilter; readonly until: NamedFilter }
  | ({ readonly type: 'hides' } & HiddenWords);

export interface NamedFilter {
  readonly name: FilterName;
  readonly value: string;
  /** Written in the query, as project:shop. */
  readonly isInline: boolean;
}

/** Words that occur, but only in what these filters, or these words after a minus, leave out. */
export interface HiddenWords {
  readonly words: readonly string[];
  readonly filters: readonly NamedFilter[];
  readonly excluded: readonly string[];
}

export interface FileHistory {
  readonly path: string;
  readonly files: readonly (TouchedFile & { readonly sessions: number })[];
  readonly sessions: readonly (TouchingSession & ListedSession)[];
  readonly total: number;
  readonly emptiness: Emptiness | null;
}

export interface TouchingSession {
  readonly session: SessionInfo;
  readonly tools: readonly ToolCount[];
  readonly subagentCalls: number;
  readonly files: readonly TouchedFile[];
}

export interface TouchedFile {
  readonly path: string;
  readonly tools: readonly ToolCount[];
}

export interface ToolCount {
  readonly name: string;
  readonly calls: number;
}

export interface Conversation {
  readonly head: Head;
  readonly matches: Matches | null;
  readonly start: PageStart;
}

export interface Head extends ListedSession {
  readonly details: SessionDetails;
  readonly copyNames: readonly SessionInfo[];
  readonly subagentCount: number;
  /** Saved before a compaction. */
  readonly histories: readonly SessionInfo[];
  readonly owner: SessionInfo | null;
}

export interface PageStart {
  readonly session: Pick<SessionInfo, 'id' | 'nativeId' | 'kind'>;
  readonly steps: readonly Step[];
  readonly role: Role | null;
  readonly opensInlined: boolean;
  readonly callTexts: boolean | Matches;
  readonly at: Place;
}

export type Step =
  | MessagesStep
  | { readonly type: 'gap'; readonly messageCount: number }
  | { readonly type: 'subagent'; readonly subagent: SessionInfo }
  | { readonly type: 'subagent-start'; readonly subagentId: number }
  | { readonly type: 'subagent-end' };

export interface MessagesStep {
  readonly type: 'messages';
  readonly sessionId: number;
  readonly stretch: Stretch;
  /** The number of the first message; null if it follows from those before. */
  readonly firstPosition: number | null;
  readonly matches: ReadonlySet<number>;
}

interface Place extends Turn {
  readonly step: number;
  /** The line to go on from; null for the start of the step. */
  readonly line: number | null;
  /** Where the session goes on after a subagent that is being read. */
  readonly outer: Turn | null;
}

export interface Turn {
  readonly speaker: Speaker | null;
  readonly position: number;
}

export interface ConversationPage {
  readonly pieces: readonly Piece[];
  readonly next: PageStart | null;
  /** The calls of this page whose text was requested and could not be read; null if there are none. */
  readonly unread: Unread | null;
}

export type Piece =
  | { readonly type: 'part'; readonly part: Part }
  /** What follows, up to `subagent-end`, is what a subagent said. */
  | { readonly type: 'subagent-start'; readonly listed: ListedSession }
  | { readonly type: 'subagent-end' };

export type Part =
  | {
      readonly type: 'turn';
      readonly speaker: Speaker;
      readonly timestamp: string | null;
      readonly position: number | null;
    }
  | MessagePart
  | { readonly type: 'recap'; readonly message: StoredMessage; readonly position: number }
  | { readonly type: 'calls'; readonly calls: readonly ShownCall[] }
  | { readonly type: 'subagent'; readonly subagent: SessionInfo }
  /** Subagent messages that old versions wrote into the session itself, folded. */
  | { readonly type: 'inlined'; readonly messageCount: number }
  | { readonly type: 'gap'; readonly messageCount: number };

export interface MessagePart {
  readonly type: 'message';
  readonly message: StoredMessage;
  readonly position: number;
  readonly isMatch: boolean;
}

/** task: the instructions for a subagent · subagent: its answer, inside another session. */
export type Speaker = 'person' | 'assistant' | 'task' | 'subagent';

export interface Matches {
  readonly lines: ReadonlyMap<number, ReadonlySet<number>>;
  /** The texts of tools on these lines that hold some of the words. */
  readonly toolTexts: ReadonlySet<number>;
  readonly terms: readonly Term[];
  /** No message contains all of the words. */
  readonly isPartial: boolean;
  readonly corrections: readonly (readonly [string, string])[];
}

export interface ShownCall extends StoredCall {
  /** Null where there is none, or where it is not in the index; absent if it was not asked for. */
  readonly input?: string | null;
  readonly output?: string | null;
}

/** Why calls are shown without their text. deleted: their transcript was, before texts were stored · off: they are not indexed. */
export interface Unread {
  readonly calls: number;
  readonly reason: 'deleted' | 'off';
}

export interface Restoration extends Resumable, Pick<Resumption, 'kind' | 'program'> {
  readonly askedId: string;
  readonly nativeId: string;
  /** present: it is there · text: without tools · prompts: without answers, too. */
  readonly from: 'archive' | 'text' | 'prompts' | 'present';
  readonly files: readonly RestoredFile[];
  readonly damages: readonly Damage[];
  /** Older versions of the transcript that are kept because they hold more. */
  readonly olderVersions: number;
  /** What is known of the place where it was; null for a session of this machine. */
  readonly elsewhere: Elsewhere | null;
  /** The session here whose id it would have had: that one was continued, too, so that this one has an id of its own. */
  readonly branchOf: string | null;
}

interface Elsewhere {
  readonly machine: string;
  readonly owner: string | null;
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  /** The directory that it is continued in; null for the same one. */
  readonly directory: string | null;
}

export type Resumable = Pick<
  Resumption,
  'resume' | 'obstacle' | 'first' | 'goneDirectory' | 'lacking' | 'env' | 'live'
>;

export interface RestoredFile {
  readonly path: string;
  /** damaged: a part of its copy is lost, and it is not written, so that the index keeps the text that it has. */
  readonly state: 'written' | 'exists' | 'planned' | 'damaged';
}

/** What a conversation consists of, so that any part of it can be asked for by the numbers of its messages. */
export interface Outline {
  readonly messageCount: number;
  readonly prompts: readonly OutlinedPrompt[];
  /** Numbers of messages that match, or that are followed by a tool call that does; null if there was nothing to match. */
  readonly matches: OutlinedMatches | null;
}

interface OutlinedPrompt {
  readonly position: number;
  readonly timestamp: string | null;
  /** The start of it. */
  readonly text: string;
}

export interface OutlinedMatches extends Pick<Matches, 'terms' | 'isPartial' | 'corrections'> {
  readonly positions: readonly number[];
  /** Lines with a tool call whose input or output matches. */
  readonly callLines: readonly number[];
}

/** A tool call with all that is known of it. */
export interface CallDetail extends ShownCall {
  /** Its arguments; one that is a single value has no name. */
  readonly given: readonly { readonly name: string; readonly text: string }[];
  /** The images that it answered with, where the transcript still has them. */
  readonly images: readonly TranscriptImage[];
  /** Some of the input or output was left out of the index, and can be read from the transcript. */
  readonly isCut: boolean;
}

/** Of a type that its bytes say, and that any browser can show without running anything. */
export interface TranscriptImage {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly bytes: Buffer;
}

export interface ProjectsAnswer {
  /** `exists`: whether the directory does; null if no directory is known. */
  readonly projects: readonly (ProjectSummary & { readonly exists: boolean | null })[];
  readonly total: number;
  readonly emptiness: Emptiness | null;
}
