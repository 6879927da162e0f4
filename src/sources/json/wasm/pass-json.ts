// Passes over JSON that is not wanted, checking it exactly as JSON.parse would: an address of 0 means that it is not JSON.
// Every line is followed by a newline, and JSON can only continue with one as white space, so only the loop over white
// space checks for the end of the line.

import { nestingAt } from './layout';

export const quote: u32 = 0x22;
const plus: u32 = 0x2b;
export const comma: u32 = 0x2c;
const minus: u32 = 0x2d;
const dot: u32 = 0x2e;
const zero: u32 = 0x30;
const colon: u32 = 0x3a;
export const openBracket: u32 = 0x5b;
const backslash: u32 = 0x5c;
export const closeBracket: u32 = 0x5d;
export const openBrace: u32 = 0x7b;
export const closeBrace: u32 = 0x7d;

let lineEnd: usize = 0;

/** To be called before a line is scanned. */
export function setLineEnd(end: usize): void {
  lineEnd = end;
}

export function passSpace(from: usize): usize {
  return load<u8>(from) <= 0x20 ? passSpaces(from) : from;
}

function passSpaces(from: usize): usize {
  let at = from;
  while (at < lineEnd && isSpace(load<u8>(at))) at++;
  return at;
}

function isSpace(byte: u32): bool {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** From anywhere within a string to the quote, backslash or control byte that comes first. */
export function passPlain(from: usize): usize {
  let at = from;
  while (true) {
    const bytes = v128.load(at);
    const isEnd = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
    const marks = i8x16.bitmask(v128.or(isEnd, i8x16.lt_u(bytes, i8x16.splat(0x20))));
    if (marks !== 0) return at + ctz(marks);
    at += 16;
  }
}

/** From where passPlain stopped to behind the closing quote. */
export function passString(from: usize): usize {
  let at = from;
  while (load<u8>(at) === backslash) {
    at = passEscape(at + 1);
    if (at === 0) return 0;
    at = passPlain(at);
  }
  return load<u8>(at) === quote ? at + 1 : 0;
}

/** From behind the backslash. */
function passEscape(at: usize): usize {
  switch (load<u8>(at)) {
    case 0x22: // quote
    case 0x2f: // /
    case 0x5c: // backslash
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1;
    case 0x75: // u
      for (let i: usize = 1; i <= 4; i++) if (!isHexDigit(load<u8>(at + i))) return 0;
      return at + 5;
    default:
      return 0;
  }
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || (byte | 0x20) - 0x61 < 6;
}

function isDigit(byte: u32): bool {
  return byte - zero < 10;
}

/** From the first byte of any value to behind its last. Without recursion, for lines may nest without end. */
export function passValue(from: usize): usize {
  let at = from;
  let nesting = nestingAt;
  while (true) {
    const first: u32 = load<u8>(at);
    if (first === quote) at = passString(passPlain(at + 1));
    else if (first === openBrace || first === openBracket) {
      const isArray = first === openBracket;
      at = passSpace(at + 1);
      if (load<u8>(at) === (isArray ? closeBracket : closeBrace)) at++;
      else {
        store<u8>(nesting++, isArray ? 1 : 0);
        if (!isArray) at = passKey(at);
        if (at === 0) return 0;
        continue;
      }
    } else at = passWord(at);
    if (at === 0) return 0;
    while (true) {
      if (nesting === nestingAt) return at;
      const isArray = load<u8>(nesting - 1) === 1;
      at = passSpace(at);
      const byte: u32 = load<u8>(at);
      if (byte === comma) {
        at = passSpace(at + 1);
        if (!isArray) at = passKey(at);
        if (at === 0) return 0;
        break;
      }
      if (byte !== (isArray ? closeBracket : closeBrace)) return 0;
      at++;
      nesting--;
    }
  }
}

/** From the quote of a key to the first byte of its value. */
function passKey(at: usize): usize {
  if (load<u8>(at) !== quote) return 0;
  const behind = passString(passPlain(at + 1));
  return behind === 0 ? 0 : passColon(behind);
}

export function passColon(from: usize): usize {
  const at = passSpace(from);
  return load<u8>(at) === colon ? passSpace(at + 1) : 0;
}

/** `true`, `false`, `null` or a number. */
function passWord(from: usize): usize {
  const first: u32 = load<u8>(from);
  if (first === 0x74) return load<u32>(from) === 0x65757274 ? from + 4 : 0;
  if (first === 0x66) return load<u32>(from + 1) === 0x65736c61 ? from + 5 : 0;
  if (first === 0x6e) return load<u32>(from) === 0x6c6c756e ? from + 4 : 0;
  let at = first === minus ? from + 1 : from;
  at = load<u8>(at) === zero ? at + 1 : passDigits(at);
  if (at !== 0 && load<u8>(at) === dot) at = passDigits(at + 1);
  // A capital E is a small one but for this bit.
  if (at === 0 || (load<u8>(at) | 0x20) !== 0x65) return at;
  const sign: u32 = load<u8>(at + 1);
  return passDigits(sign === plus || sign === minus ? at + 2 : at + 1);
}

function passDigits(from: usize): usize {
  let at = from;
  while (isDigit(load<u8>(at))) at++;
  return at === from ? 0 : at;
}
