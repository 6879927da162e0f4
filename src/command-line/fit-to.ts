// What was written without a width in mind, broken between words for a terminal; a pipe gets every line whole.

import { fitLines } from '../render/fit-lines.ts';
import type { Terminal } from './context.ts';

export function fitTo({ isTerminal, columns }: Terminal, text: string): string {
  return isTerminal ? fitLines(text, columns) : text;
}
