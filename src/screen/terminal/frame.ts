// What the terminal shows and what it should show → the one string to write. A row that differs is erased and written again, so that
// nothing depends on how wide the terminal takes a character to be; where that is beyond doubt, only the side of it that differs.

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** From 0. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

/** Lines have styles that end with the line, and at most as many columns as the terminal. */
export interface Frame {
  readonly lines: readonly string[];
  /** Null if the cursor is hidden. */
  readonly cursor: Position | null;
}

/** Until the end of the update the terminal goes on showing what it did; terminals that do not know it ignore it. */
const beginUpdate = '\x1b[?2026h';
const endUpdate = '\x1b[?2026l';

/** `before` is null if it is not known what the terminal shows. Empty if nothing differs. */
export function toUpdate(before: Frame | null, after: Frame, { rows }: Size): string {
  let text = '';
  for (let row = 0; row < rows; row++) {
    const line = after.lines[row] ?? '';
    const shown = before === null ? null : (before.lines[row] ?? '');
    if (line !== shown) text += findSide(shown, line, row) ?? toRow(line, row);
  }
  const isSameCursor = before !== null && isSame(before.cursor, after.cursor);
  if (text === '' && isSameCursor) return '';
  const { cursor } = after;
  const place = cursor === null ? '' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
  return `${beginUpdate}\x1b[?25l${before === null ? '\x1b[m\x1b[2J' : ''}${text}${place}${endUpdate}`;
}

function toRow(line: string, row: number): string {
  return `\x1b[${row + 1};1H\x1b[2K${toHarmless(line)}\x1b[m`;
}

/** Characters that every terminal draws one column wide. */
const certain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2500-\u259f]*$/;

/** The left or the right side of a row with a jump, if only that differs; undefined if the whole row has to be written. */
function findSide(before: string | null, after: string, row: number): string | undefined {
  const [old, next] = [findSides(before ?? ''), findSides(after)];
  if (old === undefined || old.column !== next?.column) return undefined;
  const { column } = next;
  // The cursor stays where it is while a side is erased.
  if (old.left === next.left) return `\x1b[${row + 1};${column}H\x1b[K${toHarmless(next.right)}\x1b[m`;
  if (old.right !== next.right) return undefined;
  return `\x1b[${row + 1};1H\x1b[${column - 1}X${toHarmless(next.left)}\x1b[m`;
}

/** Undefined if there is no jump, or if what is before it may reach beyond it. */
function findSides(line: string): { left: string; column: number; right: string } | undefined {
  const [, left = '', column, right = ''] = /^(.*?)\x1b\[(\d+)G(.*)$/.exec(line) ?? [];
  if (column === undefined) return undefined;
  const plain = left.replace(/\x1b\[[\d;]*m/g, '');
  return certain.test(plain) && plain.length < Number(column)
    ? { left, column: Number(column), right }
    : undefined;
}

function isSame(a: Position | null, b: Position | null): boolean {
  return a?.row === b?.row && a?.column === b?.column;
}

/**
 * Only styles and jumps to a column get through. Views make text printable before they show it; this is for the one
 * that forgets it.
 */
export function toHarmless(line: string): string {
  return line.replace(/\x1b(?!\[[\d;]*[mG])|[\x00-\x1a\x1c-\x1f\x7f-\x9f]/g, '');
}

/** A jump to a column, from 0: what comes before it may have any width. */
export function toColumn(column: number): string {
  return `\x1b[${column + 1}G`;
}

/** The same line in the terminal's own colour; bold, dim and inverse stay. */
export function withoutColor(line: string): string {
  return line.replace(/\x1b\[(?:3\d|9\d)m/g, '');
}
