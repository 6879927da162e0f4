// What the ranking is given of a session: its messages and tool texts with how often each term occurs in them and how close
// together the terms are, and where else the terms occur.

import { commandNames, resultsFooters } from '../hints.ts';
import type { MessageText, Place, SessionInfo, ToolText } from '../store/word-index.ts';
import { findOccurrences, foldText, type Occurrence } from '../text/occurrences.ts';
import type { WeighedTerm } from './candidates.ts';
import { toForms } from './query/forms.ts';
import type { RankedMessage, RankedSession, RankedToolText, TextFeatures } from './rank.ts';

interface SessionContext {
  readonly terms: readonly WeighedTerm[];
  readonly infos: ReadonlyMap<number, SessionInfo>;
  /** The messages of each session that hold some of the words, and those of them that were read. */
  readonly matched: ReadonlyMap<number, readonly Place[]>;
  readonly messages: ReadonlyMap<number, readonly MessageText[]>;
  readonly toolTexts: ReadonlyMap<number, readonly ToolText[]>;
  readonly now: Date;
}

/** `members` are the session itself, if it matched, and what is folded into it. */
export function describeSession(
  ownerId: number,
  members: readonly number[],
  context: SessionContext,
): RankedSession {
  const { terms, matched, infos, now } = context;
  const owner = infos.get(ownerId) as SessionInfo;
  const messages = members.flatMap((id) =>
    (context.messages.get(id) ?? []).map((message) => describeMessage(message, context)),
  );
  const toolTexts = members.flatMap((id) =>
    (context.toolTexts.get(id) ?? []).map((text) => describeToolText(text, context)),
  );
  const counts = terms.map((term, i) => countPlaces(term, i, { memberIds: members, messages, toolTexts }));
  const isNamed = terms.map(
    ({ sessions, isNamedCut }) => isNamedCut || [ownerId, ...members].some((id) => sessions.get(id)?.isNamed),
  );
  const modifiedAt = owner.modifiedAt ?? '';
  return {
    id: ownerId,
    conversationId: owner.conversationId,
    modifiedAt,
    ageDays:
      modifiedAt === '' ? Number.POSITIVE_INFINITY : (now.getTime() - Date.parse(modifiedAt)) / 86_400_000,
    messageCount: Math.max(1, owner.messageCount),
    chars: owner.textChars,
    isSubagent: owner.kind === 'subagent',
    isDeleted: owner.isDeleted,
    memberIds: members,
    messages,
    ownMatches: matched.get(ownerId)?.length ?? 0,
    toolTexts,
    toolCallCount: owner.toolCallCount,
    toolTextCounts: counts.map(({ done }) => done),
    messageCounts: counts.map(({ said }) => said),
    occurrences: counts.map(({ occurrences }) => occurrences),
    callCounts: counts.map(({ calls }) => calls),
    ...findInNames(owner, members, isNamed, context),
  };
}

/** In how many messages, tool texts and tool calls of a session a term is, and how often it is said. */
function countPlaces(
  { sessions }: WeighedTerm,
  i: number,
  { memberIds, messages, toolTexts }: Pick<RankedSession, 'memberIds' | 'messages' | 'toolTexts'>,
) {
  let [listed, done, calls, read, occurrences] = [0, 0, 0, 0, 0];
  for (const id of memberIds) {
    const held = sessions.get(id);
    listed += held?.said ?? 0;
    done += held?.done ?? 0;
    calls += held?.calls ?? 0;
  }
  for (const { counts } of messages) {
    const count = counts[i] ?? 0;
    if (count > 0) read++;
    occurrences += count;
  }
  // Of a common word not all places are known, but those in the texts at hand are. In messages that were not read it
  // is counted once each.
  const said = Math.max(listed, read);
  done = Math.max(done, toolTexts.filter(({ counts }) => (counts[i] ?? 0) > 0).length);
  return { said, done, calls, occurrences: occurrences + said - read };
}

function findInNames(
  owner: SessionInfo,
  members: readonly number[],
  isNamed: readonly boolean[],
  { terms, infos }: SessionContext,
) {
  if (!isNamed.includes(true)) return { inTitle: none, inFirstPrompt: none, inContext: none };
  const inText = (text: string | null) => {
    if (text === null) return none;
    const folded = foldText(text);
    return terms.map(({ term }, i) => isNamed[i] === true && findOccurrences(folded, term.forms).length > 0);
  };
  const isListed = terms.map(({ sessions }) =>
    [owner.id, ...members].some((id) => sessions.get(id)?.isNamed),
  );
  const isTitleOwn = owner.titleSource !== 'first-prompt';
  const subagents = members.flatMap((id) => infos.get(id) ?? []);
  const surroundings = [
    owner.prRepository,
    owner.prNumber === null ? null : `#${owner.prNumber}`,
    // A subagent may work in a tree, and on a branch, of its own.
    ...[owner, ...subagents].flatMap(({ project, branch, subagentType, subagentDescription }) => [
      project,
      branch,
      subagentType,
      subagentDescription,
    ]),
  ].join('\n');
  const inTitle = inText(isTitleOwn ? `${owner.title ?? ''}\n${owner.summary ?? ''}` : null);
  const { tags, notes } = owner.labels;
  const inFirstPrompt = inText(
    [owner.firstPrompt ?? '', ...tags, ...notes.map(({ text }) => text)].join('\n'),
  );
  const isName = findNames(owner, terms);
  return {
    inTitle: terms.map((_, i) => inTitle[i] === true || isName[i] === true),
    inFirstPrompt,
    // A name that is neither title nor first prompt is that of a subagent or a saved history.
    inContext: inText(surroundings).map(
      (isIn, i) => isIn || (isListed[i] === true && !inTitle[i] && !inFirstPrompt[i]),
    ),
  };
}

