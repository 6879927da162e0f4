// The list of sessions: one line each where it is wide enough, else two, under a heading for each day if they are in the order of
// time. Only what is visible is drawn.

import { toColors } from '../../render/colors.ts';
import { clip, clipPath, pad, widthOf } from '../../render/columns.ts';
import { formatAge, formatCount, formatDayHeading, formatNumbered } from '../../render/quantities.ts';
import { toShortMissing, toShortPath, toTitle } from '../../render/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toMarkedPieces } from '../../text/snippet.ts';
import type { Area } from '../layout.ts';
import type { Results, Row } from '../questions.ts';
import type { State, Surroundings } from '../state.ts';

const colors = toColors(true);

/** From this width on, a title and its facts share a line. */
const minColumnsForOneLine = 76;
/** In fewer rows, headings would leave no room for sessions. */
const minRowsForHeadings = 12;
/** The mark of the selected row, a number, a space. */
const marginColumns = 3;

function toRowHeight({ columns }: Area): number {
  return columns >= minColumnsForOneLine ? 1 : 2;
}

function toHeading({ rows, isByDay }: Results, index: number, area: Area, now: Date): string {
  return isByDay && area.rows >= minRowsForHeadings
    ? formatDayHeading(rows[index]?.session.modifiedAt ?? null, now)
    : '';
}

/** Lines of a row, with its heading if it is the first of its day or of the screen. */
function toHeight(results: Results, index: number, top: number, area: Area, now: Date): number {
  const heading = toHeading(results, index, area, now);
  const isFirst = index === top || heading !== toHeading(results, index - 1, area, now);
  return toRowHeight(area) + (heading !== '' && isFirst ? 1 : 0);
}

/** The first row to show, so that the selected one is visible and as little moves as possible. */
export function fitTop(results: Results, top: number, selected: number, area: Area, now: Date): number {
  if (selected <= top) return Math.max(0, selected);
  for (let first = Math.max(top, selected - area.rows); first < selected; first++) {
    let lines = 0;
    for (let i = first; i <= selected; i++) lines += toHeight(results, i, first, area, now);
    if (lines <= area.rows) return first;
  }
  return selected;
}

/** How many rows are visible from `top` on: a page. */
export function countVisible(results: Results, top: number, area: Area, now: Date): number {
  let lines = 0;
  let index = top;
  for (; index < results.rows.length; index++) {
    lines += toHeight(results, index, top, area, now);
    if (lines > area.rows) break;
  }
  return Math.max(1, index - top);
}

export function toListLines(state: State, { homeDir }: Surroundings, area: Area): string[] {
  const { results, top, selected, now } = state;
  if (results === null) return [];
  const hasAgents = new Set(results.rows.map(({ session }) => session.agent)).size > 1;
  const shown = results.rows.slice(top, top + countVisible(results, top, area, now) + 1).map((row) => {
    const agent = hasAgents ? row.session.agent : '';
    const current = row.session.nativeId === results.currentId ? 'this session' : '';
    return { ...row, marks: [agent, current].filter((mark) => mark !== '') };
  });
  const pane: Pane = { results, area, options: { now, homeDir } };
  const cells = toRowHeight(area) === 1 ? toCells(shown, pane) : null;
  const lines: string[] = [];
  for (const [i, row] of shown.entries()) {
    const heading = toHeading(results, top + i, area, now);
    if (heading !== '' && (i === 0 || heading !== toHeading(results, top + i - 1, area, now)))
      lines.push(colors.cyan(clip(heading, area.columns)));
    lines.push(...toRowLines(row, i, top + i === selected, cells?.[i] ?? null, pane));
  }
  return lines.slice(0, area.rows);
}

type MarkedRow = Row & { readonly marks: readonly string[] };

interface Pane {
  readonly results: Results;
  readonly area: Area;
  readonly options: PaneOptions;
}

interface PaneOptions {
  readonly now: Date;
  readonly homeDir: string;
}

