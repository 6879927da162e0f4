// The ways in which one typed word can occur in a text: identifiers whole and in parts, CJK as runs of characters, other words
// exactly and by their stem; and what a pasted path or name may be shortened to.

import type { Form } from '../../text/occurrences.ts';
import { fold, isCjk, toHumps, toPattern, toScriptRuns, toSymbolName } from '../../text/word-parts.ts';

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

const lineNumber = /(?:[:#]L?\d+(?:[:-]L?\d+)?|\(\d+(?:,\d+)?\))$/;
const callOrArity = /(?:\(.*\)|\/\d{1,2})$/;
const queryString = /[?#].*$/;
/** Two words with a slash between them are no path: it has a start, an extension, or two folders. */
const path = /^(?:[~.]*|[A-Za-z]:)[\\/]|[\\/].*(?:\.\w{1,10}$|[\\/])/;
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** How many folders are taken off one by one; a path is rarely deeper. */
const maxFolders = 16;

/** Without line and column, query string, arity, leading folders. Longest first, without the text itself. */
export function shortenCompound(text: string): string[] {
  // As in a stack trace; other closing parentheses belong to a call.
  const [, inside = text] = /^\(((?:[^()]|\([^()]*\))*)\)[,;:.]*$/.exec(text) ?? [];
  const plain = inside.replace(/^["'`([{<]+|["'`\]}>,;:.]+$/g, '');
  const shorter: string[] = [];
  const add = (next: string) => {
    if (next !== '' && next !== text && next !== shorter.at(-1)) shorter.push(next);
  };
  if (scheme.test(plain)) {
    const address = plain.replace(queryString, '').replace(/\/+$/, '');
    add(address);
    add(address.replace(scheme, ''));
    return shorter;
  }
  const place = plain.replace(lineNumber, '');
  add(place);
  const name = place.replace(callOrArity, '');
  add(name);
  if (!path.test(name)) return shorter;
  const [, ...folders] = name.split(/[\\/]+/);
  for (let i = Math.max(0, folders.length - maxFolders); i < folders.length; i++)
    add(folders.slice(i).join('/'));
  return shorter;
}
