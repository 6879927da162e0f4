// The part of a message that shows why it matched: the stretch with the most of the words, on one line, extended on both
// sides as far as there is room, then back to a good place to cut the text.

import { toClusters } from './clusters.ts';
import { type Form, findOccurrences, foldText, withoutOverlaps } from './occurrences.ts';
import { toPattern } from './word-parts.ts';

export interface MarkedTerm {
  readonly forms: readonly Form[];
}

interface SnippetPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

type Span = Readonly<Record<'start' | 'end' | 'term', number>>;
type Window = Readonly<Record<'from' | 'to', number>>;

type Measure = (cluster: string) => number;

/** Pieces in order; ellipses are separate pieces and do not count towards `max`, in characters or columns. */
export function toSnippet(
  text: string,
  terms: readonly MarkedTerm[],
  max: number,
  measure: Measure = (cluster) => cluster.length,
): SnippetPiece[] {
  const spans = findSpans(text, terms);
  const { from, to } = chooseWindow(text, spans, max, measure);
  const pieces = cutAtMatches(text, spans, { from, to });
  if (from > 0) pieces.unshift({ text: '… ', isMatch: false });
  if (to < text.length) pieces.push({ text: ' …', isMatch: false });
  return pieces.map(({ text, isMatch }) => ({ text: text.replace(/\s+/g, ' '), isMatch }));
}

export function toMarkedPieces(text: string, terms: readonly MarkedTerm[]): SnippetPiece[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  return cutAtMatches(text, findSpans(text, terms), { from: 0, to: text.length });
}

function cutAtMatches(text: string, spans: readonly Span[], { from, to }: Window): SnippetPiece[] {
  const pieces: SnippetPiece[] = [];
  let at = from;
  for (const { start, end } of spans) {
    if (start < at || start >= to) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), isMatch: false });
    at = Math.min(end, to);
    pieces.push({ text: text.slice(start, at), isMatch: true });
  }
  if (at < to) pieces.push({ text: text.slice(at, to), isMatch: false });
  return pieces;
}

function findSpans(text: string, terms: readonly MarkedTerm[]): Span[] {
  const folded = foldText(text);
  const spans = terms.flatMap((term, i) =>
    findOccurrences(folded, term.forms).map(({ start, end }): Span => ({ start, end, term: i })),
  );
  return withoutOverlaps(spans);
}

/** The window with the most different terms, then the most occurrences; the first one among equals. */
function chooseWindow(text: string, spans: readonly Span[], max: number, measure: Measure): Window {
  if (text.length <= max && widthInLine(text, measure) <= max) return { from: 0, to: text.length };
  const ends = measureEnds(text, spans, max, measure);
  const widthBetween = (first: number, last: number) => (ends[last]?.to ?? 0) - (ends[first]?.from ?? 0);
  let best = { score: -1, first: 0, last: 0 };
  for (let i = 0; i < spans.length; i++) {
    const terms = new Set<number>();
    let last = i;
    for (let j = i; j < spans.length && widthBetween(i, j) <= max * 0.9; j++) {
      terms.add(spans[j]?.term ?? 0);
      last = j;
    }
    const score = terms.size * 1000 + (last - i);
    if (score > best.score) best = { score, first: i, last };
  }
  const from = spans[best.first]?.start ?? 0;
  const to = spans[best.last]?.end ?? 0;
  const width = widthBetween(best.first, best.last);
  if (width > max)
    return { from, to: from + reach(clustersAfter(text.slice(from, to), 0, max), max, measure).length };
  return widen(text, { from, to }, max - width, measure);
}

/** Where each span starts and ends if everything were on one line. A gap too wide for any snippet is only estimated. */
function measureEnds(text: string, spans: readonly Span[], max: number, measure: Measure): Window[] {
  let at = 0;
  let width = 0;
  return spans.map(({ start, end }) => {
    const gap = start - at > max * 4 ? start - at : widthInLine(text.slice(at, start), measure);
    const from = width + gap;
    width = from + widthInLine(text.slice(start, end), measure);
    at = end;
    return { from, to: width };
  });
}

/** The most to give up for a good place to cut; if there is none this close, the cut is between any two characters. */
const maxLoss = 20;

