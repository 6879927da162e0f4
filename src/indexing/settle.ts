// Settles the sessions that were touched: resolves what depends on more than one file. A session stays marked
// until this is done and committed, so an interrupted run is finished by the next one.

import { getSource } from '../sources/index.ts';
import { toTimestamp } from '../sources/json/json-value.ts';
import type { Store } from '../store/open/open-store.ts';
import {
  type SettledSession,
  Settlement,
  type StoredSidecar,
  saveTotals,
  type UnsettledSession,
} from '../store/write/settlement.ts';
import { WordFormWriter } from '../store/write/words.ts';
import { isOfSubstance } from '../text/substance.ts';
import { WordForms } from '../text/words.ts';
import { collectGarbage } from './read-all.ts';

const sessionsPerTransaction = 500;
const transactionsPerCollection = 10;

export function settleSessions(store: Store): void {
  const settlement = new Settlement(store.db);
  if (!settlement.hasUnsettled()) return;
  store.db.transaction(() => settlement.seekLeaves()).immediate();
  const conversations = new Map<number, number>();
  const forms = new WordForms();
  const formWriter = new WordFormWriter(store.db);
  const settleSome = store.db.transaction(() => {
    const sessions = settlement.takeUnsettled(sessionsPerTransaction);
    for (const session of sessions) {
      const conversationId = joinConversation(settlement, session.id, conversations);
      settlement.save(describe(settlement, session), conversationId, forms);
    }
    formWriter.add(forms.take());
    if (sessions.length < sessionsPerTransaction) saveTotals(store.db);
    return sessions.length;
  });
  for (let n = 1; settleSome.immediate() === sessionsPerTransaction; n++)
    if (n % transactionsPerCollection === 0) collectGarbage();
}

/** Decided once for all sessions that share entries: walking from each of a thousand copies would take minutes. */
function joinConversation(settlement: Settlement, sessionId: number, conversations: Map<number, number>) {
  const known = conversations.get(sessionId);
  if (known !== undefined) return known;
  const members = settlement.findConversation(sessionId);
  const conversationId = members.reduce((least, id) => Math.min(least, id));
  for (const id of members) {
    conversations.set(id, conversationId);
    if (id !== sessionId) settlement.saveConversation(conversationId, id);
  }
  return conversationId;
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

/** The project is the first directory it ran in, else the hinted one, else the name of the transcript's folder. */
function describe(settlement: Settlement, session: UnsettledSession): SettledSession {
  const sidecar = mergeSidecars(settlement.findSidecars(session));
  const hint = settlement.findHint(session);
  const summary = settlement.findSummary(session.id);
  // Only a recovered session takes its first prompt from the hint: a transcript's own may still come.
  const firstPrompt =
    session.first_prompt ?? (session.kind === 'history' ? (hint?.first_prompt ?? null) : null);
  const agent = getSource(session.agent);
  const isPoor = firstPrompt !== null && session.kind !== 'subagent' && !isOfSubstance(firstPrompt);
  const { title, source } = agent.resolveTitle({
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
  const modifiedOnDisk = toTimestamp(session.mtime_ms);
  return {
    id: session.id,
    title,
    titleSource: source,
    summary: hint?.summary ?? summary,
    firstPrompt,
    branch: session.branch ?? hint?.branch ?? null,
    subagentType: sidecar.subagent_type,
    subagentDescription: sidecar.subagent_description,
    subagentToolUseId: sidecar.tool_use_id,
    prNumber: session.pr_number ?? hint?.pr_number ?? null,
    prUrl: session.pr_url ?? hint?.pr_url ?? null,
    prRepository: session.pr_repository ?? hint?.pr_repository ?? null,
    projectPath: session.first_cwd ?? hint?.project_path ?? session.slug,
    createdAt: session.first_timestamp ?? session.first_message_at ?? hint?.created_at ?? modifiedOnDisk,
    modifiedAt: session.last_timestamp ?? session.last_message_at ?? hint?.modified_at ?? modifiedOnDisk,
    isWarmup: agent.isWarmup(session.kind, session.first_prompt),
  };
}
