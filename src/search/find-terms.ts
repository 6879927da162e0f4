// Where each term of a query occurs in the index. A term that occurs nowhere is widened: to a shorter path or name, to a
// prefix, to a near spelling.

import type { ListLimits, TermPlaces, WordIndex, WordScope } from '../store/word-index.ts';
import { editDistance } from '../text/compare.ts';
import { toPairs } from '../text/word-parts.ts';
import { shortenCompound, toForms } from './query/forms.ts';
import type { Term } from './query/parse-query.ts';
import type { SearchResult } from './search-result.ts';

export const strengthFactor = { strong: 1, asking: 0.2, weak: 0 } as const;

/** Newest first. What a word with more occurrences says is looked up only in the sessions that the other words find. */
const limits: ListLimits = {
  messages: 3000,
  toolTexts: 500,
  toolTextsCounted: 0,
  toolCalls: 500,
  named: 1000,
};
/** Which sessions hold a word has to be known where every word has to be in a session; in a sentence some of them will do. */
const toolTextsCounted = 20_000;

/** How a session holds a term: in so many of its messages, tool texts and tool calls, in what describes it, as its name. */
export interface TermUse {
  said: number;
  done: number;
  calls: number;
  isNamed: boolean;
  isCalled: boolean;
}

export interface FoundTerm extends TermPlaces {
  readonly term: Term;
  /** The sessions that are known to hold it. */
  readonly sessions: ReadonlyMap<number, TermUse>;
}

interface FoundTerms
  extends Pick<SearchResult, 'corrections' | 'shortened' | 'lengthened' | 'hidden' | 'begun'> {
  readonly terms: readonly FoundTerm[];
  /** How far terms had to be widened; null if none was. */
  readonly tier: 'prefix' | 'any' | 'fuzzy' | null;
}

interface TermsQuestion {
  readonly index: WordIndex;
  readonly scope: WordScope;
  /** The same without filters; null if there are none. */
  readonly unfiltered: WordScope | null;
  /** Every term has to be in a session. */
  readonly isConjunction: boolean;
}

/** A term that occurs nowhere as typed, and what it may be widened to. */
interface Widening {
  readonly typed: FoundTerm;
  readonly isHidden: boolean;
  readonly shorter: readonly FoundTerm[];
  readonly pieces: readonly FoundTerm[];
  readonly prefix: readonly FoundTerm[];
}

type Widened = ReadonlyMap<Term, Widening>;

/**
 * 1. All terms as typed, at once. Of a word that is being typed, words that start with it are asked for only if it is not
 *    everywhere itself: they would add nothing, and the engine goes through all of them.
 * 2. For those that occur nowhere: whether a filter hides them, and everything they may be widened to, at once.
 * 3. For those that still occur nowhere: near spellings.
 */
export async function findTerms(terms: readonly Term[], question: TermsQuestion): Promise<FoundTerms> {
  const asked = terms.filter((term) => strengthFactor[term.strength] > 0);
  // Joined to others by OR, the word that is being typed is asked for by itself too: it may be rare, and they everywhere.
  const joined = asked.filter(({ forms, unfinished }) => unfinished?.start != null && forms.length > 2);
  const listed = await list(question, [...asked.map(withoutStart), ...joined.map(onlyUnfinished)]);
  const words = new Map(joined.map((term, i) => [term, listed[asked.length + i]]));
  const typed = asked.map((term, i) => {
    const found = listed[i] as FoundTerm;
    const isEnough = found.term === term || (words.get(term) ?? found).areMessagesCut;
    return isEnough ? found : null;
  });
  const unknown = asked.filter((_, i) => typed[i] === null || !isFound(typed[i] as FoundTerm));
  const widened = await widen(unknown, question);
  const asTyped = asked.map((term, i) => typed[i] ?? (widened.get(term)?.typed as FoundTerm));
  const misspelt = unknown.filter((term) => needsSpelling(term, widened.get(term) as Widening));
  const spellings = await findSpellings(misspelt, question);
  return choose(asked, asTyped, widened, spellings);
}