function toRowLines(
  row: MarkedRow,
  nth: number,
  isSelected: boolean,
  cells: string | null,
  { results, area, options }: Pane,
): string[] {
  const bar = isSelected ? colors.cyan('▌') : ' ';
  const margin = `${bar}${colors.dim(nth < 9 ? String(nth + 1) : ' ')} `;
  const room = Math.max(1, area.columns - marginColumns);
  const title = (columns: number) => toMarkedTitle(row, results, columns, isSelected);
  if (cells !== null) return [`${margin}${title(room - widthOf(cells))}${colors.dim(cells)}`];
  return [`${margin}${title(room)}`, `${bar}  ${colors.dim(toFactsLine(row, options, room))}`];
}

/** Where and on which branch, as far as it fits beside the rest. */
function toFactsLine(row: MarkedRow, { now, homeDir }: PaneOptions, room: number): string {
  const { session } = row;
  const rest = [
    formatAge(session.modifiedAt, now),
    formatNumbered(session.messageCount, 'message'),
    toMarks(row),
  ]
    .filter((fact) => fact !== '')
    .join('  ');
  const left = room - widthOf(rest) - 2;
  const branch = toBranch(session);
  const path = toPath(session.project, homeDir);
  const project = clipPath(path, Math.max(Math.floor(left * 0.6), left - widthOf(branch) - 2));
  const beside = left - widthOf(project) - 2;
  const place = beside < 5 || branch === '' ? clipPath(path, left) : `${project}  ${clip(branch, beside)}`;
  return clip(left < 5 ? rest : [place, rest].filter((part) => part !== '').join('  '), room);
}

function toBranch({ branch }: Row['session']): string {
  return branch === 'HEAD' ? '' : toPrintableLine(branch ?? '');
}

/** Marks, project, branch, age and messages of each row, one below the other, no wider than they have to be. */
function toCells(rows: readonly MarkedRow[], { area, options: { now, homeDir } }: Pane): string[] {
  const columns = [
    toCell(rows.map(toMarks), 24, pad),
    toCell(
      rows.map(({ session }) => clipPath(toPath(session.project, homeDir), Math.floor(area.columns * 0.2))),
      30,
      pad,
    ),
    toCell(
      rows.map(({ session }) => toBranch(session)),
      Math.floor(area.columns * 0.14),
      pad,
    ),
    toCell(
      rows.map(({ session }) => formatAge(session.modifiedAt, now)),
      5,
      (text, width) => text.padStart(width),
    ),
    toCell(
      rows.map(({ session }) => formatCount(session.messageCount)),
      9,
      (text, width) => text.padStart(width),
    ),
  ];
  return rows.map((_, i) => columns.map((column) => column[i]).join(''));
}

/** All of the same width, with a gap before them; nothing where no row has anything. */
function toCell(
  texts: readonly string[],
  max: number,
  fill: (text: string, width: number) => string,
): string[] {
  const width = Math.min(max, Math.max(...texts.map(widthOf)));
  return texts.map((text) => (width === 0 ? '' : `  ${fill(clip(text, width), width)}`));
}

function toPath(project: string | null, homeDir: string): string {
  return toPrintableLine(toShortPath(project ?? '', homeDir));
}

function toMarks(row: MarkedRow): string {
  const copies = row.copies > 0 ? `+${row.copies}` : '';
  const kind = row.session.kind === 'main' ? '' : row.session.kind;
  return [copies, kind, toShortMissing(row), ...row.marks].filter((mark) => mark !== '').join(' ');
}

/** Padded to `columns`. */
function toMarkedTitle({ session }: Row, { terms }: Results, columns: number, isSelected: boolean): string {
  const title = pad(clip(toTitle(session), Math.max(1, columns)), columns);
  const text = toMarkedPieces(title, terms)
    .map((piece) => (piece.isMatch ? colors.underline(colors.yellow(piece.text)) : piece.text))
    .join('');
  return isSelected ? colors.bold(text) : text;
}
