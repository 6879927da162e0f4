// Search results as JSON, as docs/json.md describes it: names and meanings are a contract with scripts.

import type { Hit, SearchResult } from '../../search/search.ts';
import type { SessionInfo } from '../../store/read/read-sessions.ts';
import { toSnippet } from '../../text/snippet.ts';
import { toResume } from '../resume-command.ts';

export interface Freshness {
  readonly refreshed: boolean;
  readonly pendingFiles: number;
}

/** Whether a directory is there; pages do not look for themselves. */
export type IsDirectory = (path: string) => boolean;

export interface SearchCircumstances {
  readonly freshness: Freshness;
  readonly tookMs: number;
  readonly explain: boolean;
  readonly isDirectory: IsDirectory;
}

const snippetChars = 240;

export function toSearchJson(
  result: SearchResult,
  query: string,
  { freshness, tookMs, explain, isDirectory }: SearchCircumstances,
) {
  return {
    schemaVersion: 1,
    query,
    tier: result.tier,
    tookMs: Math.round(tookMs * 10) / 10,
    total: result.total,
    totalIsExact: result.isTotalExact,
    freshness,
    ...(result.corrections.length === 0 ? {} : { didYouMean: Object.fromEntries(result.corrections) }),
    hits: result.hits.map((hit, i) => ({
      rank: i + 1,
      ...toSessionJson(hit.session, hit.copies, isDirectory),
      score: Math.round(hit.score * 10_000) / 10_000,
      ...(explain && hit.parts !== null ? { parts: hit.parts } : {}),
      matchCount: hit.matchCount,
      matches: hit.matches.map((match) => toMatchJson(match, result)),
    })),
  };
}

function toMatchJson({ message, subagent }: Hit['matches'][number], result: SearchResult) {
  const pieces = toSnippet(message.text, result.terms, snippetChars);
  return {
    messageId: message.id,
    uuid: message.uuid,
    role: message.role,
    kind: message.kind,
    subagentId: subagent?.kind === 'subagent' ? subagent.nativeId : null,
    timestamp: message.timestamp,
    snippet: pieces.map(({ text, isMatch }) => (isMatch ? `«${text}»` : text)).join(''),
  };
}

/** The fields every listed session has. How to resume it is told also while its directory is away, but that it can be is not. */
export function toSessionJson(session: SessionInfo, copies: number, isDirectory: IsDirectory) {
  const resume = session.kind === 'main' && session.isGone === 0 ? toResume(session) : null;
  return {
    id: session.nativeId,
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
    resumable: resume !== null && isDirectory(resume.cwd),
    resume,
    copies,
  };
}
