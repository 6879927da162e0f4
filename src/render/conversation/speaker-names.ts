// The names shown for speakers.

import type { Speaker } from '../../api/conversation/read-conversation.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';

export function toSpeakerName(speaker: Speaker, session: SessionInfo | undefined): string {
  if (speaker === 'person') return 'you';
  if (speaker === 'task') return 'task';
  if (speaker === 'subagent') return 'subagent';
  return session?.kind === 'subagent' ? toSubagentName(session) : (session?.agent ?? 'assistant');
}

export function toSubagentName(subagent: SessionInfo | undefined): string {
  return toPrintableLine(subagent?.subagentType ?? '') || 'subagent';
}

/** Where a message came from, if it was not simply typed. */
export const kindNotes: Readonly<Record<string, string>> = {
  queued: 'typed while the agent was busy',
  command: 'arguments of a slash command',
  shell: 'a shell command',
};
