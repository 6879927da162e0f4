// Goes through the words of a text and stops only at those that add something new: identifiers, which have
// parts, runs of Chinese, Japanese and Korean, and words not seen before. All others, which is nearly all of
// them, are recognised by a hash computed on the way, without creating a string.

/** What a character is to the words around it. */
export const kinds = { gap: 0, lower: 1, upper: 2, digit: 3, underscore: 4, cjk: 5, other: 6 } as const;
const { gap, lower, upper, digit, underscore, cjk, other } = kinds;

type Ranges = readonly (readonly [from: number, to: number])[];

/** Letters that are their own normal form, of which neighbours never merge into one. */
export const cjkRanges: Ranges = [
  [0x4e00, 0x9fff],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30fc],
  [0xac00, 0xd7a3],
  [0x3400, 0x4dbf],
];
/** Punctuation, arrows and frames. */
const gapRanges: Ranges = [
  [0x3000, 0x3003],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0x3008, 0x3011],
  [0x2010, 0x2027],
  [0x2190, 0x23ff],
  [0x2500, 0x2767],
];

/** Of Latin and Cyrillic characters; `other` where a letter has accents that its stem loses, or several cases. */
const tableSize = 0x500;
const kindTable = new Uint8Array(tableSize).fill(other);
const setKinds = (kind: number, ranges: Ranges) => {
  for (const [from, to] of ranges) kindTable.fill(kind, from, to + 1);
};
setKinds(gap, [
  [0, 0x7f],
  [0x80, 0xa9],
  [0xab, 0xb1],
  [0xb4, 0xb4],
  [0xb6, 0xb8],
  [0xbb, 0xbb],
  [0xbf, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
]);
setKinds(lower, [
  [0x61, 0x7a],
  [0xdf, 0xf6],
  [0xf8, 0xff],
  [0x430, 0x44f],
]);
setKinds(upper, [
  [0x41, 0x5a],
  [0xc0, 0xd6],
  [0xd8, 0xde],
  [0x410, 0x42f],
]);
setKinds(digit, [[0x30, 0x39]]);
setKinds(underscore, [[0x5f, 0x5f]]);

export function kindOf(code: number): number {
  if (code < tableSize) return kindTable[code] as number;
  for (const [from, to] of cjkRanges) if (code >= from && code <= to) return cjk;
  for (const [from, to] of gapRanges) if (code >= from && code <= to) return gap;
  return other;
}

/** Shorter and longer words have no stem. */
const minStemChars = 4;
const maxStemChars = 32;

/** Gets words by where they start and end. */
export interface WordVisitor {
  /** A word with parts, all ASCII, and two hashes of it. */
  onIdentifier(from: number, to: number, high: number, low: number): void;
  /** A word of only ASCII letters that may have a stem and was not seen recently. */
  onNewWord(from: number, to: number): void;
  /** A word of nothing but Chinese, Japanese or Korean. */
  onCjk(from: number, to: number): void;
  /** One or more words that have to be looked at closely. */
  onForeign(from: number, to: number): void;
}

/** Skips words that add nothing. */
export function eachTellingWord(text: string, met: MetWords, visitor: WordVisitor): void {
  const { length } = text;
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
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
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
    if (codes < 128) {
      if (isIdentifier) visitor.onIdentifier(start, at, high, low);
      else if (!hasDigit && chars >= minStemChars && chars <= maxStemChars && met.isNew(high, low))
        visitor.onNewWord(start, at);
    } else if (cjks === chars) visitor.onCjk(start, at);
    // A word with accents, or a Russian one: it has no stem.
    else if (hasOther || cjks > 0 || isIdentifier) visitor.onForeign(start, at);
    at++;
  }
}

const slots = 2 ** 18;

/**
 * Words as two hashes each. If there are too many, some are forgotten, and those simply count as new again.
 */
export class MetWords {
  private readonly highs = new Int32Array(slots);
  private readonly lows = new Int32Array(slots);

  /** Whether the word was not seen recently; remembers it. */
  isNew(high: number, low: number): boolean {
    const slot = (high ^ (high >>> 15)) & (slots - 1);
    if (this.highs[slot] === high && this.lows[slot] === low) return false;
    this.highs[slot] = high;
    this.lows[slot] = low;
    return true;
  }
}
