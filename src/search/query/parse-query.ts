// Any string → what to search for. Pure and total: no query is invalid, some just ask for less. Words,
// "phrases", pre*, -not, a OR b, and filters such as project:shop; everything else is ordinary text.

import { type FilterName, type FilterTexts, filterNames, filters, findChoice } from '../../filters.ts';
import type { Form } from '../../text/occurrences.ts';
import { isCjk, toPattern, toScriptRuns } from '../../text/word-parts.ts';
import { toForms } from './forms.ts';
import { parseDate } from './parse-date.ts';

export interface Term {
  /** As typed. */
  readonly text: string;
  /** Any one of these in a text is a match. */
  readonly forms: readonly Form[];
  readonly strength: Strength;
  /** A word of a compound such as jwt-auth.ts, which is a term of its own before it: it helps, and need not be there. */
  readonly isPart: boolean;
  readonly unfinished?: Unfinished;
}

interface Unfinished {
  /** As a word of its own. */
  readonly word: Form;
  /** As the start of one, which is then among the forms of its term; null where there is too little of it yet. */
  readonly start: Form | null;
}

export interface Query {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly filters: FilterTexts;
  /** Values that sessions must not have, by filter: -project:shop. */
  readonly excludedFilters: { readonly [Name in FilterName]?: readonly string[] };
  /** since: and until: values that are not dates, or are negated, as typed; they are treated as words. */
  readonly unknownDays: readonly string[];
}

/** A query of up to this many words, none of them weak, means all of them. */
const conjunctionWords = 3;

export function meansAll(terms: readonly Term[]): boolean {
  const typed = terms.filter((term) => !term.isPart);
  return typed.length <= conjunctionWords && typed.every((term) => term.strength === 'strong');
}

/** More words than this add nothing but cost; of a pasted page, those are searched for that say most. */
const maxTerms = 32;
const maxQueryChars = 20_000;

const piece = new RegExp(
  `(?<sign>-?)(?:(?<filter>${filterNames.join('|')}):)?(?:"(?<quoted>[^"]*)(?:"|$)|(?<bare>[^\\s"]+))`,
  'giu',
);

/** `isTyping`: the last word may be unfinished. `isFiltered`: there are filters besides those in the text. */
export function parseQuery(text: string, isTyping = false, isFiltered = false): Query {
  const found: Partial<Record<FilterName, string>> = {};
  const excludedFilters: Partial<Record<FilterName, string[]>> = {};
  const terms: Term[] = [];
  const excluded: Term[] = [];
  const unknownDays: string[] = [];
  let joinsNext = false;
  let typing: { readonly term: Term; readonly typed: Term } | undefined;
  const isPasted = text.trim().includes('\n');
  const isLiteral = isPasted || command.test(text);
  // What somebody pasted is not written in the query language: a traceback has quotes, dashes and ORs of its own.
  const typed = isPasted ? text.replaceAll('"', ' ') : text;
  for (const match of typed.slice(0, maxQueryChars).matchAll(piece)) {
    const { sign = '', filter, quoted, bare } = match.groups ?? {};
    const value = quoted ?? bare ?? '';
    const name = findFilterName(filter?.toLowerCase(), value);
    const chosen = name === undefined ? undefined : findChoice(name, value);
    if (name !== undefined && chosen !== undefined && sign === '') {
      found[name] = chosen;
      continue;
    }
    if (name !== undefined && chosen !== undefined && filters[name].isNegatable) {
      excludedFilters[name] = [...(excludedFilters[name] ?? []), chosen].slice(0, maxTerms);
      continue;
    }
    // Only a capitalised OR between two words joins them; AND is the default anyway.
    if (match[0] === 'OR' && !isPasted) {
      joinsNext = terms.length > 0;
      continue;
    }
    const whole = filter === undefined ? value : `${filter}:${value}`;
    if (/^(since|until)$/i.test(filter ?? '') && value !== '') unknownDays.push(`${sign}${whole}`);
    const isExcluded = sign === '-' && !isLiteral && isExclusion(whole);
    const isLast = match.index + match[0].length === text.length && !/"$/.test(match[0]);
    for (const run of quoted === undefined && filter === undefined ? splitScripts(whole) : [whole]) {
      const typed = parseTerm(run, quoted !== undefined);
      if (typed === null) continue;
      const term = joinsNext && !isExcluded ? joinTerms(popWhole(terms), typed) : typed;
      const parts = joinsNext || quoted !== undefined ? [] : splitCompound(term);
      if (isExcluded) excluded.push(term);
      else terms.push(term, ...parts);
      joinsNext = false;
      if (isTyping && isLast && sign === '') typing = { term, typed };
    }
  }
  // A query of exclusions only asks for nothing, so the words themselves must be meant.
  const hasFilters = isFiltered || Object.keys({ ...found, ...excludedFilters }).length > 0;
  const asked = terms.length > 0 || hasFilters ? terms : excluded;
  const once = distinct(asked);
  const all = strengthen(typing === undefined ? once : addStart(once, typing.term, typing.typed));
  // Of a long sentence the beginning says enough; looking for the rare words of all of it costs known-item half a point.
  const kept = isPasted || all.length > maxTerms * 2 ? pickTerms(all, maxTerms) : all.slice(0, maxTerms);
  return {
    text,
    terms: kept,
    excluded: asked === excluded ? [] : excluded.slice(0, maxTerms),
    filters: found,
    excludedFilters,
    unknownDays: unknownDays.slice(0, maxTerms),
  };
}

