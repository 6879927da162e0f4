// Settles the sessions that were touched: resolves what depends on more than one file. A session stays marked
// until this is done and committed, so an interrupted run is finished by the next one.

import type { SessionKind, TitleSource } from '../records.ts';
import { getSource } from '../sources/index.ts';
import { toTimestamp } from '../sources/json/json-value.ts';
import type { Store } from '../store/open/open-store.ts';
import {
  type Belonging,
  type ConversationMember,
  type SettledSession,
  Settlement,
  type StoredSidecar,
  saveTotals,
  type UnsettledSession,
} from '../store/write/settlement.ts';
import { toLabelText, WordFormWriter } from '../store/write/words.ts';
import { compareText } from '../text/compare.ts';
import { WordForms } from '../text/words.ts';
import { collectGarbage } from './read-all.ts';

const sessionsPerTransaction = 500;
const transactionsPerCollection = 10;

export function settleSessions(store: Store): void {
  const settlement = new Settlement(store.db);
  if (!settlement.hasUnsettled()) return;
  store.db.transaction(() => settlement.seekLeaves()).immediate();
  const conversations = new Map<number, Belonging>();
  const forms = new WordForms();
  const formWriter = new WordFormWriter(store.db);
  const settleSome = store.db.transaction(() => {
    const sessions = settlement.takeUnsettled(sessionsPerTransaction);
    for (const session of sessions) {
      const belonging = joinConversation(settlement, session.id, conversations);
      settlement.save(describe(settlement, session), belonging, forms);
    }
    formWriter.add(forms.take());
    if (sessions.length < sessionsPerTransaction) saveTotals(store.db);
    return sessions.length;
  });
  for (let n = 1; settleSome.immediate() === sessionsPerTransaction; n++)
    if (n % transactionsPerCollection === 0) collectGarbage();
}

/** Decided once for all sessions that share entries: walking from each of a thousand copies would take minutes. */
function joinConversation(settlement: Settlement, sessionId: number, conversations: Map<number, Belonging>) {
  const known = conversations.get(sessionId);
  if (known !== undefined) return known;
  const ids = settlement.findConversation(sessionId);
  const found = ids.length === 1 ? alone(sessionId) : divide(settlement, ids);
  for (const [id, belonging] of found) {
    conversations.set(id, belonging);
    if (id !== sessionId) settlement.saveConversation(id, belonging);
  }
  return conversations.get(sessionId) as Belonging;
}

function alone(id: number): Map<number, Belonging> {
  return new Map([[id, { conversationId: id, branchedFrom: null }]]);
}

/** What Claude Code calls a branch by itself. */
const automaticName = / \(Branch(?: \d+)?\)$/;

/**
 * Sessions with entries in common are one conversation, but for a branch that somebody named: that is a session of its own, and
 * its unnamed copies belong to it. Where no transcript says which is the branch, it is the one that goes on where another ends.
 */
