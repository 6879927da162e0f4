// One line for each session of a list, for an agent.

import type { SessionInfo } from '../../api/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions/reference.ts';
import { formatIsoDay } from '../times.ts';

export interface BriefSession {
  readonly id: string;
  readonly title: string | null;
  /** Missing for an ordinary session. */
  readonly kind?: string;
  readonly project: string | null;
  readonly branch?: string;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  /** Set if its transcript was deleted. */
  readonly isGone?: true;
}

const maxTitleChars = 100;

export function toBriefSession(session: SessionInfo): BriefSession {
  const line = (text: string | null) => (text === null ? null : toPrintableLine(text));
  return {
    id: toPrintableLine(session.nativeId),
    title: session.title === null ? null : clip(toPrintableLine(session.title), maxTitleChars),
    ...(session.kind === 'main' ? {} : { kind: session.kind }),
    project: line(session.project),
    ...(session.branch === null || session.branch === 'HEAD'
      ? {}
      : { branch: toPrintableLine(session.branch) }),
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    ...(session.isGone === 1 ? { isGone: true } : {}),
  };
}

/** `66c737db  2026-10-06  /home/maya/shop  main  16 messages  JWT auth`: the title is last, as it may contain anything. */
export function toBriefLine(session: BriefSession): string {
  return [
    toShortId(session.id),
    formatIsoDay(session.modifiedAt) || 'undated',
    session.project ?? '-',
    session.branch ?? '-',
    formatNumbered(session.messageCount, 'message'),
    ...(session.kind === undefined ? [] : [session.kind]),
    ...(session.isGone ? ['deleted'] : []),
    session.title ?? '(untitled)',
  ].join('  ');
}
