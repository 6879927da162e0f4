// How text becomes searchable words. FTS5's unicode61 tokenizer already splits on everything but letters and
// digits and folds case and accents; this file adds what it cannot do: stems, the parts of identifiers, runs
// of Chinese, Japanese and Korean, and names that are mostly punctuation.

import { toPattern } from './patterns.ts';
import { toStem } from './stem.ts';
import { cjkRanges, eachTellingWord, MetWords } from './telling-words.ts';
import { isCjk, toParts, toSymbolName } from './word-parts.ts';

/**
 * Collects words that are not their own stem, each once: the index knows them by their stem, and a query for
 * one of them searches for all of them.
 */
export class WordForms {
  private static lastId = 0;
  readonly id = ++WordForms.lastId;
  readonly met = new MetWords();
  private pending: string[] = [];

  add(words: readonly string[]): void {
    for (const word of words) this.pending.push(word);
  }

  /** The words added since the last call. */
  take(): string[] {
    const { pending } = this;
    this.pending = [];
    return pending;
  }
}

/** No nested repetition: megabytes of `a_a_a_` would overflow the engine's stack. */
const wordPattern = toPattern(/[A-Za-z0-9_]+/g, () => /[\p{L}\p{N}\p{M}_]+/gu);
const symbolName = toPattern(
  /(?<![A-Za-z0-9])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![A-Za-z0-9])/g,
  () => /(?<![\p{L}\p{N}])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![\p{L}\p{N}])/gu,
);
/** Longer runs of letters and digits are hashes or encoded data, not identifiers. */
const maxIdentifierChars = 64;

/**
 * A message longer than this is a pasted file, and only its beginning is searchable. FTS5 collects the words
 * of a row in memory before it writes any: 15 MB of different words cost it half a gigabyte.
 */
const maxChars = 1_000_000;

const cjkRun = new RegExp(
  `[${cjkRanges.map(([from, to]) => `${String.fromCharCode(from)}-${String.fromCharCode(to)}`).join('')}]+`,
  'g',
);

/**
 * What of a text goes into the full-text index as it is. Chinese, Japanese and Korean are searched by their pairs alone: a
 * run of them would be one long word, different in every sentence.
 */
export function toSearchable(text: string): string {
  const start = text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
  return start.replace(cjkRun, ' ');
}

/** Regular expressions overflow their stack on runs of millions of letters without a break. */
const sliceChars = 50_000;

/** Identifier parts and joins, pairs of CJK characters and symbol names of a text, as one string of words. */
export function toPartTokens(text: string, forms: WordForms): string {
  const parts: string[] = [];
  const end = Math.min(text.length, maxChars);
  for (let from = 0; from < end; ) {
    const to = toSliceEnd(text, from, end);
    addTokens(from === 0 && to === text.length ? text : text.slice(from, to), parts, forms);
    from = to;
  }
  return parts.join(' ');
}

/** After a space if there is one nearby, so that hardly any word is cut. */
function toSliceEnd(text: string, from: number, end: number): number {
  const to = from + sliceChars;
  if (to >= end) return end;
  const space = text.lastIndexOf(' ', to);
  return space > to - 1000 ? space + 1 : to;
}

function addTokens(text: string, parts: string[], forms: WordForms): void {
  eachTellingWord(text, forms.met, {
    onNewWord: (from, to) => {
      const lower = text.slice(from, to).toLowerCase();
      if (toStem(lower) !== lower) forms.add([lower]);
    },
    onIdentifier: (from, to, high, low) => {
      const slot = (high ^ (high >>> 15)) & (identifiers - 1);
      let known = knownIdentifiers[slot];
      if (known === undefined || known.high !== high || known.low !== low) {
        known = { high, low, tokens: toTokens(toCopy(text.slice(from, to))) };
        knownIdentifiers[slot] = known;
      }
      addWordTokens(known.tokens, parts, forms);
    },
    onCjk: (from, to) => parts.push(toPlainPairs(text, from, to)),
    onForeign: (from, to) => {
      const stretch = text.slice(from, to);
      for (const word of stretch.match(wordPattern(stretch)) ?? [])
        addWordTokens(tokensOf(word), parts, forms);
    },
  });
  if (mayNameSymbol(text))
    for (const [symbol] of text.matchAll(symbolName(text))) parts.push(toSymbolName(symbol));
}

