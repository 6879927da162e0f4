// Search results as JSON, as described in docs/json.md: names and meanings are a contract with scripts.

import type { ListedSession } from '../../api/list.ts';
import type { Fresh } from '../../api/recall.ts';
import type { FoundMatch, SearchAnswer } from '../../api/search.ts';
import type { Freshness } from '../../api/upkeep/refresh.ts';
import { toSnippet } from '../../text/snippet.ts';

const snippetChars = 240;

export function toSearchJson(result: Fresh<SearchAnswer>, explain: boolean) {
  return {
    schemaVersion: 2,
    query: result.query,
    tier: result.tier,
    tookMs: Math.round(result.tookMs * 10) / 10,
    total: result.total,
    totalIsExact: result.isTotalExact,
    freshness: toFreshnessJson(result.freshness),
    ...(result.corrections.length === 0 ? {} : { didYouMean: Object.fromEntries(result.corrections) }),
    ...(result.shortened.length === 0 ? {} : { searchedFor: Object.fromEntries(result.shortened) }),
    ...(result.missing.length === 0 ? {} : { notFound: result.missing }),
    hits: result.hits.map((hit, i) => ({
      rank: i + 1,
      ...toSessionJson(hit),
      score: Math.round(hit.score * 10_000) / 10_000,
      ...(explain && hit.parts !== null ? { parts: hit.parts } : {}),
      matchCount: hit.matchCount,
      matches: hit.matches.map((match) => toMatchJson(match, result)),
    })),
  };
}

function toMatchJson({ message, subagent, toolText, call }: FoundMatch, result: SearchAnswer) {
  const done = toolText ?? call;
  const pieces = toSnippet(message.text || (done?.target ?? ''), result.terms, snippetChars);
  const subagentId = subagent?.kind === 'subagent' ? subagent.nativeId : null;
  return {
    messageId: message.id === 0 ? null : message.id,
    uuid: message.uuid,
    role: message.role,
    kind: message.kind,
    subagentId,
    /** The old name of the same field. */
    agentId: subagentId,
    timestamp: message.timestamp,
    ...(done === null
      ? {}
      : { tool: done.tool, target: done.target, isError: done.kind !== 'tool-input' && done.isError }),
    snippet: pieces.map(({ text, isMatch }) => (isMatch ? `«${text}»` : text)).join(''),
  };
}

/** The fields of every listed session. `resume` is set even without a transcript, so that a script can say so. */
export function toSessionJson({ session, copies, resumption }: ListedSession) {
  return {
    id: session.nativeId,
    agent: session.agent,
    kind: session.kind,
    parentId: session.kind === 'main' ? null : session.parentNativeId,
    title: session.title,
    titleSource: session.titleSource,
    summary: session.summary,
    firstPrompt: session.firstPrompt,
    project: session.project,
    branch: session.branch,
    createdAt: session.createdAt,
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    resumable: resumption.isResumable,
    restorable: resumption.restorable,
    resume: resumption.resume,
    running: resumption.live !== null,
    copies,
  };
}

export function toFreshnessJson({ refreshed, pendingFiles }: Freshness) {
  return { refreshed, pendingFiles };
}