function divide(settlement: Settlement, ids: readonly number[]): Map<number, Belonging> {
  const members = settlement.readMembers(ids).sort(byStart);
  const first = members[0] as ConversationMember;
  const all = new Set(members.map(({ nativeId }) => nativeId));
  const origins = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { nativeId, origin, name } of members) {
    if (origin !== null && origin !== nativeId && all.has(origin)) origins.set(nativeId, origin);
    if (name !== null && !automaticName.test(name) && !names.has(nativeId)) names.set(nativeId, name);
  }
  const copied = new Set(origins.values());
  const hasOwnName = (nativeId: string) => {
    const name = names.get(nativeId);
    return name !== undefined && [...names].every(([other, its]) => other === nativeId || its !== name);
  };
  const goesOn = ({ id, nativeId }: ConversationMember) => {
    const others = members.filter((other) => other.nativeId !== nativeId);
    return (
      !others.some((other) => settlement.holdsAll(other.id, id)) &&
      others.some((other) => settlement.holdsAll(id, other.id))
    );
  };
  const isBranch = (member: ConversationMember) =>
    hasOwnName(member.nativeId) &&
    (origins.has(member.nativeId) || (!copied.has(member.nativeId) && goesOn(member)));
  const branches = new Set(members.filter(isBranch).map(({ nativeId }) => nativeId));
  // Something has to be what they branch from.
  if (branches.size === all.size) branches.delete(first.nativeId);
  const trunk = members.find(({ nativeId }) => !branches.has(nativeId)) as ConversationMember;
  const findHead = (nativeId: string): string => {
    const seen = new Set<string>();
    for (let at: string | undefined = nativeId; at !== undefined && !seen.has(at); at = origins.get(at)) {
      if (branches.has(at)) return at;
      seen.add(at);
    }
    return trunk.nativeId;
  };
  const lowest = new Map<string, number>();
  for (const { id, nativeId } of members) {
    const head = findHead(nativeId);
    lowest.set(head, Math.min(id, lowest.get(head) ?? id));
  }
  return new Map(
    members.map(({ id, nativeId }) => {
      const conversationId = lowest.get(findHead(nativeId)) as number;
      const branchedFrom = branches.has(nativeId) ? (origins.get(nativeId) ?? trunk.nativeId) : null;
      return [id, { conversationId, branchedFrom }];
    }),
  );
}

function byStart(a: ConversationMember, b: ConversationMember): number {
  return compareText(a.startedAt ?? '', b.startedAt ?? '') || compareText(a.nativeId, b.nativeId);
}

function mergeSidecars(sidecars: readonly StoredSidecar[]): StoredSidecar {
  const first = <K extends keyof StoredSidecar>(key: K) =>
    sidecars.find((sidecar) => sidecar[key] !== null)?.[key] ?? null;
  return {
    custom_title: first('custom_title'),
    subagent_type: first('subagent_type'),
    subagent_description: first('subagent_description'),
    tool_use_id: first('tool_use_id'),
  };
}

/** The project is the directory that it was moved to, else the first one it ran in, else the hinted one, else the name of the transcript's folder. */
function describe(settlement: Settlement, session: UnsettledSession): SettledSession {
  const sidecar = mergeSidecars(settlement.findSidecars(session));
  const hint = settlement.findHint(session);
  const summary = settlement.findSummary(session.id);
  // Only a recovered session takes its first prompt from the hint: a transcript's own may still come.
  const firstPrompt =
    session.first_prompt ?? (session.kind === 'history' ? (hint?.first_prompt ?? null) : null);
  const agent = getSource(session.agent);
  const isPoor = firstPrompt !== null && session.kind !== 'subagent' && !isOfSubstance(firstPrompt);
  const labels = settlement.readLabels(session);
  const own = resolveTitle({
    kind: session.kind,
    sidecarTitle: sidecar.custom_title,
    customTitle: session.custom_title,
    agentName: session.named_title,
    aiTitle: session.ai_title,
    hintCustomTitle: hint?.custom_title ?? null,
    hintSummary: hint?.summary ?? null,
    summary,
    subagentDescription: sidecar.subagent_description,
    firstPrompt: (isPoor ? settlement.findPrompt(session.id, isOfSubstance) : undefined) ?? firstPrompt,
  });
  const name = labels.find(({ field }) => field === 'name')?.value;
  const { title, source } = name === undefined ? own : { title: name, source: 'yours' as const };
  const modifiedOnDisk = toTimestamp(session.mtime_ms);
  return {
    id: session.id,
    title,
    titleSource: source,
    summary: hint?.summary ?? summary,
    firstPrompt,
    branch: session.branch ?? hint?.branch ?? null,
    tag: session.tag,
    labelText: toLabelText(labels),
    otherTitle: name === undefined ? null : (session.custom_title ?? session.named_title ?? session.ai_title),
    subagentType: sidecar.subagent_type,
    subagentDescription: sidecar.subagent_description,
    subagentToolUseId: sidecar.tool_use_id,
    prNumber: session.pr_number ?? hint?.pr_number ?? null,
    prUrl: session.pr_url ?? hint?.pr_url ?? null,
    prRepository: session.pr_repository ?? hint?.pr_repository ?? null,
    projectPath: session.relocated_cwd ?? session.first_cwd ?? hint?.project_path ?? session.slug,
    createdAt: session.first_timestamp ?? session.first_message_at ?? hint?.created_at ?? modifiedOnDisk,
    modifiedAt: session.last_timestamp ?? session.last_message_at ?? hint?.modified_at ?? modifiedOnDisk,
    isWarmup: agent.isWarmup(session.kind, session.first_prompt),
  };
}

