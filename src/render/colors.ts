// The few colours of a page as escape sequences, or no sequences where colour is off, and text in several styles wrapped
// to columns. Every style starts and ends within its line, so that a pager can show any line on its own.

import { cutToColumns, widthOf } from './columns.ts';

export type Paint = (text: string) => string;

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  yellow: [33, 39],
  brightGreen: [92, 39],
} as const;

export type Colors = Readonly<Record<keyof typeof codes, Paint>>;

export function chooseColors(isOn: boolean): Colors {
  return isOn ? colored : plain;
}

export const asIs: Paint = (text) => text;

const makeColors = (toPaint: (on: number, off: number) => Paint) =>
  Object.fromEntries(Object.entries(codes).map(([name, [on, off]]) => [name, toPaint(on, off)])) as Colors;
const plain = makeColors(() => asIs);
const colored = makeColors((on, off) => (text) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`));

export interface PaintedText {
  readonly text: string;
  readonly paint: Paint;
}

/** Breaks at spaces and at newlines; a word that is too long is cut. Spaces at the start of a line are kept. */
export function wrapSpans(spans: readonly PaintedText[], columns: number): string[] {
  const room = Math.max(1, columns);
  const lines: string[] = [];
  let line: PaintedText[] = [];
  let width = 0;
  const endLine = () => {
    lines.push(paintLine(line));
    line = [];
    width = 0;
  };
  for (const piece of splitIntoPieces(spans)) {
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

function paintLine(line: readonly PaintedText[]): string {
  const trimmed = line.at(-1)?.text.trim() === '' ? line.slice(0, -1) : line;
  let text = '';
  for (let i = 0; i < trimmed.length; ) {
    const paint = trimmed[i]?.paint ?? asIs;
    let same = '';
    for (; i < trimmed.length && trimmed[i]?.paint === paint; i++) same += trimmed[i]?.text;
    text += paint(same);
  }
  return text;
}

interface WrapPiece {
  readonly type: 'word' | 'space' | 'newline';
  readonly spans: PaintedText[];
  width: number;
  /** Contains characters between which a line may be broken, as in Chinese. */
  isWide: boolean;
}

/** A word may continue in another style: `**re**base` is one word. */
function splitIntoPieces(spans: readonly PaintedText[]): WrapPiece[] {
  const pieces: WrapPiece[] = [];
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
