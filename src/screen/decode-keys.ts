// Bytes from a terminal → keys. A sequence may arrive in several pieces, and a lone Esc looks like the start of one: what is
// unfinished waits until more bytes come or the caller's timer calls `flush`. Sequences that no key sends are dropped.

import { StringDecoder } from 'node:string_decoder';

/** `up`, `enter`, `ctrl-p`, `alt-b`, `shift-tab`; text is one character at a time. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'key'; readonly name: string };

const pasteStart = '\x1b[200~';
const pasteEnd = '\x1b[201~';

type Names = Readonly<Record<string, string>>;

/** Keys that end in a letter, after CSI or SS3. */
const byLetter: Names = { A: 'up', B: 'down', C: 'right', D: 'left', H: 'home', F: 'end' };
const functionKeys: Names = { P: 'f1', Q: 'f2', R: 'f3', S: 'f4' };
/** Keys that end in a tilde, by their number; those of rxvt have others. */
const byNumber: Names = { 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'page-up', 6: 'page-down' };
const byRxvtNumber: Names = { 7: 'home', 8: 'end', 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4' };
const byControl: Names = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x1b': 'esc',
  '\0': 'ctrl-space',
};

const csi = /^\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])/;
const csiStart = /^\x1b\[[0-9:;<=>?]*[ -/]*$/;
const ss3 = /^\x1bO([0-9;]*)([A-Za-z])/;
const ss3Start = /^\x1bO[0-9;]*$/;
/** Reports that a terminal sends unasked, OSC, DCS and the like, up to their end. */
const controlString = /^\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)/;
const controlStringStart = /^\x1b[\]P_^X][^\x07\x1b]*\x1b?$/;

export class KeyDecoder {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';

  feed(bytes: Uint8Array): Key[] {
    this.rest += this.decoder.write(Buffer.from(bytes));
    return this.take(false);
  }

  /** Whether the bytes so far end in the middle of a sequence that is complete if nothing follows soon. */
  get isWaiting(): boolean {
    return this.rest !== '' && !this.rest.startsWith(pasteStart);
  }

  /** Takes an unfinished sequence as keys: Esc, or Alt with a character. */
  flush(): Key[] {
    return this.isWaiting ? this.take(true) : [];
  }

  private take(isLast: boolean): Key[] {
    const keys: Key[] = [];
    while (this.rest !== '') {
      const found = findFirst(this.rest, isLast);
      if (found === undefined) break;
      this.rest = this.rest.slice(found.length);
      if (found.key !== null) keys.push(found.key);
    }
    return keys;
  }
}

interface FoundKey {
  /** Null for a sequence that is not a key. */
  readonly key: Key | null;
  readonly length: number;
}

/** Undefined while the first sequence is unfinished. */
function findFirst(input: string, isLast: boolean): FoundKey | undefined {
  if (input.startsWith(pasteStart)) {
    const end = input.indexOf(pasteEnd, pasteStart.length);
    if (end < 0) return undefined;
    const text = input.slice(pasteStart.length, end);
    return { key: { type: 'paste', text }, length: end + pasteEnd.length };
  }
  return input.startsWith('\x1b') ? findSequence(input, isLast) : findCharacter(input);
}

function findSequence(input: string, isLast: boolean): FoundKey | undefined {
  for (const pattern of [csi, ss3]) {
    const match = pattern.exec(input);
    if (match !== null)
      return { key: findSequenceKey(match[1] ?? '', match[2] ?? ''), length: match[0].length };
  }
  const ignored = controlString.exec(input)?.[0];
  if (ignored !== undefined) return { key: null, length: ignored.length };
  const isUnfinished = [csiStart, ss3Start, controlStringStart].some((start) => start.test(input));
  if (!isLast && (input === '\x1b' || isUnfinished)) return undefined;
  // Two presses of Esc, unless a terminal sends Alt with an arrow this way.
  const isTwice = input.startsWith('\x1b\x1b') && !/^\x1b\x1b[[O]/.test(input);
  if (input === '\x1b' || isTwice) return { key: { type: 'key', name: 'esc' }, length: 1 };
  const after = findFirst(input.slice(1), isLast);
  return after && { key: withAlt(after.key), length: after.length + 1 };
}

function withAlt(key: Key | null): Key | null {
  if (key === null || key.type === 'paste') return key;
  const name = nameOf(key);
  return { type: 'key', name: name.startsWith('alt-') ? name : `alt-${name}` };
}

function findCharacter(input: string): FoundKey {
  const code = input.codePointAt(0) ?? 0;
  const character = String.fromCodePoint(code);
  const { length } = character;
  if (code >= 0x80 && code < 0xa0) return { key: null, length };
  if (code >= 0x20 && code !== 0x7f) return { key: { type: 'text', text: character }, length };
  const name = byControl[character] ?? `ctrl-${String.fromCharCode(code + 0x40).toLowerCase()}`;
  return { key: { type: 'key', name }, length };
}

function findSequenceKey(parameters: string, final: string): Key | null {
  if (/[<=>?]/.test(parameters)) return null;
  const [first = '', second = '', third = ''] = parameters.split(';');
  if (final === 'Z') return { type: 'key', name: 'shift-tab' };
  // A character with modifiers, as newer terminals report it.
  if (final === 'u') return findModified(Number(first), second);
  if (final === '~' && first === '27') return findModified(Number(third), second);
  const byTilde = byNumber[first] ?? byRxvtNumber[first];
  const name = final === '~' ? byTilde : (byLetter[final] ?? functionKeys[final]);
  return name === undefined ? null : { type: 'key', name: `${formatModifiers(second)}${name}` };
}

function findModified(code: number, modifier: string): Key | null {
  if (!Number.isInteger(code) || code <= 0 || code > 0x10ffff) return null;
  const { key } = findCharacter(String.fromCodePoint(code));
  const modifiers = formatModifiers(modifier);
  if (key === null || (key.type === 'text' && (modifiers === '' || modifiers === 'shift-'))) return key;
  return { type: 'key', name: `${modifiers}${nameOf(key)}` };
}

/** The name of a key, or the character that was typed; empty for a paste. */
export function nameOf(key: Key): string {
  return key.type === 'text' ? key.text : key.type === 'key' ? key.name : '';
}

/** The parameter is one more than the sum of 1 for Shift, 2 for Alt, 4 for Ctrl; what follows a colon is not about the key. */
function formatModifiers(parameter: string): string {
  const bits = Math.max(0, (Number.parseInt(parameter, 10) || 1) - 1);
  return `${bits & 4 ? 'ctrl-' : ''}${bits & 2 ? 'alt-' : ''}${bits & 1 ? 'shift-' : ''}`;
}
