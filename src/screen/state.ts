// Everything that the screen shows follows from this state. It is never changed: an event makes a new one (update.ts), and view.ts
// draws it. Also how the screen is divided, which follows from its size.

import type { FilterValue, PageStart, Restoration } from '../api/answers.ts';
import type { LabelRequest } from '../api/requests.ts';
import type { FilterName } from '../filters.ts';
import type { Progress } from '../records.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type Line, toLine } from './edit-line.ts';
import type { Asked, Failure, Results, Row, SearchScope, ValuesQuestion } from './questions.ts';
import type { Size } from './screen-terminal.ts';

export interface ScreenSetting {
  readonly homeDir: string;
  readonly directories: Readonly<Record<Exclude<SearchScope, 'everywhere'>, string>>;
  /** What Enter does, in a word: `resume`, `print` or `choose`. */
  readonly verb: string;
}

export interface State {
  readonly size: Size;
  readonly now: Date;
  readonly line: Line;
  readonly scope: SearchScope;
  readonly sort: Asked['sort'];
  readonly limit: number;
  /** Null until there is a first answer. */
  readonly results: Results | null;
  readonly selected: number;
  readonly top: number;
  readonly preview: (Preview & { readonly id: string; readonly offset: number }) | null;
  readonly front: Reader | Help | Menu | Ask | ({ readonly type: 'restoring' } & ToRestore) | null;
  /** What to do with the first session once it is known which one that is; any other key calls it off. */
  readonly waiting: SessionAction | null;
  /** The index was empty at first, and nothing was chosen since: the newest session of those that come in is selected. */
  readonly staysOnTop: boolean;
  /** The last session was asked for, and is not among the rows yet. */
  readonly isGoingToEnd: boolean;
  /** What just happened, until the next key. */
  readonly message: string;
  readonly activity: IndexActivity | null;
  readonly failure: Failure | null;
}

export interface Preview {
  /** The first is the title. */
  readonly lines: readonly string[];
  readonly matches: readonly number[];
  readonly messages: readonly MessageMark[];
  /** The line to show first of all; null for the top. */
  readonly best: number | null;
  readonly isCut: boolean;
}

/** What goes on in the index: how far indexing is, or a text. */
export interface IndexActivity {
  readonly progress: Progress | null;
  readonly elapsedMs: number;
  readonly text: string;
}

export interface Help {
  readonly type: 'help';
  readonly offset: number;
  readonly behind: Reader | null;
}

export interface Menu {
  readonly type: 'menu';
  /** Null while the filter is chosen. */
  readonly filter: FilterName | null;
  readonly selected: number;
  /** Narrows a long list. */
  readonly line: Line;
  /** Null until they are there. */
  readonly values: readonly FilterValue[] | null;
}

/** A question at the bottom, answered by a key or by a text. */
export interface Ask {
  readonly type: 'ask';
  readonly question: string;
  /** Null if one key is the answer. */
  readonly line: Line | null;
  readonly choices: readonly Choice[];
  readonly behind: Reader | null;
}

export interface Choice {
  readonly keys: readonly string[];
  /** The key as it is shown. */
  readonly key: string;
  readonly label: string;
  readonly does: ChosenAction;
}

export interface ToRestore {
  readonly id: string;
  readonly action: ResumeAction;
}

export type SessionAction = 'resume' | 'read' | 'copy' | 'print' | 'forget' | 'star' | LabelAction;
/** Those that ask for a text. */
export type LabelAction = 'name' | 'tags' | 'note';
/** Those that need a session that can be resumed. */
export type ResumeAction = Extract<SessionAction, 'resume' | 'copy' | 'print'>;

export type ChosenAction =
  | { readonly type: 'read' | 'nothing' }
  | ({ readonly type: 'restore' } & ToRestore)
  /** Although parts of it could not be restored. */
  | ({ readonly type: 'use-restored'; readonly restored: Restoration } & ToRestore)
  | { readonly type: 'leave'; readonly outcome: Outcome }
  | { readonly type: 'forget'; readonly id: string }
  | { readonly type: 'export'; readonly id: string }
  | {
      readonly type: 'label';
      readonly id: string;
      readonly action: LabelAction;
      readonly tags: readonly string[];
    };

export interface Reader {
  readonly type: 'reader';
  readonly id: string;
  readonly title: string;
  readonly match: string;
  readonly messageCount: number;
  readonly columns: number;
  readonly lines: readonly string[];
  readonly matches: readonly number[];
  readonly messages: readonly MessageMark[];
  readonly isWhole: boolean;
  /** The page that follows; null before the first. */
  readonly next: PageStart | null;
  readonly offset: number;
  /** Lines: more are read when there are fewer. */
  readonly wanted: number;
  readonly showsTools: boolean;
  readonly showsSubagents: boolean;
  /** What `/` searches for; `isTyping` while it is typed. */
  readonly find: { readonly line: Line; readonly isTyping: boolean; readonly from: number };
  /** Where to go when the lines are there: a message, the first match, the next place that is found, the end. */
  readonly goal: MessagePlace | 'match' | 'next' | 'end' | null;
}

