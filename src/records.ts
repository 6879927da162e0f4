// The words the whole program uses for what Claude Code wrote: files, sessions, messages. Types only.

/** What kind of session a transcript holds; `history` is what is left of one whose transcript was deleted. */
export type SessionKind = 'main' | 'agent' | 'transcript' | 'precompact' | 'history';

export type Role = 'user' | 'assistant';

/**
 * prompt: typed by the person · queued: typed while the assistant was busy · command: arguments of a slash command ·
 * shell: a `!` command line · answer: the assistant's text · task: what an agent was told to do ·
 * recap: machine-written summary after a compaction.
 */
export type MessageKind = 'prompt' | 'queued' | 'command' | 'shell' | 'answer' | 'task' | 'recap';

/** What a stat tells about a file; together these say whether it can have changed. */
export interface FileStamp {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** A .jsonl file found on disk. `path` is relative to its root, with forward slashes. */
export interface TranscriptFile extends FileStamp {
  readonly path: string;
  readonly kind: SessionKind;
  readonly claudeId: string;
  /** Known from the directory for nested agents; older flat agents name it inside. */
  readonly parentClaudeId: string | null;
  /** The project folder's name under projects/, null for stores outside it. */
  readonly slug: string | null;
  /** Claude Code's own helpers, which repeat their parent's text: recorded, never read. */
  readonly isMachinery: boolean;
}

export type SidecarKind = 'sessions-index' | 'agent-meta' | 'custom-title';

/** A small JSON file that says something about sessions. */
export interface SidecarFile extends FileStamp {
  readonly path: string;
  readonly kind: SidecarKind;
  readonly slug: string;
  /** The session it speaks of; null for sessions-index.json, which speaks of many. */
  readonly claudeId: string | null;
}

export interface MessageRecord {
  /** Line number in the transcript, from 1: the order of the conversation. */
  readonly seq: number;
  readonly uuid: string | null;
  readonly role: Role;
  readonly kind: MessageKind;
  /** ISO 8601 UTC with milliseconds. */
  readonly timestamp: string | null;
  readonly text: string;
  /** Subagent talk that old versions wrote into the main file. */
  readonly isSidechain: boolean;
}

export interface ToolCallRecord {
  readonly seq: number;
  /** Kept only where it is still needed: for calls without a result yet, and for those that started an agent. */
  readonly toolUseId: string | null;
  readonly name: string;
  readonly target: string | null;
  readonly isError: boolean;
}

/** A title that a transcript gives to the conversation holding `leafUuid`, often one in another file. */
export interface SummaryRecord {
  readonly seq: number;
  readonly leafUuid: string;
  readonly text: string;
}

export interface PullRequest {
  readonly number: number | null;
  readonly url: string | null;
  readonly repository: string | null;
}

/** What sessions-index.json says of one session; every field may be missing. */
export interface SessionHint {
  readonly claudeId: string;
  readonly firstPrompt: string | null;
  readonly summary: string | null;
  readonly customTitle: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly branch: string | null;
  readonly projectPath: string | null;
  readonly pullRequest: PullRequest | null;
}

/** What agent-*.meta.json says of one agent. */
export interface AgentMeta {
  readonly agentType: string | null;
  readonly description: string | null;
  readonly toolUseId: string | null;
}

/** One prompt of history.jsonl. */
export interface HistoryPrompt {
  readonly claudeId: string | null;
  readonly project: string | null;
  readonly timestamp: string | null;
  readonly kind: MessageKind;
  readonly text: string;
}

/** What a transcript, or a stretch of one, says about its session. */
export interface SessionFacts {
  readonly parentClaudeId: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  readonly relocatedCwd: string | null;
  readonly continuedIn: string | null;
  readonly branch: string | null;
  readonly versions: readonly string[];
  readonly models: readonly string[];
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly firstPrompt: string | null;
  readonly lastPrompt: string | null;
  readonly customTitle: string | null;
  readonly agentName: string | null;
  readonly aiTitle: string | null;
  readonly prNumber: number | null;
  readonly prUrl: string | null;
  readonly prRepository: string | null;
  readonly compactionCount: number;
}

/** Where a session's title comes from. */
export type TitleSource =
  | 'sidecar'
  | 'custom-title'
  | 'agent-name'
  | 'ai-title'
  | 'index-custom-title'
  | 'index-summary'
  | 'summary'
  | 'description'
  | 'first-prompt'
  | 'none';

/** Results of one list at most. */
export const maxListed = 1000;
