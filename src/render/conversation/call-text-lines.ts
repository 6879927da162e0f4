// What a tool was given and what it answered, as lines of a terminal below the line of the call.

import type { ShownCall } from '../../api/conversation/call-texts.ts';
import { toPrintable } from '../../text/printable.ts';
import { type Paint, toColors } from '../colors.ts';
import { type TextStyle, toCodeLines } from './terminal-markdown.ts';
import { toCallTexts } from './tool-calls.ts';

const margin = '    ';
const answerMargin = '  ↳ ';

/** Without a style, every line stays as it was written. */
export function toCallTextLines(call: ShownCall, style: TextStyle | null): string[] {
  const { input, output } = toCallTexts(call);
  const colors = toColors(style?.useColor ?? false);
  const given = toLines(input, colors.green, style);
  const [first, ...rest] = toLines(output, call.isError === 1 ? colors.red : colors.dim, style);
  const answered = first === undefined ? [] : [`${answerMargin}${first}`, ...rest.map(toBelow)];
  return [...given.map(toBelow), ...answered];
}

function toBelow(line: string): string {
  return line === '' ? '' : `${margin}${line}`;
}

function toLines(text: string, paint: Paint, style: TextStyle | null): string[] {
  if (text === '') return [];
  if (style === null) return toPrintable(text).split('\n');
  return toCodeLines(text, style, { paint, indent: margin.length, margin: '' });
}
