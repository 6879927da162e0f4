// The menu of filters: first which one, then its value, with how many sessions have it. The filters are those of filters.ts. What is
// chosen goes into the query, where it can be seen and edited.

import type { FilterValue } from '../api/answers.ts';
import { type FilterName, filterNames, filters } from '../filters.ts';
import { chooseColors } from '../render/colors.ts';
import { clip, clipPath, pad, widthOf } from '../render/columns.ts';
import { formatCount } from '../render/quantities.ts';
import { shortenPath } from '../render/sessions.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Key } from './decode-keys.ts';
import { drawPrompt, editLine, emptyLine, toLine } from './edit-line.ts';
import { findAction, menuKeys } from './keys.ts';
import { withQuery } from './list.ts';
import type { Frame } from './screen-terminal.ts';
import { type Area, type Menu, only, type ScreenSetting, type State, type Updated } from './state.ts';

const colors = chooseColors(true);

interface MenuItem {
  /** A filter, or the value of one; null for no such filter. */
  readonly value: string | null;
  readonly label: string;
  /** The value that a filter has, or how many sessions have it. */
  readonly note: string;
  readonly isCurrent: boolean;
}

const days: Readonly<Record<string, Readonly<Record<'since' | 'until', string>>>> = {
  today: { since: 'today', until: 'up to today' },
  yesterday: { since: 'since yesterday', until: 'up to yesterday' },
  '7d': { since: 'the last 7 days', until: 'started 7 days ago or earlier' },
  '30d': { since: 'the last 30 days', until: 'started 30 days ago or earlier' },
  '90d': { since: 'the last 90 days', until: 'started 90 days ago or earlier' },
  '365d': { since: 'the last year', until: 'started a year ago or earlier' },
};

/** Those without a fixed list of values: the list may be long, and anything else can be typed. */
function isTyped(filter: FilterName | null): filter is FilterName {
  return filter !== null && filters[filter].choices === undefined && filters[filter].value !== 'day';
}

function listMenuItems({ filter, line, values }: Menu, query: string): MenuItem[] {
  if (filter === null)
    return filterNames.map((name) => {
      const current = findFilter(query, name);
      return { value: name, label: name, note: current ?? 'any', isCurrent: current !== undefined };
    });
  const current = findFilter(query, filter);
  const wanted = line.text.toLowerCase();
  const known = (values ?? []).map(({ value, sessions }) => ({
    value,
    label:
      filter === 'since' || filter === 'until' ? (days[value]?.[filter] ?? value) : toPrintableLine(value),
    note: formatCount(sessions),
    isCurrent: value === current,
  }));
  const found = known.filter(({ label }) => label.toLowerCase().includes(wanted));
  if (wanted === '')
    return [{ value: null, label: 'any', note: '', isCurrent: current === undefined }, ...found];
  if (found.length > 0 || values === null) return found;
  return [
    { value: line.text.trim(), label: `“${toPrintableLine(line.text.trim())}”`, note: '', isCurrent: false },
  ];
}

const filterPattern = (name: string) => new RegExp(`(?:^|\\s)${name}:("[^"]*"?|\\S+)`, 'i');

function findFilter(query: string, name: string): string | undefined {
  return filterPattern(name).exec(query)?.[1]?.replaceAll('"', '');
}

function withFilter(query: string, name: string, value: string | null): string {
  const rest = query.replace(filterPattern(name), '').trim();
  if (value === null) return rest;
  const plain = value.replaceAll('"', '');
  const typed = /\s/.test(plain) ? `"${plain}"` : plain;
  // A space after it: what is typed next is a word of its own.
  return `${rest}${rest === '' ? '' : ' '}${name}:${typed} `;
}

