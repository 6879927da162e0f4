// What one word consists of: its stem, the humps of an identifier, runs and pairs of Chinese, Japanese and Korean, names
// that are mostly punctuation. Index and query use the same functions; what the index does with whole texts is in words.ts.

import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemEnglish } from 'stemmer';

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

/** Both must match the same ASCII text, which is nearly all: a Unicode class takes milliseconds to build and is slower. */
export function toPattern(ascii: RegExp, unicode: () => RegExp): (text: string) => RegExp {
  let built: RegExp | null = null;
  return (text) => {
    if (isAscii(text)) return ascii;
    built ??= unicode();
    return built;
  };
}

const camelPart = toPattern(
  /[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g,
  () => /\p{Lu}+(?!\p{Ll})\d*|\p{Lu}?\p{Ll}+\d*|\d+/gu,
);
const camelHump = toPattern(/[a-z]\d*[A-Z]|[A-Z][A-Z][a-z]/, () => /\p{Ll}\d*\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u);
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々〆';
const cjkCharacter = toPattern(/(?!)/, () => new RegExp(`[${cjk}]`, 'u'));
const scriptRun = toPattern(/[\s\S]+/g, () => new RegExp(`[${cjk}]+|[^${cjk}]+`, 'gu'));

export function isCjk(text: string): boolean {
  return cjkCharacter(text).test(text);
}

/** A word as FTS5 stores it: lower case, without accents. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  // Like unicode61, which removes marks from Latin letters only.
  return lower
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin}\p{M}*)\p{M}/gu, '')
    .normalize('NFC');
}

export function toParts(word: string): string[] {
  const parts: string[] = [];
  if (/[^_]_+[^_]/.test(word)) parts.push(word.replaceAll('_', '').toLowerCase());
  for (const piece of word.split(/_+/)) {
    const humps = toHumps(piece);
    if (humps.length > 1) parts.push(humps.join(' ').toLowerCase());
  }
  if (isCjk(word))
    for (const run of toScriptRuns(word)) parts.push(isCjk(run) ? toPairs(run).join(' ') : run);
  return parts;
}

/** `getUserById` → get, User, By, Id; a word without humps stays whole. */
export function toHumps(word: string): string[] {
  return camelHump(word).test(word) ? (word.match(camelPart(word)) ?? [word]) : [word];
}

/** Runs of CJK and runs of anything else, which often follow each other without a space. */
export function toScriptRuns(text: string): string[] {
  const normal = text.normalize('NFKC');
  return normal.match(scriptRun(normal)) ?? [];
}

/** Every two neighbours, and the last one alone: two or more are found as a phrase of pairs, one as the start of a pair. */
export function toPairs(run: string): string[] {
  const characters = [...run.normalize('NFKC')];
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
}

export function toSymbolName(symbol: string): string {
  const lower = symbol.toLowerCase();
  if (lower === '.net') return 'dotnet';
  return lower.endsWith('#') ? `${lower[0]}sharp` : 'cplusplus';
}

const knownStems = new Map<string, string>();
const maxKnownStems = 10_000;

/** FTS5 removes accents from Latin letters only, but people omit them in these scripts too. */
const accented = /[\u0390\u03ac-\u03b0\u03c2\u03ca-\u03ce\u0451\u1f00-\u1fff]/g;

/**
 * The stem of a lower-case word, by its script: in Latin letters as in English (Porter), in Cyrillic ones as in Russian
 * (Snowball). Other languages in these scripts cannot be told apart by one word. Else the word, a Greek one without its accents.
 */
export function toStem(lower: string): string {
  const isLatin = /^[a-z]+$/.test(lower);
  const plain = isLatin ? lower : lower.replace(accented, withoutAccent);
  if (plain.length < minStemChars || plain.length > maxStemChars) return plain;
  if (!isLatin && !/^[а-я]+$/.test(plain)) return plain;
  let stem = knownStems.get(plain);
  if (stem === undefined) {
    stem = isLatin ? stemEnglish(plain) : stemRussian(plain);
    if (knownStems.size >= maxKnownStems) knownStems.clear();
    knownStems.set(plain, stem);
  }
  return stem;
}

/** Shorter words are their own stem; longer ones are no words. */
export const minStemChars = 4;
export const maxStemChars = 32;

function withoutAccent(letter: string): string {
  return letter === 'ς' ? 'σ' : letter.normalize('NFD').charAt(0);
}
