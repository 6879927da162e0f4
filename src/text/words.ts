// How text becomes searchable words. FTS5's unicode61 tokenizer splits on everything but letters and digits and folds case
// and accents; this file adds stems, the parts of identifiers, runs of Chinese, Japanese and Korean, and names that are
// mostly punctuation. What a single word consists of is in word-parts.ts.

import { readCodeUnits } from './code-units.ts';
import { isCjk, maxStemChars, minStemChars, toParts, toPattern, toStem, toSymbolName } from './word-parts.ts';

/** Only this much of a message is searchable: 15 MB of different words in one row cost FTS5 half a gigabyte of memory. */
const maxChars = 1_000_000;

/** Letters that are their own normal form, of which neighbours never merge into one. */
const cjkClass = '\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3\u3400-\u4dbf';
const cjkRun = new RegExp(`[${cjkClass}]+`, 'g');

/** Without Chinese, Japanese and Korean, which are searched by their pairs: a run of them would be one long word. */
export function toSearchable(text: string): string {
  const start = text.length <= maxChars ? text : text.slice(0, maxChars).toWellFormed();
  return start.replace(cjkRun, ' ');
}

/** Collects words that are not their own stem, each once: a query for one of them searches for all of them. */
export class WordForms {
  private static lastId = 0;
  readonly id = ++WordForms.lastId;
  readonly met = new MetWords();
  private pending: string[] = [];

  add(words: readonly string[]): void {
    this.pending.push(...words);
  }

  take(): string[] {
    const { pending } = this;
    this.pending = [];
    return pending;
  }
}

/** Regular expressions overflow their stack on runs of millions of letters without a break. */
const sliceChars = 50_000;

/** Identifier parts and joins, pairs of CJK characters and symbol names of a text, as one string of words. */
export function toPartTokens(text: string, forms: WordForms): string {
  const parts: string[] = [];
  const end = Math.min(text.length, maxChars);
  for (let from = 0; from < end; ) {
    const full = from + sliceChars;
    // After a space if there is one nearby, so that hardly any word is cut.
    const space = full < end ? text.lastIndexOf(' ', full) : -1;
    const to = space > full - 1000 ? space + 1 : Math.min(full, end);
    addTokens(from === 0 && to === text.length ? text : text.slice(from, to), parts, forms);
    from = to;
  }
  return parts.join(' ');
}

/** No nested repetition: megabytes of `a_a_a_` would overflow the engine's stack. */
const wordPattern = toPattern(/[A-Za-z0-9_]+/g, () => /[\p{L}\p{N}\p{M}_]+/gu);
const symbolName = toPattern(
  /(?<![A-Za-z0-9])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![A-Za-z0-9])/g,
  () => /(?<![\p{L}\p{N}])(?:[cC]\+\+|[cCfF]#|\.NET\b|\.net\b)(?![\p{L}\p{N}])/gu,
);
/** Longer runs of letters and digits are hashes or encoded data, not identifiers. */
const maxIdentifierChars = 64;

function addTokens(text: string, parts: string[], forms: WordForms): void {
  eachTellingWord(text, forms.met, {
    onNewWord: (from, to) => {
      const lower = text.slice(from, to).toLowerCase();
      if (toStem(lower) !== lower) forms.add([lower]);
    },
    onIdentifier: (from, to) => addWordTokens(tokensOf(text.slice(from, to)), parts, forms),
    // Every two neighbours, and the last one alone.
    onCjk: (from, to) => parts.push(text.slice(from, to).replace(/.(?=(.))/g, '$&$1 ')),
    onForeign: (from, to) => {
      const stretch = text.slice(from, to);
      for (const word of stretch.match(wordPattern(stretch)) ?? [])
        addWordTokens(tokensOf(word), parts, forms);
    },
  });
  // Plain searches take a tenth of the time: the pattern looks behind at every letter.
  const mayNameSymbol =
    ['++', '.net', '.NET'].some((symbol) => text.includes(symbol)) ||
    (text.includes('#') && /[cCfF]#/.test(text));
  if (mayNameSymbol) for (const [symbol] of text.matchAll(symbolName(text))) parts.push(toSymbolName(symbol));
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
  collectedBy: number;
}

const none: WordTokens = { forms: [], parts: [], collectedBy: 0 };

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
  // An ordinary lower-case or capitalised word has no parts, and most words are like this.
  const parts = /^[A-Z]?[a-z]*$/.test(word) ? [] : toParts(word);
  const pieces = [...word.split('_'), ...parts.flatMap((part) => (isCjk(part) ? [] : part.split(' ')))].map(
    // FTS5 stores both forms of sigma as one.
    (piece) => piece.toLowerCase().replaceAll('ς', 'σ'),
  );
  const forms = pieces.filter((piece) => toStem(piece) !== piece);
  return forms.length === 0 && parts.length === 0 ? none : { forms, parts, collectedBy: 0 };
}