/** Plain searches take a tenth of the time: the pattern looks behind at every letter. */
function mayNameSymbol(text: string): boolean {
  return (
    text.includes('++') ||
    text.includes('.net') ||
    text.includes('.NET') ||
    (text.includes('#') && /[cCfF]#/.test(text))
  );
}

function addWordTokens(tokens: WordTokens, parts: string[], forms: WordForms): void {
  if (tokens === none) return;
  for (const part of tokens.parts) parts.push(part);
  if (tokens.collectedBy === forms.id) return;
  forms.add(tokens.forms);
  tokens.collectedBy = forms.id;
}

interface WordTokens {
  readonly forms: readonly string[];
  readonly parts: readonly string[];
  /** The id of the collector that already has its forms. */
  collectedBy: number;
}

const none: WordTokens = { forms: [], parts: [], collectedBy: 0 };

/** The same identifiers occur again and again, and are recognised by two hashes. */
interface KnownIdentifier {
  readonly high: number;
  readonly low: number;
  readonly tokens: WordTokens;
}

const identifiers = 2 ** 15;
const knownIdentifiers: (KnownIdentifier | undefined)[] = new Array(identifiers);

/** A slice of a text would keep the whole text in memory. */
function toCopy(word: string): string {
  return Buffer.from(word).toString();
}

const knownTokens = new Map<string, WordTokens>();
const maxKnown = 20_000;

function tokensOf(word: string): WordTokens {
  let tokens = knownTokens.get(word);
  if (tokens === undefined) {
    tokens = toTokens(word);
    if (knownTokens.size >= maxKnown) knownTokens.clear();
    if (word.length <= maxIdentifierChars) knownTokens.set(toCopy(word), tokens);
  }
  return tokens;
}

function toTokens(word: string): WordTokens {
  if (word.length > maxIdentifierChars && !isCjk(word)) return none;
  const parts = isPlain(word) ? [] : toParts(word);
  const pieces = [...word.split('_'), ...parts.flatMap((part) => (isCjk(part) ? [] : part.split(' ')))].map(
    // As FTS5 stores it, which has only one sigma.
    (piece) => piece.toLowerCase().replaceAll('ς', 'σ'),
  );
  const forms = pieces.filter((piece) => toStem(piece) !== piece);
  return forms.length === 0 && parts.length === 0 ? none : { forms, parts, collectedBy: 0 };
}

/** An ordinary lower-case or capitalised word, which has no parts: most words are like this. */
function isPlain(word: string): boolean {
  return /^[A-Z]?[a-z]*$/.test(word);
}

let pairUnits = Buffer.alloc(0);

/** The same joined by spaces, for a run of characters of the basic plane that are their own normal form. */
function toPlainPairs(text: string, from: number, to: number): string {
  const bytes = (to - from) * 6;
  if (pairUnits.length < bytes) pairUnits = Buffer.alloc(bytes * 2);
  let end = 0;
  let code = text.charCodeAt(from);
  for (let at = from + 1; at < to; at++) {
    pairUnits[end++] = code & 0xff;
    pairUnits[end++] = code >> 8;
    code = text.charCodeAt(at);
    pairUnits[end++] = code & 0xff;
    pairUnits[end++] = code >> 8;
    pairUnits[end++] = 0x20;
    pairUnits[end++] = 0;
  }
  pairUnits[end++] = code & 0xff;
  pairUnits[end++] = code >> 8;
  return pairUnits.toString('utf16le', 0, end);
}