const none: readonly boolean[] = [];

/** Nearly every session is on one of these, so they say nothing about any of them. */
const usualBranches = ['main', 'master'];

/** Which terms are the exact name of its project or branch: one of them, with its parts, or all of them together. */
function findNames({ project, branch }: SessionInfo, terms: readonly WeighedTerm[]): readonly boolean[] {
  const folder = project?.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const isUsual = branch === null || usualBranches.includes(branch);
  const names = new Set([folder, isUsual ? '' : branch].map(toName));
  names.delete('');
  if (names.size === 0) return none;
  const typed = terms.filter(({ term }) => !term.isPart).map(({ term }) => term.text);
  if (names.has(toName(typed.join(' ')))) return terms.map(() => true);
  let isOfName = false;
  return terms.map(({ term }) => {
    if (!term.isPart) isOfName = names.has(toName(term.text));
    return isOfName;
  });
}

/** shop_docker is also written shop-docker. */
function toName(text: string): string {
  return toForms(text, 'exact')[0]?.tokens.join(' ') ?? '';
}

function describeMessage(message: MessageText, { terms, infos }: SessionContext): RankedMessage {
  const { id, text, kind, role } = message;
  const isSubagents = message.isSidechain || infos.get(message.sessionId)?.kind === 'subagent';
  const person = role === 'user' ? 'person' : 'assistant';
  return {
    id,
    text,
    speaker: kind === 'recap' ? 'recap' : isSubagents ? 'subagent' : person,
    chars: text.length,
    ...measureText(text, terms),
    isEcho: isEcho(kind, text),
  };
}

/** Of a text that is not stored only the words are known: each term that it holds counts once. */
function describeToolText({ id, text }: ToolText, { terms }: SessionContext): RankedToolText {
  if (text !== null) return { id, chars: text.length, ...measureText(text, terms) };
  const counts = terms.map(({ toolTexts }) => (toolTexts.some((text) => text.id === id) ? 1 : 0));
  return { id, chars: 0, counts, exactCounts: counts, closeness: 0 };
}

/** Query words that are further apart than this are unrelated. */
const nearChars = 8 * 6;
const charsPerWord = 6;

type MeasuredTerm = Pick<WeighedTerm, 'term' | 'weight'>;

export function measureText(text: string, terms: readonly MeasuredTerm[]): TextFeatures {
  const folded = foldText(text);
  const occurrences = terms.map(({ term }) => findOccurrences(folded, term.forms));
  return {
    counts: occurrences.map((found) => found.length),
    exactCounts: occurrences.map(countExact),
    closeness: measureCloseness(terms, occurrences),
  };
}

function countExact(occurrences: readonly Occurrence[]): number {
  let count = 0;
  for (let i = 0; i < occurrences.length; i++) if (occurrences[i]?.isExact) count++;
  return count;
}

/** Only neighbours in the query count, and of each pair only the closest: `counts` covers repetition. */
function measureCloseness(terms: readonly MeasuredTerm[], occurrences: readonly Occurrence[][]): number {
  // A compound is always next to its own words, so it is left out.
  const strong = terms.flatMap(({ term }, i) =>
    term.strength === 'weak' || (!term.isPart && terms[i + 1]?.term.isPart) ? [] : [i],
  );
  let closeness = 0;
  for (let n = 1; n < strong.length; n++) {
    const [a = 0, b = 0] = [strong[n - 1], strong[n]];
    const distance = closestDistance(occurrences[a] ?? [], occurrences[b] ?? []);
    if (distance > nearChars) continue;
    const weight = Math.min(terms[a]?.weight ?? 0, terms[b]?.weight ?? 0);
    closeness += weight / Math.sqrt(Math.max(1, distance / charsPerWord));
  }
  return closeness;
}

function closestDistance(first: readonly Occurrence[], second: readonly Occurrence[]): number {
  let closest = Number.POSITIVE_INFINITY;
  let j = 0;
  for (const a of first) {
    while (j > 0 && (second[j]?.start ?? 0) > a.start) j--;
    for (; j < second.length; j++) {
      const b = second[j];
      if (b === undefined) break;
      closest = Math.min(closest, Math.abs(b.start - a.start));
      if (b.start > a.start) break;
    }
    if (j >= second.length) j = Math.max(0, second.length - 1);
  }
  return closest;
}

// recall's own output in a transcript, a search that was run inside a session or results that were pasted back, repeats every
// word of the query and is never what the person is looking for.
const ownCommand = new RegExp(`^\\s*(?:npx )?recall (?:${commandNames.join('|')})\\b`);
/** Part of the line printed under a list: the current one, and the one from before it mentioned `show`. */
const printed = ['recall open <number>', resultsFooters[1]];

export function isEcho(kind: string, text: string): boolean {
  if (kind === 'shell' && ownCommand.test(text)) return true;
  return printed.some((footer) => text.includes(footer));
}
