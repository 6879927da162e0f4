// Passes over JSON that nobody asked for, making nothing of it. It is checked all the same, exactly as JSON.parse
// would: what is not JSON is a SyntaxError here too. All but a few bytes of a transcript go through these loops, which
// work on places in the whole memory a line was cut from.

export const codes = {
  quote: 0x22,
  plus: 0x2b,
  comma: 0x2c,
  minus: 0x2d,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  t: 0x74,
  f: 0x66,
  n: 0x6e,
} as const;

const literals = new Map(['true', 'false', 'null'].map((word) => [word.charCodeAt(0), word]));

/** How many bytes follow the backslash of an escape, by the first of them; 0 where there is no such escape. */
const escapeBytes = new Uint8Array(256);
for (const letter of '"\\/bfnrt') escapeBytes[letter.charCodeAt(0)] = 1;
escapeBytes['u'.charCodeAt(0)] = 5;

const isSpace = new Uint8Array(256);
for (const space of ' \t\n\r') isSpace[space.charCodeAt(0)] = 1;

const isHexDigit = new Uint8Array(256);
for (const digit of '0123456789abcdefABCDEF') isHexDigit[digit.charCodeAt(0)] = 1;

/** Deeper than any line of a transcript; deeper ones get a larger array for as long as they last. */
const usualNesting = new Uint8Array(1024);

/** 0 behind the end, which like NUL can stand nowhere in JSON. */
export function byteAt(text: DataView, at: number, end: number): number {
  return at < end ? text.getUint8(at) : 0;
}

export function passSpace(text: DataView, at: number, end: number): number {
  return at < end && text.getUint8(at) <= 0x20 ? passSpaces(text, at, end) : at;
}

function passSpaces(text: DataView, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace[text.getUint8(at)] === 1) at++;
  return at;
}

/**
 * From anywhere within a string to the quote, backslash or control byte that comes first, or to the end. Four bytes at
 * a time, which is twice as fast as looking each one up: in `marks` the highest bit of a byte says that it is one of these.
 * Flipping bit 1 puts the quote right above the control bytes, so that one subtraction finds both. A borrow can mark a
 * byte wrongly only above one marked rightly, and the lowest is the one that counts.
 */
export function passPlain(text: DataView, from: number, end: number): number {
  let at = from;
  for (const last = end - 4; at <= last; at += 4) {
    const word = text.getInt32(at, true);
    const marks =
      (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
    if (marks !== 0) return at + ((31 - Math.clz32(marks & -marks)) >> 3);
  }
  for (; at < end; at++) {
    const byte = text.getUint8(at);
    if (byte < 0x20 || byte === codes.quote || byte === codes.backslash) break;
  }
  return at;
}

export function passString(text: DataView, from: number, end: number): number {
  return passStringFrom(text, passPlain(text, from, end), end);
}

/** From where passPlain stopped in a string to behind its closing quote. */
export function passStringFrom(text: DataView, stop: number, end: number): number {
  let at = stop;
  for (;;) {
    const byte = byteAt(text, at, end);
    if (byte === codes.quote) return at + 1;
    if (byte !== codes.backslash) throw new SyntaxError();
    at = passPlain(text, passEscape(text, at + 1, end), end);
  }
}

function passEscape(text: DataView, at: number, end: number): number {
  const length = escapeBytes[byteAt(text, at, end)] ?? 0;
  if (length === 1) return at + 1;
  if (length === 0) throw new SyntaxError();
  for (let digit = at + 1; digit < at + length; digit++)
    if (isHexDigit[byteAt(text, digit, end)] === 0) throw new SyntaxError();
  return at + length;
}

/** From the first byte of any value to behind its last. Without recursion, for lines may nest without end. */
export function passValue(text: DataView, from: number, end: number): number {
  let nesting = usualNesting;
  let depth = 0;
  let at = from;
  for (;;) {
    const byte = byteAt(text, at, end);
    if (byte === codes.openBrace || byte === codes.openBracket) {
      const isArray = byte === codes.openBracket;
      at = passSpace(text, at + 1, end);
      if (byteAt(text, at, end) === (isArray ? codes.closeBracket : codes.closeBrace)) {
        at++;
      } else {
        if (depth === nesting.length) nesting = toLarger(nesting);
        nesting[depth++] = isArray ? 1 : 0;
        if (!isArray) at = passKey(text, at, end);
        continue;
      }
    } else {
      at = byte === codes.quote ? passString(text, at + 1, end) : passWord(text, at, end);
    }
    for (;;) {
      if (depth === 0) return at;
      const isArray = nesting[depth - 1] === 1;
      at = passSpace(text, at, end);
      const next = byteAt(text, at, end);
      if (next === codes.comma) {
        at = passSpace(text, at + 1, end);
        if (!isArray) at = passKey(text, at, end);
        break;
      }
      if (next !== (isArray ? codes.closeBracket : codes.closeBrace)) throw new SyntaxError();
      at++;
      depth--;
    }
  }
}

function toLarger(nesting: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(nesting.length * 2);
  larger.set(nesting);
  return larger;
}

/** From the quote of a key to the first byte of its value. */
function passKey(text: DataView, at: number, end: number): number {
  if (byteAt(text, at, end) !== codes.quote) throw new SyntaxError();
  return passColon(text, passString(text, at + 1, end), end);
}

export function passColon(text: DataView, from: number, end: number): number {
  const at = passSpace(text, from, end);
  if (byteAt(text, at, end) !== codes.colon) throw new SyntaxError();
  return passSpace(text, at + 1, end);
}

function passWord(text: DataView, at: number, end: number): number {
  const word = literals.get(byteAt(text, at, end));
  if (word === undefined) return passNumber(text, at, end);
  for (let i = 1; i < word.length; i++)
    if (byteAt(text, at + i, end) !== word.charCodeAt(i)) throw new SyntaxError();
  return at + word.length;
}

function passNumber(text: DataView, from: number, end: number): number {
  let at = byteAt(text, from, end) === codes.minus ? from + 1 : from;
  at = byteAt(text, at, end) === codes.zero ? at + 1 : passDigits(text, at, end);
  if (byteAt(text, at, end) === codes.dot) at = passDigits(text, at + 1, end);
  // A capital E is a small one but for this bit.
  if ((byteAt(text, at, end) | 0x20) !== 0x65) return at;
  const sign = byteAt(text, at + 1, end);
  return passDigits(text, sign === codes.plus || sign === codes.minus ? at + 2 : at + 1, end);
}

function passDigits(text: DataView, from: number, end: number): number {
  let at = from;
  while (isDigit(byteAt(text, at, end))) at++;
  if (at === from) throw new SyntaxError();
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= codes.zero && byte <= codes.nine;
}
