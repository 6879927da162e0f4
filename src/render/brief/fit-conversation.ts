// Fits a conversation to a budget: first messages are cut shorter, then some are left out, starting with those farthest
// from the matches. Pure.

import { formatNumbered } from '../quantities.ts';
import { toShortId } from '../sessions/reference.ts';
import { type BriefSession, toBriefLine } from './brief-sessions.ts';
import { type Fitted, keepTo, toLargerBudget } from './keep-to.ts';
import type { Voice } from './voice.ts';

export interface BriefItem {
  /** Null if this is not a message but tools or a gap. */
  readonly reference: string | null;
  readonly who: string;
  readonly day: string;
  readonly text: string;
  /** The tools called here. */
  readonly tools: string;
  /** The number of messages it represents; those of a gap are left out. */
  readonly count: number;
  readonly isMatch: boolean;
  /** Stands for what subagents said inside the session. */
  readonly isInlined: boolean;
}

export interface BriefConversation {
  readonly session: BriefSession;
  readonly messages: readonly {
    readonly reference: string;
    readonly who: string;
    readonly day: string;
    readonly text: string;
    readonly isCut: boolean;
  }[];
  readonly leftOut: { readonly messages: number; readonly cut: number };
  readonly next: readonly string[];
}

interface Form {
  /** The most characters of each message. */
  readonly chars: number;
  /** The messages to show; null for all. */
  readonly kept: ReadonlySet<BriefItem> | null;
  readonly hasTools: boolean;
}

const cuts = [200_000, 80_000, 30_000, 10_000, 4000, 2000, 1000, 600, 400];
/** Instead of being cut shorter than this, a message is left out. */
export const minMessageChars = 240;

export function fitConversation(
  session: BriefSession,
  items: readonly BriefItem[],
  voice: Voice,
  budget: number,
): Fitted<BriefConversation> {
  const forms: Form[] = cuts.map((chars) => ({ chars, kept: null, hasTools: true }));
  const byRelevance = orderByRelevance(items);
  // Fewer by a fifth each time: fine enough to come close to the budget, coarse enough to try them all.
  for (let count = byRelevance.length; count > 0; count = Math.floor(count * 0.8))
    forms.push({ chars: minMessageChars, kept: new Set(byRelevance.slice(0, count)), hasTools: count < 40 });
  forms.push({ chars: 80, kept: new Set(byRelevance.slice(0, 1)), hasTools: false });
  return keepTo(forms, budget, voice, (form) => {
    const data = toData(session, items, voice, budget, form);
    return { data, text: toText(data, items, form) };
  });
}

/** Matches and what is near them; without any matches, the start and the end before the middle. */
function orderByRelevance(items: readonly BriefItem[]): BriefItem[] {
  const messages = items.filter((item) => item.reference !== null);
  const matches = messages.flatMap((item, i) => (item.isMatch ? [i] : []));
  const distance = (i: number) =>
    matches.length === 0
      ? Math.min(i, messages.length - 1 - i)
      : Math.min(...matches.map((match) => Math.abs(match - i)));
  const distances = new Map(messages.map((item, i) => [item, distance(i)]));
  return [...messages].sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

function toData(
  session: BriefSession,
  items: readonly BriefItem[],
  voice: Voice,
  budget: number,
  { chars, kept }: Form,
): BriefConversation {
  const isShown = (item: BriefItem) => item.reference !== null && (kept === null || kept.has(item));
  const messages = items.filter(isShown).map(({ reference, who, day, text }) => ({
    reference: reference ?? '',
    who,
    day,
    text: cutTo(text, chars),
    isCut: text.length > chars,
  }));
  const left = items.filter((item) => !isShown(item));
  const leftOut = {
    messages: left.reduce((sum, item) => sum + item.count, 0),
    cut: messages.filter((message) => message.isCut).length,
  };
  const next: string[] = [];
  const unread = left.find((item) => item.reference !== null)?.reference;
  if (unread) next.push(voice.read(unread));
  // What a subagent said inside the session is not shown by reading it in the same way again.
  else if (left.some(({ count, isInlined }) => count > 0 && !isInlined))
    next.push(voice.read(toShortId(session.id)));
  else if (leftOut.messages > 0) next.push(voice.read(toShortId(session.id), true));
  if (leftOut.cut > 0 || unread) next.push(...voice.more('budget', toLargerBudget(budget)));
  return { session, messages, leftOut, next };
}

function cutTo(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : `${text
        .slice(0, chars - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

function toText(data: BriefConversation, items: readonly BriefItem[], { hasTools }: Form): string {
  const shown = new Map(data.messages.map((message) => [message.reference, message]));
  const lines = [toBriefLine(data.session)];
  let gap = 0;
  let day = '';
  const endGap = () => {
    if (gap > 0) lines.push(`(${formatNumbered(gap, 'message')} left out)`);
    gap = 0;
  };
  for (const item of items) {
    const message = item.reference === null ? undefined : shown.get(item.reference);
    if (message === undefined) {
      gap += item.count;
      if (item.tools !== '' && hasTools && gap === 0) lines.push(`   (${item.tools})`);
      continue;
    }
    endGap();
    const when = message.day === day || message.day === '' ? '' : ` ${message.day}`;
    day = message.day;
    // Further lines are indented, so that none of them can pass for a message.
    lines.push(`${message.reference} ${message.who}${when}: ${message.text.replaceAll('\n', '\n   ')}`);
  }
  endGap();
  const { messages, cut } = data.leftOut;
  const left = [
    messages > 0 ? formatNumbered(messages, 'message') : '',
    cut > 0 ? `the end of ${formatNumbered(cut, 'message')}` : '',
  ].filter(Boolean);
  if (left.length > 0) lines.push(`left out: ${left.join(', ')}`);
  if (data.next.length > 0) lines.push(`next: ${data.next.join('   or: ')}`);
  return lines.join('\n');
}
