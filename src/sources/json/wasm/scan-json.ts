// Finds the wanted fields of a line of JSON. This folder is AssemblyScript, compiled to WebAssembly: all but a few bytes of a
// transcript are passed over here, sixteen at a time and several times as fast as in JavaScript. What is found is written on
// a tape, from which read-fields.ts makes values. What this file exports is what the program sees. The tests compare it with
// a twin in plain TypeScript, test/sources/json/scanner-twin.ts.

import {
  fieldBytes,
  fieldsAt,
  maxSeenBytes,
  nodesAt,
  openAt,
  openBytes,
  seenAt,
  seenBytes,
  seenPerField,
  slotsPerNode,
  tapeAt,
  tapeBytes,
} from './layout';
import {
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  passColon,
  passPlain,
  passSpace,
  passString,
  passValue,
  quote,
  setLineEnd,
} from './pass-json';

export { hashSamples } from './hash-samples';
export {
  fieldBytes,
  fieldsAt,
  keysAt,
  maxFields,
  maxKeyBytes,
  maxNodes,
  maxSampleBytes,
  nodesAt,
  samplesAt,
  slotsPerNode,
  tapeAt,
  windowAt,
} from './layout';

/** Kinds of what is found. The place of text without escapes does not include its quotes. */
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

let at: usize = 0;
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
  setLineEnd(to);
  tape = tapeAt;
  open = openAt;
  field = 0;
  node = root;
  at = passSpace(from);
  while (true) {
    takeValue();
    if (at === 0) return broken;
    const found = findNextWanted();
    if (found === nothing) return at !== 0 && passSpace(at) === to ? whole : broken;
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
