// What is stored of a tool text: the searched text and, between marks, what is only shown (the names of the values that a
// tool was given, how much was left out) or only searched (what was found in the part that was left out). This file reads
// the one or the other out of that string, and packs it for the index.

import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Around what is only shown. White space, so that patterns of secrets still find a name together with its value. */
const shownFrom = '\f';
const shownTo = '\v';
/** Before and after what is only searched. */
const searchedMark = '\x1d';

/** The last one is between texts that are packed together. */
const between = '\0';
const allMarks = /[\v\f\x1d\0]/g;
const onlyShown = /\f[^\f\v]*(?:\v|$)/g;
const onlySearched = /\x1d[^\x1d]*(?:\x1d|$)/g;

/** For a text of somebody else's, in which nothing may be taken for a mark. */
export function withoutMarks(text: string): string {
  return hasMarks(text) ? text.replace(allMarks, ' ') : text;
}

/** Faster than asking a pattern, and every text is asked about. */
function hasMarks(text: string): boolean {
  return (
    text.includes(shownFrom) ||
    text.includes(shownTo) ||
    text.includes(searchedMark) ||
    text.includes(between)
  );
}

/** Whether it has the names of what a tool was given; not if that is one value. */
export function hasNames(stored: string): boolean {
  return stored.includes(shownFrom);
}

export function markAsOnlyShown(text: string): string {
  return `${shownFrom}${text}${shownTo}`;
}

/** A text of which some was left out between its start and its end; what was found in that is only searched. */
export function joinCut(start: string, leftOut: number, found: readonly string[], end: string): string {
  const count = markAsOnlyShown(`… ${leftOut} characters left out …`);
  return `${start}\n${count}${searchedMark}${found.join('\n')}${searchedMark}\n${end}`;
}

/** The start of a marked text, without a mark that has no end in it. */
export function closeStart(start: string): string {
  const from = start.lastIndexOf(shownFrom);
  return from > start.lastIndexOf(shownTo) ? start.slice(0, from) : start;
}

/** The end of a marked text, without a mark that has no start in it. */
export function closeEnd(end: string): string {
  const to = end.indexOf(shownTo);
  return to >= 0 && end.lastIndexOf(shownFrom, to) < 0 ? end.slice(to + 1) : end;
}

/** What words are made of, and passages shown from. */
export function toSearchedText(stored: string): string {
  return hasMarks(stored) ? stored.replace(onlyShown, '').replaceAll(searchedMark, '') : stored;
}

/** What a reader sees; `withLeftOut` for the lines of it that match, some of which were found in what was left out. */
export function toShownText(stored: string, withLeftOut = false): string {
  if (!hasMarks(stored)) return stored;
  return (withLeftOut ? stored : stored.replace(onlySearched, '')).replace(allMarks, '');
}

/** The values that a tool was given, with their names; one without a name where it was given one value. */
export function toGivenValues(stored: string): { readonly name: string; readonly text: string }[] {
  if (!hasNames(stored)) return [{ name: '', text: toShownText(stored) }];
  const values: { name: string; text: string }[] = [];
  // What is only shown starts with a name, or says how much was left out.
  for (const [, shown = '', text = ''] of stored
    .replace(onlySearched, '')
    .matchAll(/\f([^\f\v]*)(?:\v|$)([^\f]*)/g)) {
    const [start, name] = /^\n?([^\n:]{1,200}):[ \n]/.exec(shown) ?? [];
    const last = values.at(-1);
    if (start === undefined || name === undefined) {
      if (last !== undefined) last.text += `${shown}${text}`;
      continue;
    }
    if (last !== undefined) last.text = last.text.replace(/\n$/, '');
    values.push({ name, text: `${shown.slice(start.length)}${text}` });
  }
  return values;
}

/** Where a text is: its line, and its place among the calls, or the answers, of that line. */
export interface TextPlace {
  readonly seq: number;
  readonly nth: number;
  readonly isOutput: boolean;
}

export interface PlacedText extends TextPlace {
  readonly text: string;
}

/**
 * So many characters are packed together, and a search unpacks a hundred such packs. Twice as many take 6 % less room and half
 * as long again to unpack.
 */
const packedChars = 16_000;

/** The tool texts of some lines that follow each other, the last of which is `lastSeq`, as they are stored. */
interface PackedTexts {
  readonly lastSeq: number;
  readonly packed: Uint8Array;
}

/** In the order of their lines. All texts of a line are together, so that the line leads to them. */
export function packTexts(texts: readonly PlacedText[]): PackedTexts[] {
  const all: PackedTexts[] = [];
  let some: PlacedText[] = [];
  let chars = 0;
  for (const [i, text] of texts.entries()) {
    some.push(text);
    chars += text.text.length;
    const next = texts[i + 1]?.seq;
    if (next === undefined || (chars >= packedChars && next !== text.seq)) {
      all.push({ lastSeq: text.seq, packed: pack(some) });
      some = [];
      chars = 0;
    }
  }
  return all;
}

export function pack(texts: readonly PlacedText[]): Uint8Array {
  const joined = texts.map((text) => `${toHead(text)}${text.text}`).join('');
  // Higher levels save 3 % and take half as long again.
  return deflateRawSync(joined, { level: 3 });
}

export function unpackTexts(packed: Uint8Array): PlacedText[] {
  const [, ...texts] = inflateRawSync(packed).toString().split(between);
  return texts.map((each) => {
    const [, seq, nth, isOutput, text = ''] = /^(\d+) (\d+) ([01]) (.*)$/s.exec(each) ?? [];
    return { seq: Number(seq), nth: Number(nth), isOutput: isOutput === '1', text };
  });
}

/** One of the texts, of bytes that are inflated already, without decoding the others. */
export function findText(bytes: Buffer, place: TextPlace): string | undefined {
  const head = toHead(place);
  const headAt = bytes.indexOf(head);
  if (headAt < 0) return undefined;
  const end = bytes.indexOf(between, headAt + head.length);
  return bytes.toString('utf8', headAt + head.length, end < 0 ? bytes.length : end);
}

function toHead({ seq, nth, isOutput }: TextPlace): string {
  return `${between}${seq} ${nth} ${Number(isOutput)} `;
}
