// Where each term of a query occurs in the index. A term that occurs nowhere is widened.

import type { Database } from '../store/open/database.ts';
import type { Store } from '../store/open/open-store.ts';
import { type Matcher, noLimit } from '../store/read/match.ts';
import { readVocabulary } from '../store/read/vocabulary.ts';
import { toSessionId, toSessionOfWork } from '../store/row-ids.ts';
import { editDistance } from '../text/edit-distance.ts';
import { toPairs } from '../text/word-parts.ts';
import { toForms, toMatchExpression, toShorter } from './query/forms.ts';
import type { Term } from './query/parse-query.ts';

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
/** In so many work texts a word is everywhere: how often it is in one of them says nothing. */
const maxWorkListed = 500;

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
  /** More tool calls than were listed were pointed at it, and work texts do not tell which sessions made them. */
  readonly areCallsCut: boolean;
  /** Work texts that hold it, with BM25, the newest first; and how many of each session. */
  readonly work: ReadonlyMap<number, number | null>;
  /** It is in so many work texts that only some of them are in `work`, and without BM25. */
  readonly isCommonInWork: boolean;
  readonly workBySession: ReadonlyMap<number, number>;
  /** There may be more sessions with it in their work than these. */
  readonly isWorkCut: boolean;
  /** Sessions that it names; the best where there are many, of a common word the newest. */
  readonly named: ReadonlySet<number>;
  /** It names more sessions than these. */
  readonly isNamedCut: boolean;
}

