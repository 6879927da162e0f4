// The ways in which one typed word can occur in a text, and the FTS5 expression for each. Identifiers are
// searched for whole and in parts, CJK as runs of characters, other words exactly and by their stem.

import type { Form } from '../../text/occurrences.ts';
import {
  fold,
  isCjk,
  toHumps,
  toPairs,
  toPattern,
  toScriptRuns,
  toStem,
  toSymbolName,
} from '../../text/word-parts.ts';

export type FormMode = 'word' | 'exact' | 'prefix';

const token = toPattern(/[A-Za-z0-9]+/g, () => /[\p{L}\p{N}\p{M}\p{Co}]+/gu);
const leading = toPattern(/^[^A-Za-z0-9.]+/, () => /^[^\p{L}\p{N}.]+/u);
const trailing = toPattern(/[^A-Za-z0-9+#]+$/, () => /[^\p{L}\p{N}+#]+$/u);
const snakeCase = toPattern(
  /^[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+$/,
  () => /^[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)+$/u,
);
const symbol = /^(?:[cC]\+\+|[cCfF]#|\.(?:NET|net))$/;

/** How many words of one phrase are searched for; a pasted page is found by its beginning. */
const maxTokens = 32;

/** Empty if the text has nothing that could be in the index. */
export function toForms(text: string, mode: FormMode): Form[] {
  const trimmed = text.replace(leading(text), '').replace(trailing(text), '');
  if (symbol.test(trimmed)) return [{ tokens: [toSymbolName(trimmed)], match: 'symbol' }];
  const words = [...text.matchAll(token(text))].slice(0, maxTokens).map(([word]) => word);
  if (words.length === 0) return [];
  if (words.some(isCjk)) return toCjkForms(words);
  const whole = words.map(fold);
  if (mode === 'exact') return [{ tokens: whole, match: 'exact' }];
  if (mode === 'prefix') return [{ tokens: whole, match: 'prefix' }];
  const forms: Form[] = [{ tokens: whole, match: whole.length === 1 ? 'stem' : 'exact' }];
  // A version is written with or without its `v`.
  const [first = '', ...rest] = whole;
  if (/^\W*v?\d+\.\d/i.test(text)) {
    const other = first.startsWith('v') ? first.slice(1) : `v${first}`;
    forms.push({ tokens: [other, ...rest], match: 'exact' });
  }
  // getUserById is also get_user_by_id, and the other way round.
  const humps = words.flatMap(toHumps).map(fold);
  if (humps.length > words.length) forms.push({ tokens: humps, match: 'exact' });
  if (humps.length > 1 && snakeCase(text).test(text)) {
    forms.push({ tokens: [humps.join('')], match: 'exact' });
  }
  return forms;
}

/** Runs of CJK and of other letters must all occur, next to each other as typed. */
function toCjkForms(words: readonly string[]): Form[] {
  const runs = words.flatMap(toScriptRuns).slice(0, maxTokens);
  return [{ tokens: runs.map((run) => (isCjk(run) ? run : fold(run))), match: 'cjk' }];
}

/** How many words of one stem are searched for. English has fewer; made-up names may have any number. */
const maxWordForms = 24;

/**
 * An FTS5 expression that finds any of the forms. Tokens are letters and digits, so quoting them is enough.
 * `findWords` returns the words of the index that have a given stem.
 */
export function toMatchExpression(
  forms: readonly Form[],
  findWords: (stem: string) => readonly string[],
): string {
  return forms.map((form) => toOneExpression(form, findWords)).join(' OR ');
}

/** Forms of a word that are asked for beside another; more of them are hardly ever written side by side. */
const maxNearForms = 3;

/** An FTS5 expression for the two within so many words of each other; null where that cannot be asked. */
export function toNearExpression(
  first: readonly Form[],
  second: readonly Form[],
  words: number,
  findWords: (stem: string) => readonly string[],
): string | null {
  const [before, after] = [first, second].map((forms) =>
    forms.flatMap((form) => toPhrases(form, findWords)).slice(0, maxNearForms),
  );
  if (!before?.length || !after?.length) return null;
  return before.flatMap((a) => after.map((b) => `NEAR(${a} ${b}, ${words})`)).join(' OR ');
}

function toPhrases({ tokens, match }: Form, findWords: (stem: string) => readonly string[]): string[] {
  if (match === 'exact' || match === 'symbol') return [quote(tokens.join(' '))];
  if (match !== 'stem') return [];
  const [word = ''] = tokens;
  return [...new Set([word, ...findWords(toStem(word))])].map(quote);
}

function toOneExpression({ tokens, match }: Form, findWords: (stem: string) => readonly string[]): string {
  const phrase = quote(tokens.join(' '));
  switch (match) {
    case 'exact':
    case 'symbol':
      return phrase;
    case 'prefix':
      return `${phrase} *`;
    case 'stem': {
      const [word = ''] = tokens;
      const stem = toStem(word);
      const words = [...new Set([word, stem, ...findWords(stem)])].slice(0, maxWordForms);
      return words.map(quote).join(' OR ');
    }
    case 'cjk':
      return `(${tokens.map(toRunExpression).join(' AND ')})`;
  }
}

function toRunExpression(run: string): string {
  if (!isCjk(run)) return quote(run);
  const pairs = toPairs(run);
  // A single character is the start of a pair. In a longer run, the last character alone adds nothing to the
  // pairs.
  return pairs.length === 1 ? `part : ${quote(run)} *` : `part : ${quote(pairs.slice(0, -1).join(' '))}`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`;
}