function choose(
  asked: readonly Term[],
  asTyped: readonly FoundTerm[],
  widened: Widened,
  spellings: ReadonlyMap<Term, readonly Spelling[]>,
): FoundTerms {
  const corrections: [string, string][] = [];
  const shortened: [string, string][] = [];
  const lengthened: string[] = [];
  const hidden: Term[] = [];
  let begun: string | null = null;
  let tier: FoundTerms['tier'] = null;
  // The words of a compound that was searched for without some of them, which are then left out.
  let left: ReadonlySet<string> | null = null;
  const terms = asked.flatMap((term, i): readonly FoundTerm[] => {
    const found = asTyped[i] as FoundTerm;
    if (term.isPart && left !== null) return left.has(term.text) ? [found] : [];
    left = null;
    if (isFound(found)) return [found];
    if (term.unfinished?.start === null) {
      begun = term.text;
      left = new Set(term.unfinished.word.tokens.slice(0, -1));
      return [];
    }
    const { isHidden, shorter, pieces, prefix } = widened.get(term) as Widening;
    // What a filter hides is not misspelt.
    if (isHidden) {
      hidden.push(term);
      return [found];
    }
    const short = shorter.find(isFound);
    if (short !== undefined) {
      shortened.push([term.text, short.term.text]);
      const words = short.term.forms[0]?.tokens ?? [];
      left = new Set(words.length > 1 ? words : []);
      return [short];
    }
    if (pieces.some(isFound)) {
      tier ??= 'any';
      return pieces;
    }
    if (prefix.some(isFound)) {
      tier ??= 'prefix';
      lengthened.push(term.text);
      return prefix;
    }
    const spelling = spellings.get(term)?.find(({ found }) => isFound(found));
    if (spelling === undefined) return [found];
    corrections.push([term.text, spelling.word]);
    tier = 'fuzzy';
    return [spelling.found];
  });
  return { terms, tier, corrections, shortened, lengthened, hidden, begun };
}

async function list({ scope, isConjunction }: TermsQuestion, terms: readonly Term[]): Promise<FoundTerm[]> {
  if (terms.length === 0) return [];
  const counted = isConjunction ? toolTextsCounted : 0;
  const places = await scope.list(terms, { ...limits, toolTextsCounted: counted });
  return places.map((found, i) => ({ ...found, term: terms[i] as Term, sessions: gatherSessions(found) }));
}

function gatherSessions({ messages, toolTextCounts, toolCalls, named, called }: TermPlaces) {
  const sessions = new Map<number, TermUse>();
  const of = (id: number) => {
    let held = sessions.get(id);
    if (held === undefined) {
      held = { said: 0, done: 0, calls: 0, isNamed: false, isCalled: false };
      sessions.set(id, held);
    }
    return held;
  };
  for (const { sessionId } of messages) of(sessionId).said++;
  for (const [id, count] of toolTextCounts) of(id).done = count;
  for (const id of toolCalls) of(id).calls++;
  for (const id of [...named, ...called]) of(id).isNamed = true;
  for (const id of called) of(id).isCalled = true;
  return sessions;
}

function withoutStart(term: Term): Term {
  const { start } = term.unfinished ?? {};
  return start == null ? term : { ...term, forms: term.forms.filter((form) => form !== start) };
}

function onlyUnfinished(term: Term): Term {
  return term.unfinished === undefined ? term : { ...term, forms: [term.unfinished.word] };
}

async function widen(unknown: readonly Term[], question: TermsQuestion): Promise<Widened> {
  if (unknown.length === 0) return new Map();
  const { unfiltered } = question;
  const options = unknown.map((term) => [[term], findShorter(term), splitCjk(term), findPrefix(term)]);
  const [found, elsewhere] = await Promise.all([
    list(question, options.flat(2)),
    unfiltered === null ? null : unfiltered.list(unknown, oneOfEach),
  ]);
  const rest = [...found];
  return new Map(
    unknown.map((term, i) => {
      const [typed, shorter, pieces, prefix] = (options[i] ?? []).map((terms) =>
        rest.splice(0, terms.length),
      ) as [[FoundTerm], FoundTerm[], FoundTerm[], FoundTerm[]];
      const isHidden = elsewhere !== null && isFound(elsewhere[i] as TermPlaces);
      return [term, { typed: typed[0], isHidden, shorter, pieces, prefix }];
    }),
  );
}