export const kinds = { gap: 0, lower: 1, upper: 2, digit: 3, underscore: 4, cjk: 5, other: 6 } as const;
const { gap, lower, upper, digit, underscore, cjk, other } = kinds;

/** `characters` is what a regular expression has between brackets: characters, and ranges of them. */
function toRanges(characters: string): { readonly from: number; readonly to: number }[] {
  const ranges = characters.matchAll(/(.)(?:-(.))?/gs);
  return [...ranges].map(([, first = '', last = first]) => ({
    from: first.charCodeAt(0),
    to: last.charCodeAt(0),
  }));
}

const cjkRanges = toRanges(cjkClass);
const gapRanges = toRanges(
  '\u3000-\u3003\uff01-\uff0f\uff1a-\uff20\u3008-\u3011\u2010-\u2027\u2190-\u23ff\u2500-\u2767',
);

const firstCyrillic = 0x400;
/** Of Latin and Cyrillic characters; `other` where a letter has accents that its stem loses, or several cases. */
const tableSize = 0x500;
const kindTable = new Uint8Array(tableSize).fill(other);
for (const [kind, characters] of [
  [gap, '\0-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7'],
  [lower, 'a-z\xdf-\xf6\xf8-\xff\u0430-\u044f'],
  [upper, 'A-Z\xc0-\xd6\xd8-\xde\u0410-\u042f'],
  [digit, '0-9'],
  [underscore, '_'],
] as const)
  for (const { from, to } of toRanges(characters)) kindTable.fill(kind, from, to + 1);

export function kindOf(code: number): number {
  if (code < tableSize) return kindTable[code] as number;
  for (const { from, to } of cjkRanges) if (code >= from && code <= to) return cjk;
  for (const { from, to } of gapRanges) if (code >= from && code <= to) return gap;
  return other;
}

interface WordVisitor {
  /** A word with parts, all ASCII. */
  onIdentifier(from: number, to: number): void;
  /** A word of only ASCII letters, or with Cyrillic ones, that may have a stem and was not seen recently. */
  onNewWord(from: number, to: number): void;
  onCjk(from: number, to: number): void;
  /** One or more words that have to be looked at closely. */
  onForeign(from: number, to: number): void;
}

/** Nearly all words add nothing new, and are recognised by a hash computed on the way, without creating a string. */
export function eachTellingWord(text: string, met: MetWords, visitor: WordVisitor): void {
  const { length } = text;
  const units = readCodeUnits(text);
  let at = 0;
  while (at < length) {
    const start = at;
    let high = 0x811c9dc5;
    let low = 0x9e3779b9;
    let uppers = 0;
    let isAfterLower = false;
    let isIdentifier = false;
    let hasDigit = false;
    let cjks = 0;
    let hasOther = false;
    let codes = 0;
    for (; ; at++) {
      const code = units[at] as number;
      const kind = code < tableSize ? (kindTable[code] as number) : kindOf(code);
      if (kind === lower) {
        if (uppers > 1) isIdentifier = true;
        isAfterLower = true;
        uppers = 0;
      } else if (kind === gap) break;
      else if (kind === upper) {
        if (isAfterLower) isIdentifier = true;
        isAfterLower = false;
        uppers++;
      } else if (kind === digit) {
        hasDigit = true;
        uppers = 0;
      } else if (kind === underscore) {
        isIdentifier = true;
        isAfterLower = false;
        uppers = 0;
      } else if (kind === cjk) cjks++;
      else hasOther = true;
      codes |= code;
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low ^ code, 0x85ebca6b);
    }
    const chars = at - start;
    const mayHaveStem = !hasDigit && chars >= minStemChars && chars <= maxStemChars;
    if (codes < 128) {
      if (isIdentifier) visitor.onIdentifier(start, at);
      else if (mayHaveStem && met.isNew(high, low)) visitor.onNewWord(start, at);
    } else if (cjks === chars) visitor.onCjk(start, at);
    else if (hasOther || cjks > 0 || isIdentifier) visitor.onForeign(start, at);
    // Else a Latin word with accents, which has no stem, or a Russian one.
    else if (codes >= firstCyrillic && mayHaveStem && met.isNew(high, low)) visitor.onNewWord(start, at);
    at++;
  }
}

const slots = 2 ** 18;

/** Words as two hashes each. If there are too many, some are forgotten, and count as new again. */
export class MetWords {
  private readonly highs = new Int32Array(slots);
  private readonly lows = new Int32Array(slots);

  isNew(high: number, low: number): boolean {
    const slot = (high ^ (high >>> 15)) & (slots - 1);
    if (this.highs[slot] === high && this.lows[slot] === low) return false;
    this.highs[slot] = high;
    this.lows[slot] = low;
    return true;
  }
}
