// Keys while something is in front of the list: the help, the menu of filters, a question.

import { editLine, emptyLine } from '../edit-line.ts';
import { findAction, menuKeys } from '../keys.ts';
import { type Ask, findSelected, type Help, type Menu, type State } from '../state.ts';
import type { Key } from '../terminal/decode-keys.ts';
import { toHelpLines } from '../views/help.ts';
import { toMenuItems, withFilter } from '../views/menu.ts';
import { withText } from './update-list.ts';
import { openReader } from './update-reader.ts';
import { startRestoring, useRestored } from './update-restore.ts';
import { interrupt, isInterrupt, type Updated } from './updated.ts';

function toName(key: Key): string {
  return key.type === 'text' ? key.text : key.type === 'key' ? key.name : '';
}

const steps: Readonly<Record<string, (rows: number) => number>> = {
  up: () => -1,
  k: () => -1,
  'ctrl-p': () => -1,
  down: () => 1,
  j: () => 1,
  'ctrl-n': () => 1,
  enter: () => 1,
  'page-up': (rows) => -rows,
  b: (rows) => -rows,
  'page-down': (rows) => rows,
  ' ': (rows) => rows,
  home: () => Number.NEGATIVE_INFINITY,
  g: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

export function updateHelp(state: State, help: Help, key: Key): Updated {
  if (isInterrupt(key)) return interrupt(state);
  const { rows, columns } = state.size;
  const step = steps[toName(key)];
  if (step === undefined) return { state: { ...state, front: help.behind }, effects: [] };
  const last = Math.max(0, toHelpLines(help.behind !== null, columns).length - (rows - 1));
  const offset = Math.min(last, Math.max(0, help.offset + step(rows - 2)));
  return { state: { ...state, front: { ...help, offset } }, effects: [] };
}

export function updateMenu(state: State, menu: Menu, key: Key): Updated {
  if (isInterrupt(key)) return interrupt(state);
  const only = (front: State['front']): Updated => ({ state: { ...state, front }, effects: [] });
  const items = toMenuItems(menu, state.line.text);
  const name = key.type === 'key' ? key.name : '';
  const action = findAction(menuKeys, name);
  if (action === 'back')
    return only(menu.filter === null ? null : { ...menu, filter: null, selected: 0, line: emptyLine });
  const moves: Readonly<Record<string, number>> = {
    ...{ up: -1, 'ctrl-p': -1, down: 1, 'ctrl-n': 1, 'page-up': -10, 'page-down': 10 },
    ...{ home: -items.length, end: items.length },
  };
  const step = moves[name];
  if (step !== undefined) {
    const selected = Math.min(Math.max(0, menu.selected + step), Math.max(0, items.length - 1));
    return only({ ...menu, selected });
  }
  if (action === 'choose') return choose(state, menu, items[menu.selected]?.value);
  if (menu.filter !== 'project') return only(menu);
  const line = editLine(menu.line, key);
  return only(line === undefined ? menu : { ...menu, line, selected: 0 });
}

function choose(state: State, menu: Menu, value: string | null | undefined): Updated {
  if (value === undefined) return { state, effects: [] };
  if (menu.filter !== null)
    return {
      state: { ...withText(state, withFilter(state.line.text, menu.filter, value)), front: null },
      effects: [],
    };
  return {
    state: { ...state, front: { ...menu, filter: value, selected: 0, line: emptyLine } },
    effects: value === 'project' && menu.projects === null ? [{ type: 'projects' }] : [],
  };
}

export function updateAsk(state: State, ask: Ask, key: Key): Updated {
  const back: State = { ...state, front: ask.behind };
  const name = toName(key);
  if (name === 'esc' || name === 'ctrl-c' || name === 'ctrl-d') return { state: back, effects: [] };
  const line = ask.line === null || name === 'enter' ? undefined : editLine(ask.line, key);
  if (line !== undefined) return { state: { ...state, front: { ...ask, line } }, effects: [] };
  const chosen = ask.choices.find(({ keys }) => keys.includes(ask.line === null ? name.toLowerCase() : name));
  // A question that one key answers goes away with any other.
  if (chosen === undefined) return { state: ask.line === null ? back : state, effects: [] };
  const { does } = chosen;
  switch (does.type) {
    case 'read': {
      const row = findSelected(state);
      return { state: row === undefined ? back : { ...back, front: openReader(state, row) }, effects: [] };
    }
    case 'restore':
      return startRestoring(state, does);
    case 'use-restored':
      return useRestored(back, does.restored, does);
    case 'forget':
      return { state: back, effects: [does] };
    case 'export': {
      const path = ask.line?.text.trim() ?? '';
      return { state: back, effects: path === '' ? [] : [{ ...does, path }] };
    }
    case 'nothing':
      return { state: back, effects: [] };
  }
}
