// All that one line of a transcript can tell.

import type { MessageKind, PullRequest, Role } from '../../records.ts';
import type { EntryToolCall, EntryToolResult } from '../claude/content-blocks.ts';

export interface EntryMessage {
  readonly role: Role;
  readonly kind: MessageKind;
  readonly text: string;
  readonly isSidechain: boolean;
}

/** All that one line tells. Absent parts are null or empty. */
export interface Entry {
  readonly type: string;
  readonly uuid: string | null;
  readonly sessionId: string | null;
  readonly timestamp: string | null;
  /** Any line may name the directory, and the first one in the file is the project. */
  readonly cwd: string | null;
  readonly branch: string | null;
  readonly version: string | null;
  readonly model: string | null;
  readonly message: EntryMessage | null;
  readonly toolCalls: readonly EntryToolCall[];
  readonly toolResults: readonly EntryToolResult[];
  readonly title: EntryTitle | null;
  readonly lastPrompt: string | null;
  readonly relocatedCwd: string | null;
  readonly continuedIn: string | null;
  readonly pullRequest: PullRequest | null;
  readonly isCompaction: boolean;
  readonly isUnknownType: boolean;
}

export type EntryTitle =
  | { readonly source: 'custom-title' | 'agent-name' | 'ai-title'; readonly text: string }
  | { readonly source: 'summary'; readonly text: string; readonly leafUuid: string };
