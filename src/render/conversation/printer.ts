// What a format must know how to write. Each method gives a piece of the page without its last newline, or nothing;
// the pieces are written as they come, so a page of any length is never held in memory.

import type { Part } from '../../api/conversation/parts.ts';
import type { SessionDetails } from '../../store/read/read-relatives.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';

export interface Head {
  readonly session: SessionInfo;
  readonly details: SessionDetails;
  readonly copyCount: number;
  /** The newest of them. */
  readonly copies: readonly SessionInfo[];
  readonly subagentCount: number;
  /** Saved before a compaction. */
  readonly histories: readonly SessionInfo[];
  /** The session that a subagent or a saved history belongs to. */
  readonly owner: SessionInfo | null;
}

export interface Printer {
  /** Subagents are written after the session rather than where they were sent out. */
  readonly putsSubagentsLast: boolean;
  begin(head: Head): string;
  part(part: Part): string;
  openSubagent(subagent: SessionInfo): string;
  closeSubagent(): string;
  end(): string;
}
