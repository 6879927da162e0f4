// What a stretch of a transcript says about its session. Facts of two neighbouring stretches merge into the facts
// of both, so a transcript that grew costs only its new lines: merge(facts(a), facts(b)) = facts(a + b).

import { type FactRules, type SessionFacts, type SessionKind, sessionFacts } from '../../records.ts';
import { toExcerpt } from '../json/json-value.ts';
import type { Entry } from './entry.ts';

const unsaid: FactRules = {
  first: null,
  last: null,
  lastNumber: null,
  earliest: null,
  latest: null,
  all: [],
  sum: 0,
};

export const noFacts = Object.fromEntries(
  Object.entries(sessionFacts).map(([fact, rule]) => [fact, unsaid[rule]]),
) as unknown as SessionFacts;

/** Prompts kept beside the session, for titles and lists; the whole text is a message. */
const maxPromptChars = 2000;

export function toFacts(entry: Entry, sessionKind: SessionKind): Partial<SessionFacts> {
  const prompt = findPrompt(entry, sessionKind);
  // A queued prompt may turn out to be a copy, and then its time was not the session's.
  const timestamp = entry.message?.kind === 'queued' ? null : entry.timestamp;
  const derived = {
    parentNativeId: sessionKind === 'main' || sessionKind === 'transcript' ? null : entry.sessionId,
    firstCwd: entry.cwd,
    lastCwd: entry.isTurn ? entry.cwd : null,
    branch: entry.branch,
    versions: entry.version === null ? unsaid.all : [entry.version],
    models: entry.model === null ? unsaid.all : [entry.model],
    createdAt: timestamp,
    modifiedAt: timestamp,
    firstPrompt: prompt,
    lastPrompt: prompt,
  };
  // Hardly any line says more, and an object that is spread together takes longer than all the rest.
  if (entry.facts === null) return derived;
  const lastPrompt = entry.facts.lastPrompt ?? null;
  return {
    ...derived,
    ...entry.facts,
    lastPrompt: lastPrompt === null ? prompt : toExcerpt(lastPrompt, maxPromptChars),
  };
}

function findPrompt(entry: Entry, sessionKind: SessionKind): string | null {
  const message = entry.message;
  if (message === null || message.role !== 'user' || message.kind === 'recap' || message.kind === 'shell')
    return null;
  if (sessionKind !== 'subagent' && message.kind === 'task') return null;
  return toExcerpt(message.text, maxPromptChars);
}

const facts = Object.keys(sessionFacts) as (keyof SessionFacts)[];

/** Most lines say nothing new, and cost no new object. */
export function mergeFacts(earlier: SessionFacts, later: Partial<SessionFacts>): SessionFacts {
  let merged: { -readonly [Fact in keyof SessionFacts]: unknown } | null = null;
  for (const fact of facts) {
    const said = later[fact];
    if (said === undefined || said === null) continue;
    const merge = merges[sessionFacts[fact]] as Merge<unknown>;
    const value = merge(earlier[fact], said);
    if (value === earlier[fact]) continue;
    merged ??= { ...earlier };
    merged[fact] = value;
  }
  return (merged as SessionFacts | null) ?? earlier;
}

const merges: { readonly [Rule in keyof FactRules]: Merge<FactRules[Rule]> } = {
  first: (earlier, later) => earlier ?? later,
  last: (earlier, later) => later ?? earlier,
  lastNumber: (earlier, later) => later ?? earlier,
  earliest: (earlier, later) =>
    earlier !== null && later !== null && later < earlier ? later : (earlier ?? later),
  latest: (earlier, later) =>
    earlier !== null && later !== null && later > earlier ? later : (earlier ?? later),
  all: unite,
  sum: (earlier, later) => earlier + later,
};

type Merge<Fact> = (earlier: Fact, later: Fact) => Fact;

/** Versions and models of one session that are kept; nobody uses so many, but a broken file may name any number. */
const maxNames = 100;

function unite(earlier: readonly string[], later: readonly string[]): readonly string[] {
  if (later.length === 0 || earlier.length >= maxNames) return earlier;
  const added = later.filter((item) => !earlier.includes(item));
  return added.length === 0 ? earlier : [...earlier, ...added].slice(0, maxNames);
}