export interface MessageMark {
  readonly line: number;
  readonly id: number;
  readonly text: string;
  /** Its number in the session; null for what a subagent said. */
  readonly position: number | null;
  /** Who said it, and when. */
  readonly heading: string;
}

/** A message, or the nth line in it that matches, counted from 0. */
export interface MessagePlace {
  readonly id: number;
  readonly nth: number | null;
}

/** More lines of a conversation, with line numbers of the whole. */
export type ReaderPage = Pick<Reader, 'lines' | 'matches' | 'messages' | 'next'>;

export type Outcome =
  | { readonly type: 'left' | 'interrupted' }
  | {
      readonly type: 'resume' | 'print';
      readonly id: string;
      readonly isCopy?: boolean;
      readonly restored?: Restoration;
    };

export type Effect =
  | { readonly type: 'leave'; readonly outcome: Outcome }
  | { readonly type: 'copy'; readonly text: string; readonly what: string }
  | { readonly type: 'restore' | 'forget'; readonly id: string }
  | { readonly type: 'export'; readonly id: string; readonly path: string }
  | { readonly type: 'label'; readonly id: string; readonly request: LabelRequest }
  | { readonly type: 'values'; readonly question: ValuesQuestion }
  | { readonly type: 'suspend' | 'redraw' };

/** More rows are asked for when the selection comes near the last one. */
export const firstLimit = 50;

export const firstAsked: Asked = { query: '', scope: 'everywhere', sort: 'relevance' };

export function buildFirstState(size: Size, now: Date, results: Results | null, query = ''): State {
  return {
    size,
    now,
    line: toLine(toPrintableLine(query)),
    scope: firstAsked.scope,
    sort: firstAsked.sort,
    limit: firstLimit,
    results,
    selected: 0,
    top: 0,
    preview: null,
    front: null,
    waiting: null,
    staysOnTop: results === null || results.rows.length === 0,
    isGoingToEnd: false,
    message: '',
    activity: null,
    failure: null,
  };
}

/** Whether the list still answers an earlier question. */
export function isStale({ results, line, scope, sort }: State): boolean {
  const of = results?.of;
  const isSameText = of?.query === line.text || (of?.query.trim() === '' && line.text.trim() === '');
  return !isSameText || of?.scope !== scope || of.sort !== sort;
}

export function findSelected({ results, selected }: State): Row | undefined {
  return results?.rows[selected];
}

export function findSearchedText({ results }: State): string {
  return results === null || results.terms.length === 0 ? '' : results.of.query;
}

/** Rows and columns from 0. */
export type Area = Readonly<Record<'top' | 'left' | 'rows' | 'columns', number>>;

export interface Layout {
  readonly hasStatus: boolean;
  readonly hasFooter: boolean;
  readonly body: Area;
  readonly list: Area;
  readonly preview: Area | null;
}

const minColumnsForPreview = 60;
const minColumnsBeside = 100;
const minRowsBelow = 10;
const maxPreviewColumns = 110;

export function planLayout({ columns, rows }: Size): Layout {
  const hasStatus = rows >= 4;
  const hasFooter = rows >= 5;
  const top = hasStatus ? 2 : 1;
  const body = { top, left: 0, rows: Math.max(0, rows - top - (hasFooter ? 1 : 0)), columns };
  return { hasStatus, hasFooter, body, ...divide(body) };
}

function divide(body: Area): Pick<Layout, 'list' | 'preview'> {
  const { top, rows, columns } = body;
  if (columns >= minColumnsBeside) {
    const preview = Math.min(maxPreviewColumns, Math.floor(columns * 0.54));
    const left = columns - preview;
    // A rule comes between, with a space on either side.
    return { list: { ...body, columns: left - 3 }, preview: { ...body, left, columns: preview } };
  }
  if (columns < minColumnsForPreview || rows < minRowsBelow) return { list: body, preview: null };
  const above = Math.floor(rows * 0.45);
  return {
    list: { ...body, rows: above },
    preview: { ...body, top: top + above + 1, rows: rows - above - 1 },
  };
}

/** Of the preview, above the place that it is brought to: the title, who speaks, and some context. */
export function countLinesAbove(rows: number): number {
  return Math.max(2, Math.min(4, Math.floor(rows / 3)));
}

export interface Updated {
  readonly state: State;
  readonly effects: readonly Effect[];
}

export function only(state: State): Updated {
  return { state, effects: [] };
}

export function leave(state: State, outcome: Outcome): Updated {
  return { state, effects: [{ type: 'leave', outcome }] };
}
