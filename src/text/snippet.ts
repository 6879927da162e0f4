// The part of a message that shows why it matched: the stretch with the most of the words, on one line.

import { type Form, findOccurrences, foldText } from './occurrences.ts';
import { countFitting, type Measure, type Window, widen, widthInLine } from './snippet-window.ts';

/** A term to mark, in any of its forms. */
export interface MarkedTerm {
  readonly forms: readonly Form[];
}

export interface SnippetPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

const toLength: Measure = (cluster) => cluster.length;

/** Pieces in order; ellipses are separate pieces and do not count towards `max`, in characters or columns. */
export function toSnippet(
  text: string,
  terms: readonly MarkedTerm[],
  max: number,
  measure: Measure = toLength,
): SnippetPiece[] {
  const spans = toSpans(text, terms);
  const { from, to } = chooseWindow(text, spans, max, measure);
  const pieces: SnippetPiece[] = [];
  if (from > 0) pieces.push({ text: '… ', isMatch: false });
  let at = from;
  for (const span of spans) {
    if (span.start < at || span.start >= to) continue;
    if (span.start > at) pieces.push({ text: text.slice(at, span.start), isMatch: false });
    at = Math.min(span.end, to);
    pieces.push({ text: text.slice(span.start, at), isMatch: true });
  }
  if (at < to) pieces.push({ text: text.slice(at, to), isMatch: false });
  if (to < text.length) pieces.push({ text: ' …', isMatch: false });
  return pieces.map(({ text, isMatch }) => ({ text: text.replace(/\s+/g, ' '), isMatch }));
}

/** The whole text, cut where matches start and end. */
export function toMarkedPieces(text: string, terms: readonly MarkedTerm[]): SnippetPiece[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  const pieces: SnippetPiece[] = [];
  let at = 0;
  for (const { start, end } of toSpans(text, terms)) {
    if (start > at) pieces.push({ text: text.slice(at, start), isMatch: false });
    pieces.push({ text: text.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMatch: false });
  return pieces;
}

/** Where the terms occur, in order and without overlaps. */
function toSpans(text: string, terms: readonly MarkedTerm[]): Span[] {
  const folded = foldText(text);
  const spans = terms.flatMap((term, i) =>
    findOccurrences(folded, term.forms).map(({ start, end }): Span => ({ start, end, term: i })),
  );
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let covered = 0;
  return spans.filter((span) => {
    if (span.start < covered) return false;
    covered = span.end;
    return true;
  });
}

/** The window with the most different terms, then the most occurrences; the first one among equals. */
function chooseWindow(text: string, spans: readonly Span[], max: number, measure: Measure): Window {
  if (text.length <= max && widthInLine(text, measure) <= max) return { from: 0, to: text.length };
  const ends = toEnds(text, spans, max, measure);
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
  if (width > max) return { from, to: from + countFitting(text.slice(from, to), max, measure) };
  return widen(text, { from, to }, max - width, measure);
}

/**
 * Where each span starts and ends if everything were on one line. A gap too wide for any snippet is only
 * estimated.
 */
function toEnds(text: string, spans: readonly Span[], max: number, measure: Measure): Window[] {
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
