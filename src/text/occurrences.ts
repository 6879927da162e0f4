// Finds where the forms of a term occur in a text. It uses plain substring searches and looks at the neighbouring
// characters: every search goes through several hundred messages, and splitting each into words costs ten times as much.

import { toStem } from './word-parts.ts';

export interface Form {
  /** Folded words next to each other; for CJK, runs of characters. */
  readonly tokens: readonly string[];
  readonly match: 'exact' | 'stem' | 'prefix' | 'cjk' | 'symbol';
}

export interface Occurrence {
  readonly start: number;
  readonly end: number;
  /** The word itself rather than another of the same stem. */
  readonly isExact: boolean;
}

/** A text folded character by character, so that offsets in it are offsets in the original. */
type FoldedText = Readonly<Record<'original' | 'folded', string>>;

const nonAscii = /[^\x00-\x7f]/g;
/** Letters that can lose an accent; checking every dash and quotation mark would take longer than everything else. */
const accented = /[\u00c0-\u0233\u0390\u03ac-\u03b0\u03c2\u03ca-\u03ce\u0451\u1e00-\u1fff]/g;
const marks = /[\u0300-\u036f]/g;
const foldedCharacters = new Map<string, string>();

export function foldText(original: string): FoldedText {
  const lower = original.toLowerCase();
  // The rare letters whose length changes in lower case are left as they are.
  const sameLength =
    lower.length === original.length
      ? lower
      : original.replace(nonAscii, lowerCharacter).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return { original, folded: sameLength.replace(accented, foldCharacter) };
}

function lowerCharacter(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

function foldCharacter(character: string): string {
  let folded = foldedCharacters.get(character);
  if (folded === undefined) {
    [folded = character] = character === 'ς' ? 'σ' : character.toLowerCase().normalize('NFD');
    foldedCharacters.set(character, folded);
  }
  return folded;
}

/** Occurrences kept for one term in one text; more than this say nothing new about it. */
const maxOccurrences = 64;

export function findOccurrences(text: FoldedText, forms: readonly Form[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const form of forms) findForm(text, form, found);
  if (forms.length === 1) return found;
  // Two forms may occur in the same place, as get_user_by_id and its joined form do in getUserById.
  return withoutOverlaps(found);
}

/** In order; of those that overlap the first, then the longest. Sorts the list that it is given. */
export function withoutOverlaps<S extends Pick<Occurrence, 'start' | 'end'>>(found: S[]): S[] {
  let covered = 0;
  return found
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < covered) return false;
      covered = end;
      return true;
    });
}

function findForm(text: FoldedText, form: Form, found: Occurrence[]): void {
  const folded = asFolded(form);
  const { needle, first } = folded;
  if (needle === '') return;
  for (let at = text.folded.indexOf(needle); at >= 0; at = text.folded.indexOf(needle, at + 1)) {
    if (found.length >= maxOccurrences) return;
    if (form.match === 'symbol' && isLetter(text.original[at - 1])) continue;
    if (form.match !== 'symbol' && form.match !== 'cjk' && !isWordStart(text.original, at)) continue;
    const end = endOfForm(text, form, folded, at);
    if (end === null) continue;
    const isExact = form.match !== 'stem' || text.folded.slice(at, end).replace(marks, '') === first;
    found.push({ start: at, end, isExact });
  }
}

interface FoldedForm {
  /** Occurs wherever the form does. All words of one stem start with the common prefix of any of them and the stem. */
  readonly needle: string;
  readonly first: string;
  readonly rest: readonly string[];
}

const foldedForms = new WeakMap<Form, FoldedForm>();

function asFolded(form: Form): FoldedForm {
  let folded = foldedForms.get(form);
  if (folded === undefined) {
    const [word = '', ...rest] = form.tokens.map((token) => token.replace(accented, foldCharacter));
    const first = form.match === 'symbol' ? (symbolSpellings[word] ?? word) : word;
    const stem = form.match === 'stem' ? toStem(first) : first;
    let shared = 0;
    while (shared < first.length && first[shared] === stem[shared]) shared++;
    folded = { needle: first.slice(0, shared), first, rest };
    foldedForms.set(form, folded);
  }
  return folded;
}

function endOfForm(text: FoldedText, form: Form, { first, rest }: FoldedForm, at: number): number | null {
  if (form.match === 'stem') {
    const hump = endOfWord(text, at);
    if (isOfStem(text, at, hump, first)) return hump;
    // All humps together are a word, too: AppleScript is also found as applescript.
    let whole = hump;
    if (!isJoined(text.original[at - 1])) while (isJoined(text.original[whole])) whole++;
    return whole > hump && isOfStem(text, at, whole, first) ? whole : null;
  }
  let end = at + first.length;
  if (form.match === 'symbol') return end;
  for (const token of rest) {
    const next = skipGap(text.folded, end);
    if (!text.folded.startsWith(token, next)) return null;
    if (form.match !== 'cjk' && !isWordEnd(text.original, end)) return null;
    end = next + token.length;
  }
  if (form.match === 'prefix') return endOfWord(text, end - 1);
  return form.match === 'cjk' || isWordEnd(text.original, end) ? end : null;
}

function isOfStem(text: FoldedText, from: number, to: number, word: string): boolean {
  const found = text.folded.slice(from, to).replace(marks, '');
  return found === word || toStem(found) === toStem(word);
}

const symbolSpellings: Readonly<Record<string, string>> = {
  cplusplus: 'c++',
  csharp: 'c#',
  fsharp: 'f#',
  dotnet: '.net',
};

function skipGap(folded: string, from: number): number {
  let at = from;
  while (at < folded.length && at - from < 8 && !isLetter(folded[at])) at++;
  return at;
}

function endOfWord(text: FoldedText, from: number): number {
  let end = from + 1;
  while (!isWordEnd(text.original, end)) end++;
  return end;
}

/** Also inside an identifier, where a hump starts. */
function isWordStart(text: string, at: number): boolean {
  const before = text[at - 1];
  if (!isJoined(before)) return true;
  return isUpper(text[at]) && (!isUpper(before) || isLower(text[at + 1]));
}

function isWordEnd(text: string, end: number): boolean {
  if (!isJoined(text[end])) return true;
  const last = text[end - 1];
  return isUpper(text[end]) && (isLower(last) || isDigit(last) || isLower(text[end + 1]));
}

function isLetter(character: string | undefined): boolean {
  if (character === undefined) return false;
  const code = character.charCodeAt(0);
  if (code < 128) return isDigit(character) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  // Dashes, quotation marks, bullets, arrows and boxes, without a Unicode class, which takes long to build.
  if ((code >= 0x2010 && code <= 0x205e) || (code >= 0x2190 && code <= 0x245f)) return false;
  return /[\p{L}\p{N}\p{M}]/u.test(character);
}

/** Chinese, Japanese and Korean are written beside a Latin word without a space, and are not part of it. */
function isJoined(character: string | undefined): boolean {
  return (
    isLetter(character) && !/[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/.test(character ?? '')
  );
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isUpper(character: string | undefined): boolean {
  return character !== undefined && character >= 'A' && character <= 'Z';
}

function isLower(character: string | undefined): boolean {
  return character !== undefined && character >= 'a' && character <= 'z';
}
