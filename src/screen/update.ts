// An event → a new state and what is to be done besides. Pure: everything that the screen does is decided here.

import type { FilterValue, Restoration } from '../api/answers.ts';
import type { FilterName } from '../filters.ts';
import { type Key, nameOf } from './decode-keys.ts';
import { editLine } from './edit-line.ts';
import { anywhereKeys, findAction, formatHelp } from './keys.ts';
import {
  fitTop,
  takeFailure,
  takeRestored,
  toLabelRequest,
  updateList,
  useRestored,
  withSelected,
} from './list.ts';
import { takeValues, updateMenu } from './menu.ts';
import type { Failure, Results } from './questions.ts';
import { openReader, readAgain, takePage, updateReader } from './reader.ts';
import type { Size } from './screen-terminal.ts';
import {
  type Ask,
  countLinesAbove,
  findSelected,
  type Help,
  type IndexActivity,
  isStale,
  leave,
  only,
  type Preview,
  planLayout,
  type ReaderPage,
  type State,
  type Updated,
} from './state.ts';

export type Event =
  | { readonly type: 'key'; readonly key: Key; readonly now: Date }
  | { readonly type: 'resize'; readonly size: Size }
  /** `isSame` if the same question was answered before: something new has arrived. */
  | { readonly type: 'results'; readonly results: Results; readonly isSame: boolean; readonly now: Date }
  | { readonly type: 'preview'; readonly id: string; readonly preview: Preview }
  | { readonly type: 'page'; readonly page: ReaderPage }
  | { readonly type: 'values'; readonly filter: FilterName; readonly values: readonly FilterValue[] }
  | { readonly type: 'activity'; readonly activity: IndexActivity | null }
  | { readonly type: 'restored'; readonly restored: Restoration }
  | { readonly type: 'not-restored'; readonly failure: Failure }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'failure'; readonly failure: Failure };

/** A key calls off what was waited for. */
const nothingPending = { message: '', waiting: null, isGoingToEnd: false };

export function update(state: State, event: Event): Updated {
  const { front } = state;
  switch (event.type) {
    case 'key':
      return updateByKey({ ...state, ...nothingPending, now: event.now }, event.key);
    case 'resize':
      return only(resize(state, event.size));
    case 'results':
      return actIfReady(takeResults({ ...state, now: event.now }, event.results, event.isSame));
    case 'preview':
      return only({ ...state, preview: openPreview(state, event.preview, event.id) });
    case 'page':
      return only(front?.type === 'reader' ? takePage(state, front, event.page) : state);
    case 'values':
      return only(takeValues(state, event.filter, event.values));
    case 'activity':
      return only({ ...state, activity: event.activity });
    case 'restored':
      return takeRestored(state, event.restored);
    case 'not-restored':
      return only(takeFailure(state, event.failure));
    case 'message':
      return only({ ...state, message: event.text });
    case 'failure':
      return only({ ...state, failure: event.failure });
  }
}

function updateByKey(state: State, key: Key): Updated {
  const { front } = state;
  const anywhere = key.type === 'key' ? findAction(anywhereKeys, key.name) : undefined;
  if (anywhere !== undefined) return { state, effects: [{ type: anywhere }] };
  if (front === null) return updateList(state, key);
  if (front.type === 'reader') return updateReader(state, front, key);
  if (front.type === 'ask') return updateAsk(state, front, key);
  if (nameOf(key) === 'ctrl-c') return leave(state, { type: 'interrupted' });
  if (front.type === 'help') return updateHelp(state, front, key);
  // What is typed while a session is restored was not meant for the list.
  return front.type === 'menu' ? updateMenu(state, front, key) : only(state);
}

/** Enter may have been pressed before the answer was there. */
function actIfReady(state: State): Updated {
  const { waiting } = state;
  if (waiting === null || isStale(state)) return only(state);
  return withSelected({ ...state, waiting: null }, waiting);
}

