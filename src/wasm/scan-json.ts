// Finds the wanted fields of a line of JSON. This is AssemblyScript, compiled to WebAssembly: all but a few bytes of a
// transcript are passed over here, sixteen at a time and several times as fast as in JavaScript. They are checked all the
// same, exactly as JSON.parse would. What is found is written on a tape, of which read-fields.ts makes values. The
// fingerprint of a file is worked out here as well.
//
// Places are addresses in the memory shared with read-fields.ts; 0 says that something is not JSON. Behind every line
// stands a newline. No JSON goes on with one but as space, so only loops over space look out for the end of the line.

/** Wanted fields by number, from 1: place of the key, its length, node of the value, next field in the same slot. */
export const fieldsAt: usize = 0x400;
export const fieldBytes: usize = 16;
export const maxFields: u32 = 900;
/** Nodes, from 1: for each object of which only some fields are wanted, slots with the first field whose key falls there. */
export const nodesAt: usize = 0x4000;
export const slotsPerNode: u32 = 128;
export const maxNodes: u32 = 200;
export const keysAt: usize = 0x20000;
export const maxKeyBytes: u32 = 0x10000;
/** Strings that a field held lately, 16 of each: length and bytes. */
const seenAt: usize = 0x30000;
const maxSeenBytes: usize = 64;
const seenBytes: usize = 4 + maxSeenBytes;
const seenPerField: u32 = 16;
/** What was found, four numbers each: kind and field; from where to where; where it is remembered. A full tape has some room left. */
export const tapeAt: usize = 0x120000;
const tapeBytes: usize = 0x20000;
/** The objects and arrays that are open and of which something is wanted: node, field, whether it is an array. */
const openAt: usize = 0x150000;
const openBytes: usize = 16;
/** Pieces of a file that are to be told from any others. */
export const samplesAt: usize = 0x158000;
export const maxSampleBytes: u32 = 0x8000;
/** Those around a value that nobody wants, a byte each. A line may be nothing but brackets. */
const nestingAt: usize = 0x160000;
/** Lines stand from here on; the host grows the memory for long ones. */
export const windowAt: usize = 0x1200000;

/** Kinds of what is found. Text without escapes is told without its quotes. */
export const plainText: u32 = 0;
export const escapedText: u32 = 1;
/** ASCII that the field held lately, and that it holds for the first time. */
export const seenText: u32 = 2;
export const newText: u32 = 3;
const otherValue: u32 = 4;
export const objectStart: u32 = 5;
export const arrayStart: u32 = 6;
export const itemsEnd: u32 = 7;

/** How a scan ends. Unusual is a line with more findings than the tape holds, or with escapes in a key that may be wanted. */
const broken: u32 = 0;
export const whole: u32 = 1;
export const unusual: u32 = 2;

const quote: u32 = 0x22;
const plus: u32 = 0x2b;
const comma: u32 = 0x2c;
const minus: u32 = 0x2d;
const dot: u32 = 0x2e;
const zero: u32 = 0x30;
const colon: u32 = 0x3a;
const openBracket: u32 = 0x5b;
const backslash: u32 = 0x5c;
const closeBracket: u32 = 0x5d;
const openBrace: u32 = 0x7b;
const closeBrace: u32 = 0x7d;

let at: usize = 0;
let end: usize = 0;
let tape: usize = 0;
/** Behind the innermost of the open ones; `isFresh` when none of its items was looked at. */
let open: usize = 0;
let isFresh: bool = false;
/** Of the value at hand. Node 0: all of it is wanted. */
let field: u32 = 0;
let node: u32 = 0;

/** Behind the last thing that was found. */
export function getTapeEnd(): usize {
  return tape;
}

export function scan(from: usize, to: usize, root: u32): u32 {
  end = to;
  tape = tapeAt;
  open = openAt;
  field = 0;
  node = root;
  at = passSpace(from);
  while (true) {
    takeValue();
    if (at === 0) return broken;
    const found = findNextWanted();
    if (found === nothing) return at !== 0 && passSpace(at) === end ? whole : broken;
    if (found === oddKey || tape >= tapeAt + tapeBytes) return unusual;
  }
}

/** To behind the value at hand, or into it if it is to be looked into. */
function takeValue(): void {
  const first: u32 = load<u8>(at);
  if (first === quote) at = takeText(at);
  else if (node !== 0 && (first === openBrace || first === openBracket)) {
    const isArray = first === openBracket;
    write(isArray ? arrayStart : objectStart, 0, 0);
    store<u32>(open, node);
    store<u32>(open, field, 4);
    store<u32>(open, isArray ? 1 : 0, 8);
    open += openBytes;
    isFresh = true;
    at++;
  } else {
    const behind = passValue(at);
    write(otherValue, at, behind);
    at = behind;
  }
}

const nothing: u32 = 0;
const wanted: u32 = 1;
const oddKey: u32 = 2;

