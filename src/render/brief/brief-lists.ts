// Lists of sessions for an agent, in few characters: the latest, and those that touched a file.

import type { FileHistory } from '../../api/file-history.ts';
import type { ListAnswer } from '../../api/list.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions/reference.ts';
import { type BriefSession, toBriefLine, toBriefSession } from './brief-sessions.ts';
import { type Fitted, keepTo, toLargerBudget } from './keep-to.ts';
import type { Voice } from './voice.ts';

export interface BriefList<S = BriefSession> {
  readonly total: number;
  readonly sessions: readonly S[];
  readonly leftOut: number;
  readonly next: readonly string[];
}

export function toBriefList(
  { sessions, total }: ListAnswer,
  voice: Voice,
  budget: number,
): Fitted<BriefList> {
  const all = sessions.map((listed) => toBriefSession(listed, { withResume: voice.sendsData }));
  return fitList(all, total, voice, budget, toBriefLine);
}

export interface BriefTouching extends BriefSession {
  /** `Edit ×2, Read ×1`. */
  readonly tools: string;
}

export function toBriefTouched(
  { sessions, total }: FileHistory,
  voice: Voice,
  budget: number,
): Fitted<BriefList<BriefTouching>> {
  const all = sessions.map((touching) => ({
    ...toBriefSession(touching, { withResume: false }),
    tools: touching.tools.map(({ name, calls }) => `${toPrintableLine(name)} ×${calls}`).join(', '),
  }));
  return fitList(all, total, voice, budget, (each) => `${toBriefLine(each)}\n   ${each.tools}`);
}

function fitList<S extends BriefSession>(
  all: readonly S[],
  total: number,
  voice: Voice,
  budget: number,
  toLine: (session: S) => string,
): Fitted<BriefList<S>> {
  const counts = Array.from({ length: Math.max(1, all.length) }, (_, i) => all.length - i);
  return keepTo(counts, budget, voice, (count) => {
    const sessions = all.slice(0, count);
    const leftOut = Math.max(0, total - sessions.length);
    const first = sessions[0];
    const next = first === undefined ? [] : [voice.read(toShortId(first.id))];
    if (sessions.length < all.length) next.push(...voice.more('budget', toLargerBudget(budget)));
    else if (leftOut > 0) next.push(...voice.more('limit', all.length * 2));
    const lines = [
      formatNumbered(total, 'session'),
      ...sessions.map((session, i) => `${i + 1}. ${toLine(session)}`),
      ...(leftOut > 0 ? [`left out: ${formatNumbered(leftOut, 'session')}`] : []),
      ...(next.length > 0 ? [`next: ${next.join('   or: ')}`] : []),
    ];
    return { data: { total, sessions, leftOut, next }, text: lines.join('\n') };
  });
}
