// Text in several styles, wrapped to columns. Every style starts and ends within its line, so a pager can show any line
// on its own.

import type { Paint } from '../colors.ts';
import { cutToColumns, widthOf } from '../columns.ts';

export interface Span {
  readonly text: string;
  readonly paint: Paint;
}

export const asIs: Paint = (text) => text;

/** Breaks at spaces and at newlines; a word that is too long is cut. Spaces at the start of a line are kept. */
export function wrapSpans(spans: readonly Span[], columns: number): string[] {
  const room = Math.max(1, columns);
  const lines: string[] = [];
  let line: Span[] = [];
  let width = 0;
  const endLine = () => {
    lines.push(paintLine(line));
    line = [];
    width = 0;
  };
  for (const piece of toPieces(spans)) {
    if (piece.type === 'newline') {
      endLine();
      continue;
    }
    const isSpace = piece.type === 'space';
    // A space where a line is broken is dropped; at the start of a line it is indentation.
    if (width + piece.width > room && width > 0) {
      if (isSpace) {
        endLine();
        continue;
      }
      if (!piece.isWide) endLine();
    }
    for (const span of piece.spans) {
      for (const [i, text] of cutToColumns(span.text, room, width).entries()) {
        if (i > 0) endLine();
        if (text === '') continue;
        line.push({ text, paint: span.paint });
        width += widthOf(text);
      }
    }
  }
  endLine();
  return lines;
}

function paintLine(line: readonly Span[]): string {
  const last = line.at(-1);
  const trimmed = last?.text.trim() === '' ? line.slice(0, -1) : line;
  let text = '';
  for (let i = 0; i < trimmed.length; ) {
    const paint = trimmed[i]?.paint ?? asIs;
    let same = '';
    for (; i < trimmed.length && trimmed[i]?.paint === paint; i++) same += trimmed[i]?.text;
    text += paint(same);
  }
  return text;
}

interface Piece {
  readonly type: 'word' | 'space' | 'newline';
  readonly spans: readonly Span[];
  readonly width: number;
  /** Contains characters between which a line may be broken, as in Chinese. */
  readonly isWide: boolean;
}

/** A word may continue in another style: `**re**base` is one word. */
function toPieces(spans: readonly Span[]): Piece[] {
  const pieces: { type: Piece['type']; spans: Span[]; width: number; isWide: boolean }[] = [];
  for (const { text, paint } of spans) {
    for (const [part] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      const type = part === '\n' ? 'newline' : part.trim() === '' ? 'space' : 'word';
      const last = pieces.at(-1);
      const span = { text: part, paint };
      const width = widthOf(part);
      const isWide = width > part.length;
      if (last?.type === 'word' && type === 'word') {
        last.spans.push(span);
        last.width += width;
        last.isWide ||= isWide;
      } else pieces.push({ type, spans: [span], width, isWide });
    }
  }
  return pieces;
}
