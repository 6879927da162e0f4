// A conversation for an agent, in few characters: each message with its reference, cut short if it is long, tool calls
// folded into a line, and a note of what was left out. It is gathered first, so that its length is known, then fitted.

import type { ConversationPage, Head, Part, ShownCall } from '../../api/answers.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import {
  formatCallName,
  formatErrorCount,
  groupByTexts,
  nameSubagent,
  summarizeCalls,
  trimCallTexts,
} from '../conversation/printer.ts';
import { formatIsoDay, formatNumbered } from '../quantities.ts';
import { formatReference, shortenId } from '../sessions.ts';
import {
  type BriefSession,
  formatBriefLine,
  formatBriefTitle,
  formatLastLines,
  keepTo,
  planLargerBudget,
  toBriefSession,
  type Voice,
} from './brief-sessions.ts';

/** The middle of a longer session is left out; no budget has room for that much. */
const maxItems = 1000;

export async function formatBriefConversation(
  head: Head,
  pages: AsyncIterable<ConversationPage>,
  voice: Voice,
  budget: number,
) {
  const { project } = head.session;
  const sessions = [head.session];
  const first: BriefItem[] = [];
  const last: BriefItem[] = [];
  let keptChars = 0;

  const add = (item: Partial<BriefItem>) => {
    const list = first.length < maxItems ? first : last;
    list.push({ ...noMessage, ...item });
    if (last.length <= maxItems) return;
    const [dropped, next] = last.splice(0, 2, noMessage);
    last[0] = { ...noMessage, count: (dropped?.count ?? 0) + (next?.count ?? 0) };
  };

  /** Keeps no more of a message than could be shown; of later messages of a long session, only the shortest form. */
  const keep = (text: string) => {
    const most = keptChars > 4 * budget ? minMessageChars : budget;
    const kept = toPrintable(text.slice(0, most + 1)).trim();
    keptChars += kept.length;
    return kept;
  };

  const addPart = (part: Part, session: SessionInfo) => {
    switch (part.type) {
      case 'message':
      case 'recap': {
        const { message, position } = part;
        const isSubagent = session.kind === 'subagent' && message.role === 'assistant';
        add({
          reference: formatReference(session, position),
          who: part.type === 'recap' ? 'recap' : isSubagent ? nameSubagent(session) : message.role,
          day: formatIsoDay(message.timestamp),
          text: keep(message.text),
          count: 1,
          isMatch: part.type === 'message' && part.isMatch,
        });
        break;
      }
      case 'calls':
        for (const { hasTexts, calls } of groupByTexts(part.calls)) {
          if (hasTexts) for (const call of calls) add({ tools: keep(formatFoundCall(call, project)) });
          else add({ tools: `${summarizeCalls(calls, project)} ${formatErrorCount(calls)}`.trim() });
        }
        break;
      case 'subagent': {
        const name = `subagent ${nameSubagent(part.subagent)}: ${formatBriefTitle(part.subagent) ?? ''}`;
        add({ tools: `${name}; ${voice.read(formatReference(part.subagent, 1))}` });
        break;
      }
      case 'gap':
      case 'inlined':
        add({ count: part.messageCount, isInlined: part.type === 'inlined' });
    }
  };

  for await (const { pieces } of pages)
    for (const piece of pieces) {
      if (piece.type === 'part') addPart(piece.part, sessions.at(-1) as SessionInfo);
      else if (piece.type === 'subagent-start') sessions.push(piece.listed.session);
      else sessions.pop();
    }
  return fitConversation(toBriefSession(head, { withResume: true }), [...first, ...last], voice, budget);
}

export interface BriefItem {
  /** Null if this is not a message but tools or a gap. */
  readonly reference: string | null;
  readonly who: string;
  readonly day: string;
  readonly text: string;
  readonly tools: string;
  /** The number of messages it represents; those of a gap are left out. */
  readonly count: number;
  readonly isMatch: boolean;
  readonly isInlined: boolean;
}

const noMessage: BriefItem = {
  reference: null,
  who: '',
  day: '',
  text: '',
  tools: '',
  count: 0,
  isMatch: false,
  isInlined: false,
};