/** The selection stays on its session when something new arrives; for another question it is on the first. */
function takeResults(state: State, results: Results, isSame: boolean): State {
  const before = findSelected(state)?.session.id;
  const place = isSame ? results.rows.findIndex(({ session }) => session.id === before) : -1;
  const moved = state.staysOnTop ? 0 : place < 0 ? state.selected : place;
  const last = Math.max(0, results.rows.length - 1);
  const selected = state.isGoingToEnd ? last : Math.min(moved, last);
  // Rows do not move under the eye, unless the list is at its top, where what is new belongs.
  const top = state.top === 0 ? 0 : Math.max(0, state.top + selected - state.selected);
  // What failed stays on the screen if it explains why the index is empty.
  const isExplained = state.failure !== null && results.emptiness?.sessions === 0;
  return {
    ...state,
    results,
    failure: isExplained ? state.failure : null,
    selected,
    isGoingToEnd: state.isGoingToEnd && results.rows.length < Math.min(results.total, state.limit),
    top: fitTop({ ...state, results, top, selected }),
  };
}

function openPreview({ size }: State, preview: Preview, id: string): State['preview'] {
  const { best, lines } = preview;
  const rows = planLayout(size).preview?.rows ?? 0;
  // A match that is visible from the top needs no scrolling.
  if (best === null || best < rows - 2) return { ...preview, id, offset: 0 };
  return { ...preview, id, offset: Math.max(0, Math.min(best - countLinesAbove(rows), lines.length - rows)) };
}

function resize(state: State, size: Size): State {
  const { front } = state;
  const resized = { ...state, size };
  const isRead = front?.type === 'reader' && front.columns !== size.columns;
  return { ...resized, top: fitTop(resized), front: isRead ? readAgain(resized, front) : front };
}

function findStep(name: string, page: number): number | undefined {
  if (['up', 'k', 'ctrl-p'].includes(name)) return -1;
  if (['down', 'j', 'ctrl-n', 'enter'].includes(name)) return 1;
  if (['page-up', 'b'].includes(name)) return -page;
  if (['page-down', ' '].includes(name)) return page;
  if (['home', 'g'].includes(name)) return Number.NEGATIVE_INFINITY;
  return ['end', 'G'].includes(name) ? Number.POSITIVE_INFINITY : undefined;
}

function updateHelp(state: State, help: Help, key: Key): Updated {
  const { rows, columns } = state.size;
  const step = findStep(nameOf(key), rows - 2);
  if (step === undefined) return only({ ...state, front: help.behind });
  const last = Math.max(0, formatHelp(help.behind !== null, columns).length - (rows - 1));
  const offset = Math.min(last, Math.max(0, help.offset + step));
  return only({ ...state, front: { ...help, offset } });
}

function updateAsk(state: State, ask: Ask, key: Key): Updated {
  const back: State = { ...state, front: ask.behind };
  const name = nameOf(key);
  if (name === 'esc' || name === 'ctrl-c' || name === 'ctrl-d') return only(back);
  const line = ask.line === null || name === 'enter' ? undefined : editLine(ask.line, key);
  if (line !== undefined) return only({ ...state, front: { ...ask, line } });
  const chosen = ask.choices.find(({ keys }) => keys.includes(ask.line === null ? name.toLowerCase() : name));
  // A question that one key answers goes away with any other.
  if (chosen === undefined) return only(ask.line === null ? back : state);
  const { does } = chosen;
  switch (does.type) {
    case 'read': {
      const row = findSelected(state);
      return only(row === undefined ? back : { ...back, front: openReader(state, row) });
    }
    case 'restore':
      return { state: { ...state, front: { ...does, type: 'restoring' } }, effects: [does] };
    case 'use-restored':
      return useRestored(back, does.restored, does);
    case 'leave':
      return leave(back, does.outcome);
    case 'forget':
      return { state: back, effects: [does] };
    case 'export': {
      const path = ask.line?.text.trim() ?? '';
      return { state: back, effects: path === '' ? [] : [{ ...does, path }] };
    }
    case 'label': {
      const request = toLabelRequest(does, ask.line?.text ?? '');
      return { state: back, effects: [{ type: 'label', id: does.id, request }] };
    }
    case 'nothing':
      return only(back);
  }
}
