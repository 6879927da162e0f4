// Search results and listed sessions as JSON, as described in docs/json.md: names and meanings are a contract with scripts.

import type { FoundMatch, Fresh, Freshness, ListedSession, SearchAnswer } from '../api/answers.ts';
import type { Labels } from '../records.ts';
import { toSnippet } from '../text/snippet.ts';

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
    snippet: formatQuotedSnippet(message.text || (done?.target ?? ''), result, snippetChars),
  };
}

/** With «marks» around what matched, for those who read text without colours. */
export function formatQuotedSnippet(text: string, { terms }: SearchAnswer, maxChars: number): string {
  return toSnippet(text, terms, maxChars)
    .map((piece) => (piece.isMatch ? `«${piece.text}»` : piece.text))
    .join('');
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
    labels: toLabelsJson(session.labels),
    summary: session.summary,
    firstPrompt: session.firstPrompt,
    project: session.project,
    branch: session.branch,
    ...(session.branchedFrom === null ? {} : { branchedFrom: session.branchedFrom }),
    createdAt: session.createdAt,
    modifiedAt: session.modifiedAt,
    messageCount: session.messageCount,
    machine: session.machine,
    owner: session.owner,
    ...(session.importedOn === null ? {} : { imported: { by: session.owner, on: session.importedOn } }),
    resumable: resumption.isResumable,
    restorable: resumption.restorable,
    resume: resumption.resume,
    running: resumption.live !== null,
    copies,
  };
}

export function toLabelsJson({ name, isStarred, tags, notes }: Labels) {
  return {
    name,
    starred: isStarred,
    tags,
    notes: notes.map(({ message, ...note }) => ({ uuid: message, ...note })),
  };
}

export function toFreshnessJson({ refreshed, pendingFiles }: Freshness) {
  return { refreshed, pendingFiles };
}

/** Characters that could control a terminal, or hide in it: tags (U+E0000 on) spell text that nobody sees. */
const active =
  /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function toJsonText(value: unknown): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replace(active, (character) => character.split('').map(escapeUnit).join(''));
}
