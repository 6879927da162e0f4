// Why a session was found, where no passage says it: the file or command that a tool was pointed at, the project, the branch
// or the title that holds a word.

import type { CallRow, Matcher } from '../store/read/match.ts';
import type { MessageText } from '../store/read/read-matches.ts';
import type { SessionInfo } from '../store/read/read-sessions.ts';
import { findOccurrences, foldText } from '../text/occurrences.ts';
import type { FoundTerm } from './find-terms.ts';
import type { Ranked } from './rank.ts';

export interface Reason {
  readonly message: MessageText;
  readonly call: CallRow | null;
}

/** One for each word that occurs in no message and in no text of a tool, in the order of the query. */
export function findReasons(
  session: SessionInfo,
  { session: ranked }: Ranked,
  terms: readonly FoundTerm[],
  matcher: Matcher,
): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const [i, found] of terms.entries()) {
    const isInText = (ranked.messageCounts[i] ?? 0) + (ranked.workCounts[i] ?? 0) > 0;
    if (isInText || found.isCommon) continue;
    const reason =
      ((ranked.toolCounts[i] ?? 0) > 0 ? findCall(ranked.memberIds, found, matcher) : undefined) ??
      findName(session, found);
    if (reason !== undefined) reasons.set(`${reason.message.kind} ${reason.message.text}`, reason);
  }
  return [...reasons.values()];
}

function findCall(ids: readonly number[], { expression }: FoundTerm, matcher: Matcher): Reason | undefined {
  for (const id of ids) {
    const [call] = matcher.listCallsOf(id, expression, 1);
    if (call !== undefined)
      return { message: toMessage(call.sessionId, call.kind, call.target, call.messageId), call };
  }
  return undefined;
}

function findName(session: SessionInfo, { term }: FoundTerm): Reason | undefined {
  const names: readonly (readonly [kind: string, text: string | null])[] = [
    ['title', session.title],
    ['branch', session.branch],
    ['project', session.project],
    ['title', session.summary],
  ];
  const holds = (text: string | null) => findOccurrences(foldText(text ?? ''), term.forms).length > 0;
  const [kind, text] = names.find(([, name]) => holds(name)) ?? [];
  if (kind === undefined) return undefined;
  return { message: toMessage(session.id, kind, text ?? '', 0), call: null };
}

/** A session that is found by its filters alone, or by what cannot be shown, is shown by its name. */
export function toTitleReason(session: SessionInfo): Reason {
  const text = session.title ?? session.firstPrompt ?? '';
  const message = toMessage(session.id, 'title', text, 0);
  return { message: { ...message, timestamp: session.modifiedAt }, call: null };
}

/** As a message, so that it can be shown and referred to like one; id 0 is none of the session's messages. */
function toMessage(sessionId: number, kind: string, text: string, id: number): MessageText {
  const role = kind === 'file' || kind === 'command' ? 'assistant' : 'user';
  return { id, sessionId, uuid: null, role, kind, timestamp: null, text, isSidechain: 0 };
}