export interface TitleSources {
  readonly kind: SessionKind;
  readonly sidecarTitle: string | null;
  readonly customTitle: string | null;
  readonly agentName: string | null;
  readonly aiTitle: string | null;
  readonly hintCustomTitle: string | null;
  readonly hintSummary: string | null;
  readonly summary: string | null;
  readonly subagentDescription: string | null;
  readonly firstPrompt: string | null;
}

interface Title {
  readonly title: string | null;
  readonly source: TitleSource;
}

const maxTitleChars = 200;

/** In the order people trust it: typed by them, shown by the agent, once summarised, the first prompt that says something. */
export function resolveTitle(sources: TitleSources): Title {
  const candidates: readonly (readonly [TitleSource, string | null])[] =
    sources.kind === 'subagent'
      ? [
          ['description', sources.subagentDescription],
          ['first-prompt', sources.firstPrompt],
          ['agent-name', sources.agentName],
        ]
      : [
          ['sidecar', sources.sidecarTitle],
          ['custom-title', sources.customTitle],
          ['agent-name', sources.agentName],
          ['ai-title', sources.aiTitle],
          ['index-custom-title', sources.hintCustomTitle],
          ['index-summary', withoutErrors(sources.hintSummary)],
          ['summary', withoutErrors(sources.summary)],
          ['first-prompt', sources.firstPrompt],
        ];
  for (const [source, text] of candidates) {
    const title = toTitleLine(text);
    if (title !== null) return { title, source };
  }
  return { title: null, source: 'none' };
}

/** Claude Code summarised an error that the program itself had printed in the place of an answer. */
const errorSummary =
  /^(?:invalid api key|api error|request (?:timed out|was aborted)|credit balance|claude (?:ai )?usage limit|prompt is too long|oauth|please run \/login|no response requested)/i;

function withoutErrors(summary: string | null): string | null {
  return summary !== null && errorSummary.test(summary.trim()) ? null : summary;
}

/** One line: a title is shown in lists, a prompt may be pages long. */
function toTitleLine(text: string | null): string | null {
  const line = text?.replace(/\s+/g, ' ').trim() ?? '';
  if (line === '') return null;
  // A character may take two code units, so twice the limit holds at least as many as are kept, and one more.
  const characters = [...line.slice(0, maxTitleChars * 2 + 2)];
  if (characters.length <= maxTitleChars) return line;
  const start = characters.slice(0, maxTitleChars - 1).join('');
  return `${start.trimEnd()}…`;
}

/** Also in pairs: "hey there", "ok thanks". */
const smallTalkWords = `hi hello hey hiya howdy yo sup there claude again good morning afternoon evening thanks thank you please
  ok okay yes yep no nope sure cool nice great go on continue proceed resume retry test testing ping are still help me so
  well bye`;
const smallTalk = new Set(smallTalkWords.split(/\s+/));

/** A single word with fewer letters than this is a command such as `ls`, or a slip of the hand. */
const minLetters = 6;

/** Whether a prompt says what a session is about. A greeting or a single short word does not, and makes a poor title. */
export function isOfSubstance(text: string): boolean {
  const trimmed = text.trim();
  if (/^\/[\w:-]+$/.test(trimmed)) return false;
  const words = trimmed.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (words.every((word) => smallTalk.has(word))) return false;
  if (words.length > 1) return true;
  // A Chinese, Japanese or Korean character says about as much as two letters.
  const cjk =
    trimmed.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0;
  return (words[0]?.length ?? 0) + cjk >= minLetters;
}
