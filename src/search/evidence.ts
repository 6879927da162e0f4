// What the ranking is given: the terms of a query, and what was found of them in each session.

/** What a term is worth: rare words say more than common ones, weak words almost nothing. */
export interface RankedTerm {
  /** Inverse document frequency, times the strength of the word. */
  readonly weight: number;
  /** The same by sessions: a word that is in every session does not distinguish any of them. */
  readonly sessionWeight: number;
  readonly isStrong: boolean;
  /** It may also be in sessions for which it is not listed. */
  readonly isCut: boolean;
}

/** One message that contains some of the words. Arrays are parallel to the terms. */
export interface RankedMessage {
  readonly id: number;
  /** To recognise copies of a conversation, which repeat it word for word. */
  readonly text: string;
  readonly speaker: 'person' | 'assistant' | 'recap' | 'subagent';
  readonly chars: number;
  readonly counts: readonly number[];
  readonly exactCounts: readonly number[];
  /** Sum of weight ÷ √distance over neighbouring query words that occur within a few words of each other. */
  readonly closeness: number;
  /** The message is recall's own printed output. */
  readonly isEcho: boolean;
}

/** What a tool was given or answered, of which only FTS5 knows the words. */
export interface RankedWork {
  readonly id: number;
  /** BM25, with the weights of the terms. */
  readonly words: number;
  /** As in a message. */
  readonly closeness: number;
}

/** One conversation: a session with its subagents and earlier histories folded in. */
export interface RankedSession {
  readonly id: number;
  /** Shared by the copies of one conversation; only one copy is shown. */
  readonly conversationId: number;
  readonly modifiedAt: string;
  readonly ageDays: number;
  readonly messageCount: number;
  readonly chars: number;
  readonly isSubagent: boolean;
  /** Its transcript was deleted. */
  readonly isGone: boolean;
  /** The sessions that are folded into it, including itself if it matched. */
  readonly memberIds: readonly number[];
  readonly messages: readonly RankedMessage[];
  readonly work: readonly RankedWork[];
  readonly toolCallCount: number;
  /** In how many work texts each term occurs. */
  readonly workCounts: readonly number[];
  /** How many of the messages are its own, not a subagent's. */
  readonly ownMatches: number;
  /** In how many of its messages each term occurs, and how often in all. */
  readonly messageCounts: readonly number[];
  readonly occurrences: readonly number[];
  readonly toolCounts: readonly number[];
  readonly inTitle: readonly boolean[];
  readonly inFirstPrompt: readonly boolean[];
  readonly inContext: readonly boolean[];
}

export interface Corpus {
  readonly meanMessageChars: number;
  readonly meanSessionChars: number;
  readonly meanToolCalls: number;
}
