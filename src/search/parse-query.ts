// Any string → what is looked for. Pure and total: there is no wrong query, only one that asks for less. Words,
// "phrases", pre*, -not, a OR b, and filters such as project:shop; everything else is ordinary text.

import { toPattern } from '../text/patterns.ts';
import { type Form, toForms } from './forms.ts';
import { parseDate } from './parse-date.ts';
import { type Strength, toStrength } from './weak-words.ts';

export interface Term {
  /** As the person typed it. */
  readonly text: string;
  /** Any one of these in a text is a match. */
  readonly forms: readonly Form[];
  readonly strength: Strength;
}

export const filterNames = [
  'project',
  'branch',
  'role',
  'file',
  'since',
  'until',
  'model',
  'kind',
  'is',
] as const;
export type FilterName = (typeof filterNames)[number];

/** Filters that a dash turns round. A stretch of time has an end of its own: -since:7d is until:7d. */
const excludable = ['project', 'branch', 'role', 'file', 'model', 'kind', 'is'] as const;
export type ExcludableFilter = (typeof excludable)[number];

export interface Query {
  readonly text: string;
  readonly terms: readonly Term[];
  readonly excluded: readonly Term[];
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
  /** What sessions must not be, by filter: -project:shop. */
  readonly excludedFilters: Readonly<Partial<Record<ExcludableFilter, readonly string[]>>>;
  /** Days that are none, and days with a dash before them, as they were typed; they count as words. */
  readonly unknownDays: readonly string[];
}

/** More words than this add cost and nothing else; a pasted page is searched by its first words. */
const maxTerms = 32;
const maxQueryChars = 20_000;

const piece = new RegExp(
  `(?<sign>-?)(?:(?<filter>${filterNames.join('|')}):)?(?:"(?<quoted>[^"]*)(?:"|$)|(?<bare>[^\\s"]+))`,
  'giu',
);

export function parseQuery(text: string): Query {
  const filters: Partial<Record<FilterName, string>> = {};
  const excludedFilters: Partial<Record<ExcludableFilter, string[]>> = {};
  const terms: Term[] = [];
  const excluded: Term[] = [];
  const unknownDays: string[] = [];
  let joinsNext = false;
  for (const match of text.slice(0, maxQueryChars).matchAll(piece)) {
    const { sign = '', filter, quoted, bare } = match.groups ?? {};
    const typed = quoted ?? bare ?? '';
    const name = filter?.toLowerCase() as FilterName | undefined;
    const value = toCurrentName(name, typed);
    if (name !== undefined && sign === '' && isFilterValue(name, value)) {
      filters[name] = value;
      continue;
    }
    const turned = excludable.find((each) => each === name);
    if (turned !== undefined && sign === '-' && isFilterValue(turned, value)) {
      excludedFilters[turned] = [...(excludedFilters[turned] ?? []), value].slice(0, maxTerms);
      continue;
    }
    // Only OR in capitals between two words joins them; AND is what words mean anyway.
    if (match[0] === 'OR') {
      joinsNext = terms.length > 0;
      continue;
    }
    const whole = filter === undefined ? typed : `${filter}:${typed}`;
    if ((name === 'since' || name === 'until') && value !== '') unknownDays.push(`${sign}${whole}`);
    const term = toTerm(whole, quoted !== undefined);
    if (term === null) continue;
    if (sign === '-' && isExclusion(whole)) excluded.push(term);
    else if (joinsNext) terms.push(joinTerms(terms.pop(), term));
    else terms.push(term);
    joinsNext = false;
  }
  // Nothing but exclusions is not a question; the words are meant.
  const hasFilters = Object.keys({ ...filters, ...excludedFilters }).length > 0;
  const asked = terms.length > 0 || hasFilters ? terms : excluded;
  const kept = strengthen(distinct(asked)).slice(0, maxTerms);
  return {
    text,
    terms: kept,
    excluded: asked === excluded ? [] : excluded.slice(0, maxTerms),
    filters,
    excludedFilters,
    unknownDays: unknownDays.slice(0, maxTerms),
  };
}

/** Subagents were called agents once: `is:agent` and `kind:agent` still mean them. */
function toCurrentName(name: FilterName | undefined, value: string): string {
  return (name === 'is' || name === 'kind') && /^agent$/i.test(value) ? 'subagent' : value;
}

const anyDay = new Date(2026, 0, 15);

/** `file:///tmp/x` is an address, `role: admin` and `since:forever` are prose: what makes no sense as a filter is words. */
function isFilterValue(name: FilterName, value: string): boolean {
  if (value === '' || value.startsWith('//')) return false;
  if (name === 'role') return /^(user|assistant)$/i.test(value);
  if (name === 'kind') return /^(main|subagent|transcript|precompact|history)$/i.test(value);
  if (name === 'is') return /^subagent$/i.test(value);
  return name !== 'since' && name !== 'until' ? true : parseDate(value, anyDay) !== null;
}

const firstLetter = toPattern(/^[A-Za-z0-9]/, () => /^[\p{L}\p{N}]/u);
const prefix = toPattern(/[A-Za-z0-9]\*$/, () => /[\p{L}\p{N}]\*$/u);

/** `-rf` and `--flag` are options someone remembers, not words to leave out. */
function isExclusion(text: string): boolean {
  return firstLetter(text).test(text) && [...text].length > 2;
}

function toTerm(text: string, isQuoted: boolean): Term | null {
  const isPrefix = !isQuoted && text.endsWith('*') && prefix(text).test(text);
  const forms = toForms(text, isQuoted ? 'exact' : isPrefix ? 'prefix' : 'word');
  if (forms.length === 0) return null;
  const only = forms[0]?.tokens ?? [];
  const strength = isQuoted || isPrefix || only.length > 1 ? 'strong' : toStrength(only[0] ?? '');
  return { text, forms, strength };
}

function joinTerms(before: Term | undefined, term: Term): Term {
  if (before === undefined) return term;
  return {
    text: `${before.text} OR ${term.text}`,
    forms: distinctForms([...before.forms, ...term.forms]),
    strength: 'strong',
  };
}

/** `a OR a` is one thing to look for, and there is a limit to how many. */
function distinctForms(forms: readonly Form[]): Form[] {
  const byTokens = new Map(forms.map((form) => [JSON.stringify(form), form]));
  return [...byTokens.values()].slice(0, maxTerms);
}

function distinct(terms: readonly Term[]): Term[] {
  const byForms = new Map<string, Term>();
  for (const term of terms) {
    const key = JSON.stringify(term.forms);
    if (!byForms.has(key)) byForms.set(key, term);
  }
  return [...byForms.values()];
}

/** Where nothing else is asked for, weak words are all there is to go by. */
function strengthen(terms: readonly Term[]): Term[] {
  for (const strength of ['strong', 'asking'] as const) {
    if (terms.some((term) => term.strength === strength)) {
      return strength === 'strong'
        ? [...terms]
        : terms.map((term) => (term.strength === 'asking' ? { ...term, strength: 'strong' } : term));
    }
  }
  return terms.map((term) => ({ ...term, strength: 'strong' }));
}