function needsSpelling(term: Term, { typed, isHidden, shorter, pieces, prefix }: Widening): boolean {
  const others = [typed, ...shorter, ...pieces, ...prefix];
  return !isHidden && term.unfinished?.start !== null && !others.some(isFound);
}

/** A compound that occurs nowhere as typed may occur without its line number or its folders. */
function findShorter(term: Term): Term[] {
  const [form] = term.forms;
  if (form?.match !== 'exact' || form.tokens.length < 2 || /\s/.test(term.text)) return [];
  return shortenCompound(term.text)
    .map((text) => ({ ...term, text, forms: toForms(text, 'word') }))
    .filter(({ forms }) => forms.length > 0);
}

/** None for a word that is being typed: words that start with it were asked for already. */
function findPrefix(term: Term): Term[] {
  if (term.unfinished?.start != null) return [];
  const forms = term.forms.map((form) =>
    form.match === 'stem' || form.match === 'exact' ? { ...form, match: 'prefix' as const } : form,
  );
  return [{ ...term, forms }];
}

/** How many characters of a run are searched for in pairs; a pasted page is found by its beginning. */
const maxCjkPieces = 24;

/** Chinese and Japanese have no spaces: a run that does not occur as a whole is searched for in pairs. */
function splitCjk(term: Term): Term[] {
  const [form] = term.forms;
  const [run = ''] = form?.tokens ?? [];
  if (form?.match !== 'cjk' || form.tokens.length !== 1 || [...run].length < 3) return [];
  return toPairs(run.slice(0, maxCjkPieces))
    .slice(0, -1)
    .map((pair) => ({ ...term, text: pair, forms: [{ ...form, tokens: [pair] }] }));
}

const maxSpellings = 3;

interface Spelling {
  readonly word: string;
  readonly found: FoundTerm;
}

/** One letter apart, or two in a long word, most likely first. Phrases, prefixes, numbers and short words have none. */
async function findSpellings(terms: readonly Term[], question: TermsQuestion) {
  const words = await Promise.all(terms.map((term) => findNearWords(term, question.index)));
  const corrected = terms.flatMap((term, i) =>
    (words[i] ?? []).map((word) => ({ ...term, forms: toForms(word, 'word') })),
  );
  const found = await list(question, corrected);
  const pair = (word: string) => ({ word, found: found.shift() as FoundTerm });
  return new Map(terms.map((term, i) => [term, (words[i] ?? []).map(pair)]));
}

async function findNearWords({ forms }: Term, index: WordIndex): Promise<string[]> {
  const [form] = forms;
  const word = form?.tokens[0] ?? '';
  if (forms.length !== 1 || form?.match !== 'stem' || word.length < 4 || /\d/.test(word)) return [];
  const allowed = word.length < 8 ? 1 : 2;
  const near = await index.nearWords(word, allowed);
  return near
    .map((each) => ({ ...each, distance: editDistance(word, each.word, allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance || b.texts - a.texts || (a.word < b.word ? -1 : 1))
    .slice(0, maxSpellings)
    .map((each) => each.word);
}

const oneOfEach: ListLimits = { messages: 1, toolTexts: 1, toolTextsCounted: 0, toolCalls: 1, named: 1 };

export async function findOccurring(scope: WordScope, terms: readonly Term[]): Promise<Term[]> {
  const places = await scope.list(terms, oneOfEach);
  return terms.filter((_, i) => isFound(places[i] as TermPlaces));
}

export function isFound({ messages, toolTexts, toolCalls, named }: TermPlaces): boolean {
  return messages.length + toolTexts.length + toolCalls.length + named.length > 0;
}

/** Whether it may also be in sessions that are not listed. */
export function isCut({ areMessagesCut, areToolTextCountsCut, areToolTextsCut, areToolCallsCut }: FoundTerm) {
  // Where many tool texts hold it, they tell which sessions have called tools with it.
  return areMessagesCut || areToolTextCountsCut || (areToolCallsCut && !areToolTextsCut);
}

/** The engine goes through all words that start so each time it is asked, so it is not asked for every session. */
export function isStart({ term }: FoundTerm): boolean {
  return term.forms.some(({ match }) => match === 'prefix');
}
