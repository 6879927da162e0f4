// What a stretch of a transcript says about its session. Facts of two neighbouring stretches merge into the facts
// of both, so a transcript that grew costs only its new lines: merge(facts(a), facts(b)) = facts(a + b).

import type { SessionFacts, SessionKind } from '../../records.ts';
import { toExcerpt } from '../json/json-value.ts';
import type { Entry } from './entry.ts';

export const noFacts: SessionFacts = {
  parentNativeId: null,
  firstCwd: null,
  lastCwd: null,
  relocatedCwd: null,
  continuedIn: null,
  branch: null,
  versions: [],
  models: [],
  createdAt: null,
  modifiedAt: null,
  firstPrompt: null,
  lastPrompt: null,
  customTitle: null,
  agentName: null,
  aiTitle: null,
  prNumber: null,
  prUrl: null,
  prRepository: null,
  compactionCount: 0,
};

/** Prompts kept beside the session, for titles and lists; the whole text is a message. */
const maxPromptChars = 2000;

export function toFacts(entry: Entry, sessionKind: SessionKind): SessionFacts {
  const prompt = promptOf(entry, sessionKind);
  // A queued prompt may turn out to be a copy, and then its time was not the session's.
  const timestamp = entry.message?.kind === 'queued' ? null : entry.timestamp;
  const title = (source: string) => (entry.title?.source === source ? entry.title.text : null);
  return {
    parentNativeId: sessionKind === 'main' || sessionKind === 'transcript' ? null : entry.sessionId,
    firstCwd: entry.cwd,
    lastCwd: entry.isTurn ? entry.cwd : null,
    relocatedCwd: entry.relocatedCwd,
    continuedIn: entry.continuedIn,
    branch: entry.branch,
    versions: entry.version === null ? [] : [entry.version],
    models: entry.model === null ? [] : [entry.model],
    createdAt: timestamp,
    modifiedAt: timestamp,
    firstPrompt: prompt,
    lastPrompt: entry.lastPrompt === null ? prompt : toExcerpt(entry.lastPrompt, maxPromptChars),
    customTitle: title('custom-title'),
    agentName: title('agent-name'),
    aiTitle: title('ai-title'),
    prNumber: entry.pullRequest?.number ?? null,
    prUrl: entry.pullRequest?.url ?? null,
    prRepository: entry.pullRequest?.repository ?? null,
    compactionCount: entry.isCompaction ? 1 : 0,
  };
}

function promptOf(entry: Entry, sessionKind: SessionKind): string | null {
  const message = entry.message;
  if (message === null || message.role !== 'user' || message.kind === 'recap' || message.kind === 'shell')
    return null;
  if (sessionKind !== 'subagent' && message.kind === 'task') return null;
  return toExcerpt(message.text, maxPromptChars);
}

export function mergeFacts(earlier: SessionFacts, later: SessionFacts): SessionFacts {
  return {
    parentNativeId: earlier.parentNativeId ?? later.parentNativeId,
    firstCwd: earlier.firstCwd ?? later.firstCwd,
    lastCwd: later.lastCwd ?? earlier.lastCwd,
    relocatedCwd: later.relocatedCwd ?? earlier.relocatedCwd,
    continuedIn: later.continuedIn ?? earlier.continuedIn,
    branch: later.branch ?? earlier.branch,
    versions: union(earlier.versions, later.versions),
    models: union(earlier.models, later.models),
    createdAt: pick(earlier.createdAt, later.createdAt, (a, b) => a <= b),
    modifiedAt: pick(earlier.modifiedAt, later.modifiedAt, (a, b) => a >= b),
    firstPrompt: earlier.firstPrompt ?? later.firstPrompt,
    lastPrompt: later.lastPrompt ?? earlier.lastPrompt,
    customTitle: later.customTitle ?? earlier.customTitle,
    agentName: later.agentName ?? earlier.agentName,
    aiTitle: later.aiTitle ?? earlier.aiTitle,
    prNumber: later.prNumber ?? earlier.prNumber,
    prUrl: later.prUrl ?? earlier.prUrl,
    prRepository: later.prRepository ?? earlier.prRepository,
    compactionCount: earlier.compactionCount + later.compactionCount,
  };
}

/** Versions and models of one session that are kept; nobody uses so many, but a broken file may name any number. */
const maxNames = 100;

function union(earlier: readonly string[], later: readonly string[]): readonly string[] {
  if (later.length === 0 || earlier.length >= maxNames) return earlier;
  const added = later.filter((item) => !earlier.includes(item));
  return added.length === 0 ? earlier : [...earlier, ...added].slice(0, maxNames);
}

function pick(
  a: string | null,
  b: string | null,
  isBetter: (a: string, b: string) => boolean,
): string | null {
  if (a === null || b === null) return a ?? b;
  return isBetter(a, b) ? a : b;
}