/** To the first byte of the next wanted value, past all that nobody wants. Nothing, too, when it is not JSON. */
function findNextWanted(): u32 {
  while (open > openAt) {
    const around = open - openBytes;
    const isArray = load<u32>(around, 8) === 1;
    at = passSpace(at);
    const byte: u32 = load<u8>(at);
    if (byte === (isArray ? closeBracket : closeBrace)) {
      at++;
      open = around;
      isFresh = false;
      write(itemsEnd, 0, 0);
      continue;
    }
    if (!isFresh) {
      if (byte !== comma) return fail();
      at = passSpace(at + 1);
    }
    isFresh = false;
    if (isArray) {
      // Arrays in an array are taken whole: nobody writes them, and they might nest without end.
      field = load<u32>(around, 4);
      node = load<u8>(at) === openBrace ? load<u32>(around) : 0;
      return wanted;
    }
    if (load<u8>(at) !== quote) return fail();
    const start = at + 1;
    const stop = passPlain(start);
    if (load<u8>(stop) !== quote) return passString(stop) === 0 ? fail() : oddKey;
    at = passColon(stop + 1);
    if (at === 0) return nothing;
    field = findField(load<u32>(around), start, stop);
    if (field !== 0) {
      node = load<u32>(fieldsAt + <usize>field * fieldBytes, 8);
      return wanted;
    }
    at = passValue(at);
    if (at === 0) return nothing;
  }
  return nothing;
}

function fail(): u32 {
  at = 0;
  return nothing;
}

function write(kind: u32, from: usize, to: usize): void {
  store<u32>(tape, kind | (field << 8));
  store<u32>(tape, <u32>from, 4);
  store<u32>(tape, <u32>to, 8);
  tape += 16;
}

function findField(node: u32, start: usize, stop: usize): u32 {
  const length = stop - start;
  const slot = (length * 5 + load<u8>(start)) & (slotsPerNode - 1);
  let field = load<u32>(nodesAt + ((<usize>node * slotsPerNode + slot) << 2));
  while (field !== 0) {
    const record = fieldsAt + <usize>field * fieldBytes;
    if (load<u32>(record, 4) === <u32>length && isSame(load<u32>(record), start, length)) break;
    field = load<u32>(record, 12);
  }
  return field;
}

function isSame(a: usize, b: usize, length: usize): bool {
  let i: usize = 0;
  for (; i + 8 <= length; i += 8) if (load<u64>(a + i) !== load<u64>(b + i)) return false;
  for (; i < length; i++) if (load<u8>(a + i) !== load<u8>(b + i)) return false;
  return true;
}

/** From a quote to behind the string. A line mostly repeats what lines before it said: directory, version, type, tool. */
function takeText(from: usize): usize {
  const start = from + 1;
  const stop = passPlain(start);
  if (load<u8>(stop) !== quote) {
    const behind = passString(stop);
    write(escapedText, from, behind);
    return behind;
  }
  const length = stop - start;
  if (length === 0 || length > maxSeenBytes || !isAscii(start, stop)) {
    write(plainText, start, stop);
    return stop + 1;
  }
  const slot = field * seenPerField + ((<u32>length + load<u8>(stop - 1)) & (seenPerField - 1));
  const seen = seenAt + <usize>slot * seenBytes;
  const isSeen = load<u32>(seen) === <u32>length && isSame(seen + 4, start, length);
  if (!isSeen) {
    store<u32>(seen, <u32>length);
    memory.copy(seen + 4, start, length);
  }
  write(isSeen ? seenText : newText, start, stop);
  store<u32>(tape - 4, slot);
  return stop + 1;
}

function isAscii(start: usize, stop: usize): bool {
  let at = start;
  for (; at + 16 <= stop; at += 16) if (i8x16.bitmask(v128.load(at)) !== 0) return false;
  // The highest bit of each byte; those behind the stop do not count.
  return (i8x16.bitmask(v128.load(at)) & ((1 << (<i32>(stop - at))) - 1)) === 0;
}

function passSpace(from: usize): usize {
  return load<u8>(from) <= 0x20 ? passSpaces(from) : from;
}

function passSpaces(from: usize): usize {
  let at = from;
  while (at < end && isSpace(load<u8>(at))) at++;
  return at;
}

function isSpace(byte: u32): bool {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** From anywhere within a string to the quote, backslash or control byte that comes first. */
function passPlain(from: usize): usize {
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
function passString(from: usize): usize {
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
function passValue(from: usize): usize {
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

function passColon(from: usize): usize {
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

/**
 * A number for so many bytes of the samples, which other bytes almost surely do not have. Every step can be undone, so a
 * single word that differs always gives another number.
 */
export function hashSamples(length: u32, seed: u64): u64 {
  const end = samplesAt + length;
  let hash = mix(mix(seed + 1) ^ length);
  let at = samplesAt;
  for (; at + 8 <= end; at += 8) hash = mix(hash ^ load<u64>(at));
  for (; at < end; at++) hash = mix(hash ^ load<u8>(at));
  return hash;
}

/** Odd, so that multiplying with them can be undone. */
const spreading: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
const scattering: u64 = ((<u64>0xbf58476d) << 32) | 0x1ce4e5b9;

/** Twice, for what differs in the highest bits alone would stay there. */
function mix(value: u64): u64 {
  let mixed = value * spreading;
  mixed = (mixed ^ (mixed >> 32)) * scattering;
  return mixed ^ (mixed >> 29);
}
