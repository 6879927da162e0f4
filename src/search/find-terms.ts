// Where each term of a query occurs in the index. A term that occurs nowhere is widened.

import type { Store } from '../store/open/open-store.ts';
import { type Matcher, noLimit } from '../store/read/match.ts';
import { toSessionId, toSessionOfWork } from '../store/row-ids.ts';
import { toPairs } from '../text/words.ts';
import { findSpellings } from './find-spellings.ts';
import { toForms, toMatchExpression } from './forms.ts';
import type { Term } from './parse-query.ts';

/** What a word of each strength is worth compared with a strong one. */
export const strengthFactor = { strong: 1, asking: 0.2, weak: 0 } as const;

/** Sessions that a single term may add through their titles or tool calls. */
export const maxSessionsPerTerm = 200;

/**
 * How many occurrences of a term are listed, newest first. A word with more occurrences says little, and what
 * it does say is looked up only in the sessions that the other words find.
 */
const maxMessagesListed = 3000;
const maxNamedListed = 1000;
const maxNamedOfCommon = 50;
const maxToolCallsListed = 500;
const maxWorkListed = 1000;

export interface FoundTerm {
  readonly term: Term;
  readonly expression: string;
  /** Ids of the messages that contain it, newest first. */
  readonly messages: readonly number[];
  /** It occurs in more messages than were listed. */
  readonly isCommon: boolean;
  /** How many messages contain it, by session. */
  readonly bySession: ReadonlyMap<number, number>;
  readonly toolCalls: ReadonlyMap<number, number>;
  /** Work texts that hold it, with BM25, the newest first; and how many of each session. */
  readonly work: ReadonlyMap<number, number>;
  readonly workBySession: ReadonlyMap<number, number>;
  /** Sessions that it names; the best where there are many, of a common word the newest. */
  readonly named: ReadonlySet<number>;
}

export function findTerms(store: Store, matcher: Matcher, terms: readonly Term[]) {
  const corrections: [string, string][] = [];
  let tier: 'prefix' | 'any' | 'fuzzy' | null = null;
  const found = terms
    .filter((term) => strengthFactor[term.strength] > 0)
    .flatMap((term): FoundTerm[] => {
      const asTyped = findTerm(matcher, term);
      if (isFound(asTyped)) return [asTyped];
      const pieces = splitCjk(term).map((piece) => findTerm(matcher, piece));
      if (pieces.some(isFound)) {
        tier ??= 'any';
        return pieces;
      }
      const asPrefix = findTerm(matcher, { ...term, forms: toPrefixForms(term) });
      if (isFound(asPrefix)) {
        tier ??= 'prefix';
        return [asPrefix];
      }
      for (const spelling of findSpellings(store.db, term)) {
        const corrected = findTerm(matcher, { ...term, forms: toForms(spelling, 'word') });
        if (!isFound(corrected)) continue;
        corrections.push([term.text, spelling]);
        tier = 'fuzzy';
        return [corrected];
      }
      return [asTyped];
    });
  return { terms: found, tier, corrections };
}

function toPrefixForms(term: Term) {
  return term.forms.map((form) =>
    form.match === 'stem' || form.match === 'exact' ? { ...form, match: 'prefix' as const } : form,
  );
}

/** How many characters of a run are searched for in pairs; a pasted page is found by its beginning. */
const maxCjkPieces = 24;

/**
 * Chinese and Japanese are typed without spaces: a run that does not occur as a whole is searched for in
 * pairs.
 */
function splitCjk(term: Term): Term[] {
  const [form] = term.forms;
  const [run = ''] = form?.tokens ?? [];
  if (form?.match !== 'cjk' || form.tokens.length !== 1 || [...run].length < 3) return [];
  return toPairs(run.slice(0, maxCjkPieces))
    .slice(0, -1)
    .map((pair) => ({ ...term, text: pair, forms: [{ ...form, tokens: [pair] }] }));
}

function findTerm(matcher: Matcher, term: Term): FoundTerm {
  const expression = buildExpression(matcher, term);
  const { ids: messages, isCut } = matcher.listMessages(expression, maxMessagesListed);
  const work = matcher.listWork(expression, maxWorkListed);
  return {
    term,
    expression,
    messages,
    isCommon: isCut,
    bySession: countEach(messages.map(toSessionId)),
    toolCalls: countEach(matcher.listToolCalls(expression, maxToolCallsListed)),
    work: new Map(work),
    workBySession: countEach(work.map(([id]) => toSessionOfWork(id))),
    named: new Set(isCut ? matcher.listNamed(expression, maxNamedOfCommon) : findNamed(matcher, expression)),
  };
}

function findNamed(matcher: Matcher, expression: string): readonly number[] {
  const named = matcher.listNamed(expression, maxNamedListed);
  if (named.length <= maxSessionsPerTerm) return named;
  return matcher.bestNamed(expression, maxSessionsPerTerm, named.at(-1));
}

function buildExpression(matcher: Matcher, { forms }: Term): string {
  return toMatchExpression(forms, (stem) => matcher.findForms(stem));
}

function countEach(ids: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

export function isFound(term: FoundTerm): boolean {
  return term.bySession.size > 0 || term.toolCalls.size > 0 || term.named.size > 0 || term.work.size > 0;
}

/** As one FTS5 expression. */
export function joinTerms(terms: readonly FoundTerm[], operator: 'AND' | 'OR'): string {
  return terms.map((term) => `(${term.expression})`).join(` ${operator} `);
}

/** Every message that contains a term, however common it is. */
export function messagesWith(matcher: Matcher, term: Term): readonly number[] {
  return matcher.listMessages(buildExpression(matcher, term), noLimit).ids;
}

/** Every session that contains a term, however common it is. */
export function sessionsWith(matcher: Matcher, term: Term): number[] {
  return matcher.listSessions(buildExpression(matcher, term));
}