function formatFoundCall(call: ShownCall, project: string | null): string {
  const { input, output } = trimCallTexts(call);
  const texts = [input, output].filter((text) => text !== '').map(toPrintableLine);
  return `${formatCallName(call, project)}${call.isError ? ' (error)' : ''}: ${texts.join(' ↳ ')}`;
}

interface BriefForm {
  readonly chars: number;
  readonly kept: ReadonlySet<BriefItem> | null;
  readonly hasTools: boolean;
}

const cuts = [200_000, 80_000, 30_000, 10_000, 4000, 2000, 1000, 600, 400];
/** Instead of being cut shorter than this, a message is left out. */
const minMessageChars = 240;

/** First messages are cut shorter, then some are left out, starting with those farthest from the matches. */
export function fitConversation(
  session: BriefSession,
  items: readonly BriefItem[],
  voice: Voice,
  budget: number,
) {
  const forms: BriefForm[] = cuts.map((chars) => ({ chars, kept: null, hasTools: true }));
  const byRelevance = orderByRelevance(items);
  // Fewer by a fifth each time: fine enough to come close to the budget, coarse enough to try them all.
  for (let count = byRelevance.length; count > 0; count = Math.floor(count * 0.8))
    forms.push({ chars: minMessageChars, kept: new Set(byRelevance.slice(0, count)), hasTools: count < 40 });
  forms.push({ chars: 80, kept: new Set(byRelevance.slice(0, 1)), hasTools: false });
  return keepTo(forms, budget, voice, (form) => {
    const left = items.filter((item) => !isShown(item, form));
    const messages = items
      .filter((item) => isShown(item, form))
      .map(({ reference, who, day, text }) => ({
        reference: reference ?? '',
        who,
        day,
        text: cutTo(text, form.chars),
        isCut: text.length > form.chars,
      }));
    const leftOut = {
      messages: left.reduce((sum, item) => sum + item.count, 0),
      cut: messages.filter((message) => message.isCut).length,
    };
    const next: string[] = [];
    const unread = left.find((item) => item.reference !== null)?.reference;
    if (unread) next.push(voice.read(unread));
    // What a subagent said inside the session is not shown by reading it in the same way again.
    else if (left.some(({ count, isInlined }) => count > 0 && !isInlined))
      next.push(voice.read(shortenId(session.id)));
    else if (leftOut.messages > 0) next.push(voice.read(shortenId(session.id), true));
    if (leftOut.cut > 0 || unread) next.push(...voice.more('budget', planLargerBudget(budget)));
    const data = { session, messages, leftOut, next };
    return { data, text: formatConversation(data, items, form) };
  });
}

function isShown(item: BriefItem, { kept }: BriefForm): boolean {
  return item.reference !== null && (kept === null || kept.has(item));
}

/** Matches and what is near them; without any matches, the start and the end before the middle. */
function orderByRelevance(items: readonly BriefItem[]): BriefItem[] {
  const messages = items.filter((item) => item.reference !== null);
  const matches = messages.flatMap((item, i) => (item.isMatch ? [i] : []));
  const wanted = matches.length === 0 ? [0, messages.length - 1] : matches;
  return messages
    .map((item, i) => ({ item, distance: Math.min(...wanted.map((place) => Math.abs(place - i))) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ item }) => item);
}

function cutTo(text: string, chars: number): string {
  const start = text.slice(0, chars - 1).toWellFormed();
  return text.length <= chars ? text : `${start.trimEnd()}…`;
}

interface ShownConversation {
  readonly session: BriefSession;
  readonly messages: readonly Pick<BriefItem, 'reference' | 'who' | 'day' | 'text'>[];
  readonly leftOut: { readonly messages: number; readonly cut: number };
  readonly next: readonly string[];
}

function formatConversation(data: ShownConversation, items: readonly BriefItem[], { hasTools }: BriefForm) {
  const shown = new Map(data.messages.map((message) => [message.reference, message]));
  const lines = [formatBriefLine(data.session)];
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
  return [...lines, ...formatLastLines(left.join(', '), data.next)].join('\n');
}