export function drawMenu(
  menu: Menu,
  { line }: State,
  { homeDir }: ScreenSetting,
  { top, rows, columns }: Area,
): Frame {
  const { filter } = menu;
  const items = listMenuItems(menu, line.text);
  const prompt = drawPrompt(menu.line, '  narrow: ', columns);
  // In a few rows, what can be chosen is worth more than the heading.
  const hasHeading = !isTyped(filter) || rows > 2;
  const heading = filter === null ? 'Filter by' : `${filter}: ${filters[filter].description}`;
  const head = [
    ...(hasHeading ? [`  ${colors.bold(clip(heading, Math.max(1, columns - 2)))}`] : []),
    ...(isTyped(filter) ? [prompt.line] : []),
  ];
  const room = Math.max(1, rows - head.length);
  const first = Math.max(0, Math.min(menu.selected - Math.floor(room / 2), items.length - room));
  const isPath = filter === 'project' || filter === 'file';
  const labels = items.map(({ label }) => (isPath ? shortenPath(label, homeDir) : label));
  const notes = Math.max(...items.map(({ note }) => widthOf(note)), 0);
  const widest = Math.max(columns - 8 - notes, 4);
  const width = filter === null ? 10 : Math.min(widest, Math.max(...labels.map(widthOf)) + 1);
  const shown = items.slice(first, first + room).map(({ note, isCurrent }, i) => {
    const isSelected = first + i === menu.selected;
    const label = labels[first + i] ?? '';
    const name = pad(isPath ? clipPath(label, width, labels) : clip(label, width), width);
    const fact = filter === null ? clip(note, Math.max(1, columns - width - 6)) : note.padStart(notes);
    const text = `${isCurrent ? '●' : ' '} ${name} ${isCurrent ? fact : colors.dim(fact)}`.trimEnd();
    return isSelected ? ` ${colors.cyan('▌')}${colors.bold(text)}` : `  ${text}`;
  });
  const isLoading = filter !== null && menu.values === null;
  const lines = [...head, ...shown, ...(isLoading ? [`    ${colors.dim('looking …')}`] : [])];
  const row = top + head.length - 1;
  return { lines, cursor: isTyped(filter) ? { row, column: prompt.column } : null };
}

/** The current value is selected. */
export function takeValues(state: State, filter: FilterName, values: readonly FilterValue[]): State {
  const { front } = state;
  if (front?.type !== 'menu' || front.filter !== filter) return state;
  const menu = { ...front, values };
  const isUntouched = front.selected === 0 && front.line.text === '';
  const current = listMenuItems(menu, state.line.text).findIndex(({ isCurrent }) => isCurrent);
  return { ...state, front: isUntouched ? { ...menu, selected: Math.max(0, current) } : menu };
}

const steps: Readonly<Record<string, number>> = {
  up: -1,
  'ctrl-p': -1,
  down: 1,
  'ctrl-n': 1,
  'page-up': -10,
  'page-down': 10,
};

export function updateMenu(state: State, menu: Menu, key: Key): Updated {
  const show = (front: State['front']) => only({ ...state, front });
  const items = listMenuItems(menu, state.line.text);
  const name = key.type === 'key' ? key.name : '';
  const action = findAction(menuKeys, name);
  if (action === 'back') {
    const selected = menu.filter === null ? 0 : filterNames.indexOf(menu.filter);
    return show(
      menu.filter === null ? null : { ...menu, filter: null, values: null, selected, line: emptyLine },
    );
  }
  const step = { ...steps, home: -items.length, end: items.length }[name];
  if (step !== undefined) {
    const selected = Math.min(Math.max(0, menu.selected + step), Math.max(0, items.length - 1));
    return show({ ...menu, selected });
  }
  if (action === 'choose') return choose(state, menu, items[menu.selected]?.value);
  if (!isTyped(menu.filter)) return show(menu);
  const line = editLine(menu.line, key);
  return show(line === undefined ? menu : { ...menu, line, selected: 0 });
}

function choose(state: State, menu: Menu, value: string | null | undefined): Updated {
  if (value === undefined) return only(state);
  if (menu.filter !== null) {
    const line = toLine(withFilter(state.line.text, menu.filter, value));
    return only({ ...withQuery(state, line), front: null });
  }
  const filter = filterNames.find((name) => name === value);
  if (filter === undefined) return only(state);
  const { line, scope } = state;
  const among = filters[filter].value === 'day' ? Object.keys(days) : [];
  return {
    state: { ...state, front: { ...menu, filter, values: null, selected: 0, line: emptyLine } },
    effects: [{ type: 'values', question: { type: 'values', filter, query: line.text, scope, among } }],
  };
}
