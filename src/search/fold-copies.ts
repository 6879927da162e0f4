// One result per conversation. Pure.

import { compareText } from '../text/compare.ts';
import type { RankedSession, RankedTerm } from './evidence.ts';
import type { Ranked } from './rank.ts';

/**
 * Each group of copies becomes one result, at the rank of the best copy. It shows the newest copy that has all words of the
 * best one, in a message or only in its branch or title, and contains every passage that matched in it; among equally new
 * copies, one whose transcript still exists. A copy that was cut off before one of the passages, or was made on another branch
 * than the one that was asked for, is not the one the person is looking for.
 */
export function foldCopies(ranked: readonly Ranked[], terms: readonly RankedTerm[]): Ranked[] {
  const groups = new Map<number, Ranked[]>();
  for (const entry of ranked) {
    const group = groups.get(entry.session.conversationId);
    if (group === undefined) groups.set(entry.session.conversationId, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].map((group) => foldGroup(group, terms));
}

function foldGroup(group: readonly Ranked[], terms: readonly RankedTerm[]): Ranked {
  const [best] = group as [Ranked, ...Ranked[]];
  if (group.length === 1) return best;
  const holding = group.filter(({ session, lacking }) => {
    const held = new Set(session.messages.map(({ text }) => text));
    return (
      lacking.every((i) => best.lacking.includes(i) || terms[i]?.isCut) &&
      session.workCounts.every((count, i) => count >= (best.session.workCounts[i] ?? 0)) &&
      best.session.messages.every(({ text }) => held.has(text))
    );
  });
  const newest = holding.reduce((a, b) => (isPreferred(b.session, a.session) ? b : a));
  return { ...newest, score: best.score, parts: best.parts };
}

function isPreferred(a: RankedSession, b: RankedSession): boolean {
  const newer = compareText(a.modifiedAt, b.modifiedAt);
  return newer > 0 || (newer === 0 && b.isGone && !a.isGone);
}