/** `unfiltered` searches what the filters leave out too; null without filters. */
export function findTerms(
  store: Store,
  matcher: Matcher,
  terms: readonly Term[],
  unfiltered: Matcher | null = null,
) {
  const corrections: [string, string][] = [];
  const shortened: [string, string][] = [];
  const hidden: Term[] = [];
  let begun: string | null = null;
  let tier: 'prefix' | 'any' | 'fuzzy' | null = null;
  // The words of a compound that was searched for without some of them, which are then left out.
  let left: ReadonlySet<string> | null = null;
  const found = terms
    .filter((term) => strengthFactor[term.strength] > 0)
    .flatMap((term): FoundTerm[] => {
      if (term.isPart && left !== null) return left.has(term.text) ? [findTerm(matcher, term)] : [];
      left = null;
      const asTyped = findTerm(matcher, term);
      if (isFound(asTyped)) return [asTyped];
      if (term.unfinished?.start === null) {
        begun = term.text;
        left = new Set(term.unfinished.word.tokens.slice(0, -1));
        return [];
      }
      // What a filter hides is not misspelt.
      if (unfiltered !== null && occurs(unfiltered, term)) {
        hidden.push(term);
        return [asTyped];
      }
      const short = findShorter(matcher, term);
      if (short !== undefined) {
        shortened.push([term.text, short.term.text]);
        const words = short.term.forms[0]?.tokens ?? [];
        left = new Set(words.length > 1 ? words : []);
        return [short];
      }
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
  return { terms: found, tier, corrections, shortened, hidden, begun };
}

export function occurs(matcher: Matcher, term: Term): boolean {
  return isFound(findTerm(matcher, term));
}

/** A compound that occurs nowhere as typed may occur without its line number or its folders. */
function findShorter(matcher: Matcher, term: Term): FoundTerm | undefined {
  const [form] = term.forms;
  if (form?.match !== 'exact' || form.tokens.length < 2 || /\s/.test(term.text)) return undefined;
  for (const text of toShorter(term.text)) {
    const forms = toForms(text, 'word');
    if (forms.length === 0) continue;
    const found = findTerm(matcher, { ...term, text, forms });
    if (isFound(found)) return found;
  }
  return undefined;
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

/** Words that start with one that is everywhere itself add nothing, and FTS5 goes through all of them. */
function findTerm(matcher: Matcher, term: Term): FoundTerm {
  const { word, start } = term.unfinished ?? {};
  if (word === undefined || start === null) return findAsIs(matcher, term);
  const expression = buildExpression(matcher, { ...term, forms: [word] });
  if (!matcher.listMessages(expression, maxMessagesListed).isCut) return findAsIs(matcher, term);
  return findAsIs(matcher, { ...term, forms: term.forms.filter((form) => form !== start) });
}

function findAsIs(matcher: Matcher, term: Term): FoundTerm {
  const expression = buildExpression(matcher, term);
  const { ids: messages, isCut } = matcher.listMessages(expression, maxMessagesListed);
  const newest = matcher.listWorkIds(expression, maxWorkListed);
  const isCommonInWork = newest.length === maxWorkListed;
  const calls = matcher.listToolCalls(expression, maxToolCallsListed);
  const work: readonly (readonly [number, number | null])[] = isCommonInWork
    ? newest.map((id) => [id, null])
    : matcher.weighWork(expression);
  return {
    term,
    expression,
    messages,
    isCommon: isCut,
    bySession: countRuns(messages, toSessionId),
    toolCalls: countRuns(calls, (id) => id),
    areCallsCut: calls.length === maxToolCallsListed && !isCommonInWork,
    work: new Map(work),
    isCommonInWork,
    isWorkCut: isCommonInWork,
    workBySession: countRuns(work, ([id]) => toSessionOfWork(id)),
    ...findNamed(matcher, expression, isCut),
  };
}

function findNamed(matcher: Matcher, expression: string, isCommon: boolean) {
  const limit = isCommon ? maxNamedOfCommon : maxNamedListed;
  const named = matcher.listNamed(expression, limit);
  if (isCommon || named.length <= maxSessionsPerTerm)
    return { named: new Set(named), isNamedCut: named.length === limit };
  return {
    named: new Set(matcher.bestNamed(expression, maxSessionsPerTerm, named.at(-1))),
    isNamedCut: true,
  };
}

function buildExpression(matcher: Matcher, { forms }: Term): string {
  return toMatchExpression(forms, (stem) => matcher.findForms(stem));
}

/** How many of each session. The lists are sorted, so those of a session are next to each other. */
export function countRuns<T>(items: readonly T[], toSession: (item: T) => number): Map<number, number> {
  const counts = new Map<number, number>();
  let session = -1;
  let count = 0;
  for (let i = 0; i < items.length; i++) {
    const next = toSession(items[i] as T);
    if (next !== session) {
      if (count > 0) counts.set(session, count);
      session = next;
      count = 0;
    }
    count++;
  }
  if (count > 0) counts.set(session, count);
  return counts;
}

export function isFound(term: FoundTerm): boolean {
  const { bySession, toolCalls, named, work, isCommonInWork } = term;
  return isCommonInWork || [bySession, toolCalls, named, work].some(({ size }) => size > 0);
}

/** It may be in sessions that are not listed. */
export function isCut({ isCommon, isWorkCut, areCallsCut }: FoundTerm): boolean {
  return isCommon || isWorkCut || areCallsCut;
}

/** FTS5 goes through all words that start so each time it is asked, so it is not asked for every session. */
export function isStart({ term }: FoundTerm): boolean {
  return term.forms.some(({ match }) => match === 'prefix');
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

const maxSpellings = 3;

/** Most likely first; empty for phrases, prefixes, numbers and short words. */
export function findSpellings(db: Database, term: Term): string[] {
  const [form] = term.forms;
  const word = form?.tokens[0] ?? '';
  if (term.forms.length !== 1 || form?.match !== 'stem' || word.length < 4 || /\d/.test(word)) return [];
  const allowed = word.length < 8 ? 1 : 2;
  return readVocabulary(db, word, allowed)
    .map(({ term: candidate, documents }) => ({
      candidate,
      documents,
      distance: editDistance(word, candidate, allowed),
    }))
    .filter(({ distance }) => distance <= allowed)
    .sort(
      (a, b) => a.distance - b.distance || b.documents - a.documents || (a.candidate < b.candidate ? -1 : 1),
    )
    .slice(0, maxSpellings)
    .map(({ candidate }) => candidate);
}