const anyDay = new Date(2026, 0, 15);

/** `file:///tmp/x` is a URL, `role: admin` and `since:forever` are prose: these are words. */
function findFilterName(typed: string | undefined, value: string): FilterName | undefined {
  if (value === '' || value.startsWith('//')) return undefined;
  // Another way to say kind:subagent.
  if (typed === 'is' && findChoice('kind', value) === 'subagent') return 'kind';
  const name = filterNames.find((each) => each === typed);
  if (name === undefined || findChoice(name, value) === undefined) return undefined;
  return filters[name].value === 'day' && parseDate(value, anyDay) === null ? undefined : name;
}

const firstLetter = toPattern(/^[A-Za-z0-9]/, () => /^[\p{L}\p{N}]/u);
const prefix = toPattern(/[A-Za-z0-9]\*$/, () => /[\p{L}\p{N}]\*$/u);

/** Programs that are hardly ever the topic themselves: `redis -docker` leaves docker out, `gcc -march` is a command. */
const programs =
  `awk cat cc chmod chown clang cmake curl df dig du ffmpeg find gcc grep head iptables java javac journalctl kill ld
  ls lsof make mount mysql nc netstat openssl perl ping powershell ps psql pwsh rg rsync scp sed sort ss ssh systemctl tail tar
  tsc uniq wget xargs`.split(/\s+/);
/** A pipe, a long option, or a short one directly after the name of a program. */
const command = new RegExp(
  String.raw`\s\|\s|(?:^|\s)--[a-z]|(?:^|[\s/])(?:${programs.join('|')})(?:\.exe)? -[A-Za-z]`,
);

/** `-rf` and `--flag` are options that someone remembers, not words to exclude. */
function isExclusion(text: string): boolean {
  return firstLetter(text).test(text) && [...text].length > 2;
}

