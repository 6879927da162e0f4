// What speakers are called.

import type { Speaker } from '../../api/conversation/parts.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toPrintableLine } from '../printable.ts';

export function toSpeakerName(speaker: Speaker, session: SessionInfo | undefined): string {
  if (speaker === 'person') return 'you';
  if (speaker === 'task') return 'task';
  if (speaker === 'agent') return 'agent';
  return session?.kind === 'agent' ? toAgentName(session) : 'claude';
}

export function toAgentName(agent: SessionInfo | undefined): string {
  return toPrintableLine(agent?.agentType ?? '') || 'agent';
}

/** How a message came to be, where it was not simply typed. */
export const kindNotes: Readonly<Record<string, string>> = {
  queued: 'typed while Claude was busy',
  command: 'to a slash command',
  shell: 'a shell command',
};
