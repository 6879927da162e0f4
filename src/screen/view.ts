// The state → the lines of the screen and the cursor. Pure: the same state always gives the same frame.

import { toColors } from '../render/colors.ts';
import { type Binding, listKeys, menuKeys, readerKeys } from './keys.ts';
import { type Area, type Layout, toLayout } from './layout.ts';
import type { Reader, State, Surroundings } from './state.ts';
import { type Frame, type Position, toColumn } from './terminal/frame.ts';
import { type Bottom, toAskLines, toKeysLine, toMessageLine, toRestoringLines } from './views/footer.ts';
import { toHelpLines } from './views/help.ts';
import { toListLines } from './views/list-pane.ts';
import { toMenu } from './views/menu.ts';
import { toNothingLines } from './views/nothing.ts';
import { toPrompt, toStatusLine } from './views/prompt.ts';
import { toReaderFrame } from './views/reader.ts';

const colors = toColors(true);

export function toFrame(state: State, surroundings: Surroundings): Frame {
  const { front } = state;
  if (front?.type === 'reader') return toReaderFrame(front, state, toKeys(readerKeys, '?', state));
  if (front?.type === 'help') return toHelpFrame(state, front.offset, front.behind !== null);
  if (front?.type === 'ask') {
    const asked = toAskLines(front, surroundings.verb, state.size.columns);
    return atBottom(toBehind(state, front.behind, surroundings), asked, state);
  }
  if (front?.type === 'restoring')
    return atBottom(toMainFrame(state, surroundings), toRestoringLines(state), state);
  return toMainFrame(state, surroundings);
}

function toBehind(state: State, reader: Reader | null, surroundings: Surroundings): Frame {
  return reader === null ? toMainFrame(state, surroundings) : toReaderFrame(reader, state, '');
}

function toKeys(bindings: readonly Binding<string>[], help: string, state: State, verb = ''): string {
  return state.message === '' ? toKeysLine(bindings, help, verb, state.size.columns) : toMessageLine(state);
}

function toMainFrame(state: State, surroundings: Surroundings): Frame {
  const { size, line, front } = state;
  const layout = toLayout(size);
  const menu = front?.type === 'menu' ? front : null;
  const prompt = toPrompt(line, '❯ ', size.columns);
  const lines = [prompt.line];
  if (layout.hasStatus) lines.push(toStatusLine(state, surroundings));
  let cursor: Position | null = { row: 0, column: prompt.column };
  if (menu === null) lines.push(...toBody(state, surroundings, layout));
  else {
    const drawn = toMenu(menu, state, layout.body);
    lines.push(...fill(drawn.lines, layout.body.rows));
    cursor = drawn.cursor;
  }
  if (layout.hasFooter) {
    // In the middle of a query, a question mark is part of it.
    const help = line.text === '' ? '?' : 'F1';
    lines.push(
      menu === null ? toKeys(listKeys, help, state, surroundings.verb) : toKeys(menuKeys, '', state),
    );
  }
  return { lines, cursor };
}

function toBody(state: State, surroundings: Surroundings, { list, preview, body }: Layout): string[] {
  const isEmpty = state.failure !== null || (state.results?.rows.length ?? 0) === 0;
  if (isEmpty) return fill(toNothingLines(state, surroundings, body), body.rows);
  const left = fill(toListLines(state, surroundings, list), list.rows);
  if (preview === null) return left;
  const right = toPreviewLines(state, preview);
  if (preview.left === 0) return [...left, colors.dim('─'.repeat(body.columns)), ...right];
  const rule = `${toColumn(preview.left - 2)}${colors.dim('│')} `;
  return left.map((line, i) => `${line}${rule}${right[i] ?? ''}`);
}

function toPreviewLines({ preview }: State, { rows }: Area): string[] {
  if (preview === null) return fill([], rows);
  const { lines, offset, isCut } = preview;
  const shown = lines.slice(offset, offset + rows);
  const isEnd = isCut && offset + rows > lines.length;
  return fill(isEnd ? [...shown, colors.dim('… Ctrl-V reads on')] : shown, rows);
}

function toHelpFrame(state: State, offset: number, isReader: boolean): Frame {
  const { columns, rows } = state.size;
  const lines = toHelpLines(isReader, columns);
  const shown = lines.slice(offset, offset + rows - 1);
  const isMore = offset + rows - 1 < lines.length;
  const footer = colors.dim(isMore ? '↑ ↓ scroll   q back' : 'q back');
  return { lines: [...fill(shown, rows - 1), footer], cursor: null };
}

/** At the bottom, over what is there. */
function atBottom(frame: Frame, { lines, column }: Bottom, { size }: State): Frame {
  const shown = lines.slice(-Math.max(1, size.rows - 1));
  const kept = fill(frame.lines, size.rows).slice(0, size.rows - shown.length);
  return {
    lines: [...kept, ...shown],
    cursor: column === null ? null : { row: size.rows - 1, column },
  };
}

/** Exactly this many lines. */
export function fill(lines: readonly string[], rows: number): string[] {
  return Array.from({ length: Math.max(0, rows) }, (_, i) => lines[i] ?? '');
}
