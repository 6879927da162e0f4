// One line for each session of a list, for an agent.

import type { ListedSession } from '../../api/list.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { clip } from '../columns.ts';
import { formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions/reference.ts';
import { formatIsoDay } from '../times.ts';

export interface BriefSession {
  readonly id: string;
  /** Missing where there is only one agent. */
  readonly agent?: string;
  readonly title: string | null;
  /** Missing for an ordinary session. */
  readonly kind?: string;
  readonly project: string | null;
  readonly branch?: string;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  /** Set if its transcript was deleted. */
  readonly isGone?: true;
  /** From where its transcript can be brought back, by the person. */
  readonly restorable?: 'archive' | 'text';
  /** The command line that resumes it, for the user; missing if it cannot be resumed. */
  readonly resume?: string;
}

const maxTitleChars = 100;

type Described = Pick<ListedSession, 'session' | 'resumption'>;

export function toBriefSession(
  { session, resumption }: Described,
  { withResume }: { readonly withResume: boolean },
): BriefSession {
  const { isResumable, resume } = resumption;
  const line = (text: string | null) => (text === null ? null : toPrintableLine(text));
  return {
    id: toPrintableLine(session.nativeId),
    ...(session.isOfSeveral ? { agent: session.agent } : {}),
    title: toBriefTitle(session),
    ...(session.kind === 'main' ? {} : { kind: session.kind }),
    project: line(session.project),
    ...(session.branch === null || session.branch === 'HEAD'
      ? {}
      : { branch: toPrintableLine(session.branch) }),
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    ...(session.isDeleted ? { isGone: true } : {}),
    ...(resumption.restorable === null ? {} : { restorable: resumption.restorable }),
    ...(withResume && isResumable && resume !== null ? { resume: resume.command } : {}),
  };
}

export function toBriefTitle({ title }: { readonly title: string | null }): string | null {
  return title === null ? null : clip(toPrintableLine(title), maxTitleChars);
}

/** `66c737db  2026-10-06  /home/maya/shop  main  16 messages  JWT auth`: the title is last, as it may contain anything. */
export function toBriefLine(session: BriefSession): string {
  return [
    toShortId(session.id),
    formatIsoDay(session.modifiedAt) || 'undated',
    session.project ?? '-',
    session.branch ?? '-',
    formatNumbered(session.messageCount, 'message'),
    ...(session.agent === undefined ? [] : [session.agent]),
    ...(session.kind === undefined ? [] : [session.kind]),
    ...(session.isGone ? [session.restorable === 'archive' ? 'deleted, copy kept' : 'deleted'] : []),
    session.title ?? '(untitled)',
  ].join('  ');
}
