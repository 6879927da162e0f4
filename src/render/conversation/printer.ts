// What a format must know how to write. Each method gives a piece of the page without its last newline, or nothing;
// the pieces are written as they come, so a page of any length is never held in memory.

import type { Head } from '../../api/conversation/open-conversation.ts';
import type { Part } from '../../api/conversation/parts.ts';
import type { ListedSession } from '../../api/sessions.ts';

export interface Printer {
  /** Subagents are written after the session rather than where they were sent out. */
  readonly putsSubagentsLast: boolean;
  begin(head: Head): string;
  part(part: Part): string;
  openSubagent(subagent: ListedSession): string;
  closeSubagent(): string;
  end(): string;
}
