// The piece of a message that shows why it matched: the stretch that holds the most of the words, in one line.

import { findOccurrences, foldText } from './occurrences.ts';
import type { Term } from './parse-query.ts';

export interface SnippetPiece {
  readonly text: string;
  readonly isMatch: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

/** Pieces in order; ellipses are pieces of their own text. */
export function toSnippet(text: string, terms: readonly Term[], maxChars: number): SnippetPiece[] {
  const spans = toSpans(text, terms);
  const { from, to } = chooseWindow(text, spans, maxChars);
  const pieces: SnippetPiece[] = [];
  if (from > 0) pieces.push({ text: '… ', isMatch: false });
  let at = from;
  for (const span of spans) {
    if (span.start < at || span.end > to) continue;
    if (span.start > at) pieces.push({ text: text.slice(at, span.start), isMatch: false });
    pieces.push({ text: text.slice(span.start, span.end), isMatch: true });
    at = span.end;
  }
  if (at < to) pieces.push({ text: text.slice(at, to), isMatch: false });
  if (to < text.length) pieces.push({ text: ' …', isMatch: false });
  return pieces.map(({ text, isMatch }) => ({ text: text.replace(/\s+/g, ' '), isMatch }));
}

/** The whole text, cut where matches begin and end. */
export function toMarkedPieces(text: string, terms: readonly Term[]): SnippetPiece[] {
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

/** Where the terms stand, in order and without overlaps. */
function toSpans(text: string, terms: readonly Term[]): Span[] {
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

/** The window that holds the most different terms, then the most occurrences, then comes first. */
function chooseWindow(text: string, spans: readonly Span[], maxChars: number): { from: number; to: number } {
  if (text.length <= maxChars) return { from: 0, to: text.length };
  let best = { score: -1, first: 0, last: 0 };
  for (let i = 0; i < spans.length; i++) {
    const start = spans[i]?.start ?? 0;
    const terms = new Set<number>();
    let last = i;
    for (let j = i; j < spans.length && (spans[j]?.end ?? 0) - start <= maxChars * 0.9; j++) {
      terms.add(spans[j]?.term ?? 0);
      last = j;
    }
    const score = terms.size * 1000 + (last - i);
    if (score > best.score) best = { score, first: i, last };
  }
  const start = spans[best.first]?.start ?? 0;
  const end = spans[best.last]?.end ?? 0;
  const slack = Math.max(0, maxChars - (end - start));
  const from = Math.max(0, Math.min(start - Math.floor(slack / 3), text.length - maxChars));
  return {
    from: toWordStart(text, from, start),
    to: toWordEnd(text, Math.min(text.length, from + maxChars), end),
  };
}

function toWordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, latest).search(/\s/);
  const at = space < 0 || space > 20 ? from : from + space + 1;
  return isInsidePair(text, at) ? at + 1 : at;
}

function toWordEnd(text: string, to: number, earliest: number): number {
  if (to >= text.length) return text.length;
  const space = text.lastIndexOf(' ', to);
  const at = space > earliest && to - space <= 20 ? space : to;
  return isInsidePair(text, at) ? at - 1 : at;
}

/** Between the two halves of a character outside the basic plane. */
function isInsidePair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