/** The endings that are left out: `Caroline's` is a question about Caroline. */
const ending = /(?<=[a-z])['’](?:s|re|ve|ll|d|m)$/i;
const negation = /^[a-z]+n['’]t$/i;

/** Chinese, Japanese or Korean beside a Latin word without a space: two words, as they are in the index. */
function splitScripts(text: string): readonly string[] {
  if (!isCjk(text)) return [text];
  const runs = toScriptRuns(text);
  return runs.some((run) => /[A-Za-z]{2}/.test(run)) ? runs : [text];
}

function parseTerm(text: string, isQuoted: boolean): Term | null {
  const isPrefix = !isQuoted && text.endsWith('*') && prefix(text).test(text);
  const word = isQuoted ? text : text.replace(ending, '');
  const forms = toForms(word, isQuoted ? 'exact' : isPrefix ? 'prefix' : 'word');
  if (forms.length === 0) return null;
  const only = forms[0]?.tokens ?? [];
  const isWeak = !isQuoted && negation.test(word);
  const isStrong = isQuoted || isPrefix || only.length > 1;
  return {
    text,
    forms,
    strength: isWeak ? 'weak' : isStrong ? 'strong' : findStrength(only[0] ?? ''),
    isPart: false,
  };
}

/** Fewer letters start too many words to say anything, and FTS5 goes through all of them. */
const minStartChars = 3;

/** `cach` finds cache, and `caching` still finds cached. `typed` is a part of the term where words are joined by OR. */
function addStart(terms: readonly Term[], last: Term, typed: Term): readonly Term[] {
  const [word] = typed.forms;
  if (word?.match !== 'stem' && word?.match !== 'exact') return terms;
  const isEnough = (word.tokens.at(-1) ?? '').length >= minStartChars;
  const start: Form | null = isEnough ? { tokens: word.tokens, match: 'prefix' } : null;
  const key = toKey(last);
  return terms.map((term) =>
    toKey(term) === key
      ? { ...term, forms: start === null ? term.forms : [...term.forms, start], unfinished: { word, start } }
      : term,
  );
}

function splitCompound({ forms, strength }: Term): Term[] {
  const [whole] = forms;
  if (whole?.match !== 'exact' || whole.tokens.length < 2 || strength === 'weak') return [];
  return whole.tokens
    .filter((word) => word.length > 1)
    .map((word) => ({
      text: word,
      forms: toForms(word, 'word'),
      strength: findStrength(word),
      isPart: true,
    }));
}

/** The last term as it was typed, without the words of a compound that follow it. */
function popWhole(terms: Term[]): Term | undefined {
  let last = terms.pop();
  while (last?.isPart) last = terms.pop();
  return last;
}

function joinTerms(before: Term | undefined, term: Term): Term {
  if (before === undefined) return term;
  return {
    text: `${before.text} OR ${term.text}`,
    forms: distinctForms([...before.forms, ...term.forms]),
    strength: 'strong',
    isPart: false,
  };
}

/** `a OR a` is one form to search for; the number of forms is limited. */
function distinctForms(forms: readonly Form[]): Form[] {
  const byTokens = new Map(forms.map((form) => [JSON.stringify(form), form]));
  return [...byTokens.values()].slice(0, maxTerms);
}

const toKey = (term: Term) => JSON.stringify(term.forms);

function distinct(terms: readonly Term[]): Term[] {
  const byForms = new Map<string, Term>();
  for (const term of terms) {
    const key = toKey(term);
    const known = byForms.get(key);
    // What was typed by itself has to be there, also where it is a part of something else.
    if (known === undefined || (known.isPart && !term.isPart)) byForms.set(key, term);
  }
  return [...byForms.values()];
}

/** If there are no stronger words, the weak ones are all there is to go by. */
function strengthen(terms: readonly Term[]): Term[] {
  if (terms.some(({ strength }) => strength === 'strong')) return [...terms];
  const isAsking = terms.some(({ strength }) => strength === 'asking');
  return terms.map((term) => (isAsking && term.strength === 'weak' ? term : { ...term, strength: 'strong' }));
}

const file = /[^\s/\\]\.[A-Za-z]\w{0,9}(?:[:#(]L?\d+.*)?["'`)\],;:.]*$/;
const errorName =
  /^[^\w]*(?:\w+[.:])*[A-Z]\w*(?:Error|Exception|Warning|Fault|Panic)\b|^[^\w]*(?:E[A-Z]{3,}|[A-Z]+\d{3,})\b/;
const identifier = /[a-z][A-Z]|\w_\w|\w\.\w|::/;

/** In the order in which they were typed. */
function pickTerms(terms: readonly Term[], most: number): readonly Term[] {
  if (terms.length <= most) return terms;
  return terms
    .map((term, i) => ({ term, i, worth: rateTerm(term) }))
    .sort((a, b) => b.worth - a.worth || a.i - b.i)
    .slice(0, most)
    .sort((a, b) => a.i - b.i)
    .map(({ term }) => term);
}

/** The words of a compound come last, because the compound itself is searched for too. */
function rateTerm({ text, strength, isPart }: Term): number {
  if (isPart) return 1;
  if (file.test(text)) return 5;
  if (errorName.test(text)) return 4;
  if (strength !== 'strong') return 0;
  return identifier.test(text) ? 3 : 2;
}

const functionWords = `a about after again all also am an and any are as at be because been before being but by can could
  did do does doing done down each for from further get got had has have having he her here hers him his how i if in into
  is it its itself just let lets like me more most my no nor not now of off ok okay on once only or other our ours out over
  own please same she should so some such than that the their theirs them then there these they this those through to too
  under until up us very was we were what when where which while who whom why will with would yes you your yours yourself
  im ive id dont doesnt didnt cant wont isnt arent wasnt youre thats whats theres ll re ve m s t d`;

/** Words of the question rather than of the answer. They count a little, since they may be meant. */
const askingWords = `many much long often number total amount suggest recommend recommendation remind tell tips tip advice
  idea ideas mention mentioned remember know ago passed current currently last past recent recently different help helpful
  want wanted need think something thing things way make made find take took`;

const toSet = (words: string) => new Set(words.split(/\s+/));
const weak = toSet(functionWords);
const asking = toSet(askingWords);

type Strength = 'strong' | 'asking' | 'weak';

function findStrength(word: string): Strength {
  if (weak.has(word)) return 'weak';
  return asking.has(word) ? 'asking' : 'strong';
}

export interface TypedTime {
  /** As typed: `last week`. */
  readonly phrase: string;
  /** The rest of the question asks for nothing else. */
  readonly isAlone: boolean;
  /** As a filter takes it: `2025-06`, `last week`. */
  readonly value: string;
}

/** Words for sessions in general, which ask for nothing in particular. */
const wordsForAnything =
  toSet(`work worked working session sessions conversation conversations chat chats happen
  happened everything anything stuff show list`);

/** `Mon, Oct 6 2025` has the most words. */
const maxWords = 4;

export function findTime({ terms, excluded, filters }: Query, now: Date): TypedTime | undefined {
  if (filters.since !== undefined || filters.until !== undefined || excluded.length > 0) return undefined;
  const words = terms.filter((term) => !term.isPart).map(({ text }) => text.replace(/[?!.,;:]+$/, ''));
  // A phrase in quotes is to be found as it is.
  if (words.some((word) => /\s/.test(word))) return undefined;
  for (let count = Math.min(maxWords, words.length); count > 0; count--) {
    for (let at = 0; at + count <= words.length; at++) {
      const phrase = words.slice(at, at + count).join(' ');
      // A number, also with a letter, may mean something else than a time.
      const range = /^\d+[a-z]?$/i.test(phrase) ? null : parseDate(phrase, now);
      if (range === null) continue;
      const rest = [...words.slice(0, at), ...words.slice(at + count)].map((word) => word.toLowerCase());
      const isAlone = rest.every((word) => findStrength(word) !== 'strong' || wordsForAnything.has(word));
      return { phrase, isAlone, value: shortenTime(phrase, range.fromMs) };
    }
  }
  return undefined;
}

/** `June 2025` becomes 2025-06, which is shorter as a filter. */
function shortenTime(phrase: string, fromMs: number): string {
  if (!/^[a-z]+ \d{4}$/i.test(phrase)) return phrase;
  const from = new Date(fromMs);
  return `${from.getFullYear()}-${String(from.getMonth() + 1).padStart(2, '0')}`;
}
