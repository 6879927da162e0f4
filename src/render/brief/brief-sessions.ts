// What an agent is told of a session in a list, in a line.

import type { SessionInfo } from '../../store/read-sessions.ts';
import { clip } from '../columns.ts';
import { toPrintableLine } from '../printable.ts';
import { toShortId } from '../reference.ts';

export interface BriefSession {
  readonly id: string;
  readonly title: string | null;
  readonly kind: string;
  readonly project: string | null;
  readonly branch: string | null;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  /** Only from the index: its transcript was deleted. */
  readonly isGone: boolean;
}

const maxTitleChars = 100;

export function toBriefSession(session: SessionInfo): BriefSession {
  const line = (text: string | null) => (text === null ? null : toPrintableLine(text));
  return {
    id: toPrintableLine(session.claudeId),
    title: session.title === null ? null : clip(toPrintableLine(session.title), maxTitleChars),
    kind: session.kind,
    project: line(session.project),
    branch: session.branch === 'HEAD' ? null : line(session.branch),
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    isGone: session.isGone === 1,
  };
}

/** `66c737db  2026-10-06  /home/maya/shop  feat/jwt-auth  16 messages  JWT auth middleware`: the title last, for it may hold anything. */
export function toBriefLine(session: BriefSession): string {
  return [
    toShortId(session.id),
    session.modifiedAt?.slice(0, 10) ?? 'undated',
    session.project ?? '-',
    session.branch ?? '-',
    `${session.messageCount} messages`,
    ...(session.kind === 'main' ? [] : [session.kind]),
    ...(session.isGone ? ['deleted'] : []),
    session.title ?? '(untitled)',
  ].join('  ');
}