/** A third of the room goes before, the rest after, and each side gets what the other does not need. */
function widen(text: string, { from, to }: Window, room: number, measure: Measure): Window {
  const before = reach(clustersBefore(text, from, room), room, measure);
  const after = reach(clustersAfter(text, to, room), room, measure);
  const share = Math.max(Math.floor(room / 3), room - after.width);
  const left = cut(before, share, from, (length) => gradeCut(text, from - length));
  const right = cut(after, room - left.width, text.length - to, (length) => gradeCut(text, to + length));
  let [start, end] = [from - left.length, to + right.length];
  // No spaces at the cuts.
  if (start > 0) while (start < from && /\s/.test(text.charAt(start))) start++;
  if (end < text.length) while (end > to && /\s/.test(text.charAt(end - 1))) end--;
  return { from: start, to: end };
}

/** Characters of one column each, which need not be measured one by one. */
const plain = /^[!-~\s]*$/;

/** How wide a text is on one line, where a run of spaces counts as one. */
function widthInLine(text: string, measure: Measure): number {
  if (plain.test(text)) return text.replace(/\s+/g, ' ').length;
  return reach(toClusters(text), Number.POSITIVE_INFINITY, measure).width;
}

type Step = Readonly<Record<'length' | 'width', number>>;

/** A cluster may have many characters, but filling a line never takes more than this. */
const charsPerColumn = 2;

function clustersBefore(text: string, from: number, room: number): string[] {
  const start = Math.max(0, from - room * charsPerColumn - maxLoss);
  const clusters = toClusters(text.slice(start, from));
  // This slice may have cut the first cluster.
  return (start > 0 ? clusters.slice(1) : clusters).reverse();
}

function clustersAfter(text: string, to: number, room: number): string[] {
  const end = Math.min(text.length, to + room * charsPerColumn + maxLoss);
  const clusters = toClusters(text.slice(to, end));
  return end < text.length ? clusters.slice(0, -1) : clusters;
}

/** The clusters that fit, of which a run of spaces counts as one. */
function reach(clusters: readonly string[], room: number, measure: Measure) {
  const steps: Step[] = [];
  let width = 0;
  let length = 0;
  let wasSpace = false;
  for (const cluster of clusters) {
    const isPlain = cluster > ' ' && cluster <= '~' && cluster.length === 1;
    const isSpace = !isPlain && /^\s$/.test(cluster);
    const step = isSpace && wasSpace ? 0 : isPlain || isSpace ? 1 : measure(cluster);
    if (width + step > room) break;
    wasSpace = isSpace;
    steps.push({ length: cluster.length, width: step });
    width += step;
    length += cluster.length;
  }
  return { steps, width, length };
}

/** The longest part within `room` that ends at a good place to cut, unless that loses too much; everything if it fits. */
function cut(
  { steps }: { readonly steps: readonly Step[] },
  room: number,
  all: number,
  gradeAfter: (length: number) => ReturnType<typeof gradeCut>,
): Step {
  let most: Step = { length: 0, width: 0 };
  const places = [most];
  for (const step of steps) {
    if (most.width + step.width > room) break;
    most = { length: most.length + step.length, width: most.width + step.width };
    places.push(most);
  }
  if (most.length === all) return most;
  let fair: Step | null = null;
  for (const place of places.reverse()) {
    if (most.width - place.width > maxLoss) break;
    const grade = gradeAfter(place.length);
    if (grade === 'good') return place;
    if (grade === 'fair') fair ??= place;
  }
  return fair ?? most;
}

/** Scripts without spaces, and their punctuation. */
const unspaced = toPattern(
  /(?!)/,
  () => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fc\uff00-\uff60]/u,
);

const closing = /[、。〉》」』】〕）］｝，．：；！？]/;
const inWord = toPattern(/[A-Za-z0-9_]/, () => /[\p{L}\p{N}\p{M}_]/u);

/** Good: at a space, after a path separator, beside a character of a script without spaces. Fair: after any other sign. */
function gradeCut(text: string, at: number) {
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (closing.test(after)) return 'inside';
  const beside = before + after;
  if (/[\s/\\]/.test(before) || /\s/.test(after) || unspaced(beside).test(beside)) return 'good';
  return inWord(before).test(before) ? 'inside' : 'fair';
}
