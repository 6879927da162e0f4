// A conversation for an agent, in few characters: each message with its reference, cut short if it is long, tool calls
// folded into a line, and a note of what was left out. It is assembled at the end, when the full length is known.

import type { ShownCall } from '../../api/conversation/call-texts.ts';
import type { ConversationPage, Head, Part } from '../../api/conversation/read-conversation.ts';
import type { SessionInfo } from '../../api/sessions.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { toSubagentName } from '../conversation/speaker-names.ts';
import { toCallName, toCallsSummary, toCallTexts, toErrorCount, toRuns } from '../conversation/tool-calls.ts';
import { toReference } from '../sessions/reference.ts';
import { formatIsoDay } from '../times.ts';
import { toBriefSession, toBriefTitle } from './brief-sessions.ts';
import {
  type BriefConversation,
  type BriefItem,
  fitConversation,
  minMessageChars,
} from './fit-conversation.ts';
import type { Fitted } from './keep-to.ts';
import type { Voice } from './voice.ts';

/** The middle of a longer session is left out; no budget has room for that much. */
const maxItems = 1000;

export async function toBriefConversation(
  head: Head,
  pages: AsyncIterable<ConversationPage>,
  voice: Voice,
  budget: number,
): Promise<Fitted<BriefConversation>> {
  const gatherer = new Gatherer(head.session, voice, budget);
  for await (const { pieces } of pages)
    for (const piece of pieces) {
      if (piece.type === 'part') gatherer.add(piece.part);
      else if (piece.type === 'subagent-start') gatherer.openSubagent(piece.listed.session);
      else gatherer.closeSubagent();
    }
  return fitConversation(toBriefSession(head, { withResume: true }), gatherer.items, voice, budget);
}

class Gatherer {
  private readonly voice: Voice;
  private readonly budget: number;
  private readonly sessions: SessionInfo[];
  private readonly first: BriefItem[] = [];
  private readonly last: BriefItem[] = [];
  private keptChars = 0;

  constructor(session: SessionInfo, voice: Voice, budget: number) {
    this.sessions = [session];
    this.voice = voice;
    this.budget = budget;
  }

  get items(): readonly BriefItem[] {
    return [...this.first, ...this.last];
  }

  add(part: Part): void {
    const session = this.sessions.at(-1) as SessionInfo;
    switch (part.type) {
      case 'message':
      case 'recap': {
        const { message, position } = part;
        const isSubagent = session.kind === 'subagent' && message.role === 'assistant';
        this.addItem({
          reference: toReference(session, position),
          who: part.type === 'recap' ? 'recap' : isSubagent ? toSubagentName(session) : message.role,
          day: formatIsoDay(message.timestamp),
          text: this.keep(message.text),
          tools: '',
          count: 1,
          isMatch: part.type === 'message' && part.isMatch,
          isInlined: false,
        });
        break;
      }
      case 'calls': {
        for (const { hasTexts, calls } of toRuns(part.calls)) {
          if (hasTexts) for (const call of calls) this.addItem({ ...noMessage, tools: this.toFound(call) });
          else {
            const tools = toCallsSummary(calls, this.sessions[0]?.project ?? null);
            this.addItem({ ...noMessage, tools: `${tools} ${toErrorCount(calls)}`.trim() });
          }
        }
        break;
      }
      case 'subagent': {
        const name = `subagent ${toSubagentName(part.subagent)}: ${toBriefTitle(part.subagent) ?? ''}`;
        this.addItem({ ...noMessage, tools: `${name}; ${this.voice.read(toReference(part.subagent, 1))}` });
        break;
      }
      case 'gap':
      case 'inlined':
        this.addItem({ ...noMessage, count: part.messageCount, isInlined: part.type === 'inlined' });
        break;
      case 'turn':
        break;
    }
  }

  /** A call that was looked for, with the lines that match. */
  private toFound(call: ShownCall): string {
    const { input, output } = toCallTexts(call);
    const name = toCallName(call, this.sessions[0]?.project ?? null);
    const texts = [input, output].filter((text) => text !== '').map(toPrintableLine);
    return this.keep(`${name}${call.isError === 1 ? ' (error)' : ''}: ${texts.join(' ↳ ')}`);
  }

  openSubagent(subagent: SessionInfo): void {
    this.sessions.push(subagent);
  }

  closeSubagent(): void {
    this.sessions.pop();
  }

  /** Keeps no more of a message than could be shown; of later messages of a long session, only the shortest form. */
  private keep(text: string): string {
    const most = this.keptChars > 4 * this.budget ? minMessageChars : this.budget;
    const kept = toPrintable(text.slice(0, most + 1)).trim();
    this.keptChars += kept.length;
    return kept;
  }

  private addItem(item: BriefItem): void {
    if (this.first.length < maxItems) this.first.push(item);
    else this.last.push(item);
    if (this.last.length <= maxItems) return;
    const [dropped, next] = this.last.splice(0, 2, { ...noMessage, count: 0 });
    this.last[0] = { ...noMessage, count: (dropped?.count ?? 0) + (next?.count ?? 0) };
  }
}

/** A place where something is left out, or where tools were called. */
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
