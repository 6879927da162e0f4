// The menu of filters: first which one, then its value. What is chosen goes into the query, where it can be seen and edited.

import { type FilterName, type FilterTraits, filterNames, filters } from '../filters.ts';
import { chooseColors } from '../render/colors.ts';
import { clip, pad } from '../render/columns.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Key } from './decode-keys.ts';
import { drawPrompt, editLine, emptyLine, toLine } from './edit-line.ts';
import { findAction, menuKeys } from './keys.ts';
import { withQuery } from './list.ts';
import type { Frame } from './screen-terminal.ts';
import { type Area, type Menu, only, type State, type Updated } from './state.ts';

const colors = chooseColors(true);

interface MenuItem {
  /** A filter, or the value of one; null for no such filter. */
  readonly value: string | null;
  readonly label: string;
  readonly note: string;
}

/** Those that are worth choosing from a list, as far as this recall has them. */
const offered = ['agent', 'project', 'since', 'role'];
const menuFilters = filterNames.filter((name) => offered.includes(name));

const days: readonly (readonly [value: string, label: string])[] = [
  ['today', 'today'],
  ['yesterday', 'since yesterday'],
  ['7d', 'the last 7 days'],
  ['30d', 'the last 30 days'],
  ['90d', 'the last 90 days'],
  ['365d', 'the last year'],
];

function listMenuItems({ filter, line, projects }: Menu, query: string): MenuItem[] {
  if (filter === null)
    return menuFilters.map((name) => ({ value: name, label: name, note: findFilter(query, name) ?? 'any' }));
  const wanted = line.text.toLowerCase();
  const values = listValues(filter as FilterName, projects);
  const found = values.filter(({ label }) => label.toLowerCase().includes(wanted));
  return wanted === '' ? [{ value: null, label: 'any', note: '' }, ...found] : found;
}

function listValues(filter: FilterName, projects: Menu['projects']): MenuItem[] {
  if (filter === 'project')
    return (projects ?? []).map((path) => ({ value: path, label: toPrintableLine(path), note: '' }));
  if (filter === 'since') return days.map(([value, label]) => ({ value, label, note: '' }));
  const { choices = [] }: FilterTraits = filters[filter];
  return choices.map((choice) => ({ value: choice, label: choice, note: '' }));
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

export function drawMenu(menu: Menu, { line }: State, { top, rows, columns }: Area): Frame {
  const items = listMenuItems(menu, line.text);
  const heading = menu.filter === null ? 'Filter by' : menu.filter;
  const isTyped = menu.filter === 'project';
  const prompt = drawPrompt(menu.line, '  narrow: ', columns);
  // In a few rows, what can be chosen is worth more than the heading.
  const hasHeading = !isTyped || rows > 2;
  const head = [...(hasHeading ? [`  ${colors.bold(heading)}`] : []), ...(isTyped ? [prompt.line] : [])];
  const room = Math.max(1, rows - head.length);
  const first = Math.max(0, Math.min(menu.selected - Math.floor(room / 2), items.length - room));
  const shown = items.slice(first, first + room).map(({ label, note }, i) => {
    const isSelected = first + i === menu.selected;
    const text = clip(note === '' ? label : `${pad(label, 10)}${note}`, Math.max(1, columns - 4));
    return isSelected ? `  ${colors.cyan('▌')} ${colors.bold(text)}` : `    ${text}`;
  });
  const isLoading = isTyped && menu.projects === null;
  const lines = [...head, ...shown, ...(isLoading ? [`    ${colors.dim('looking …')}`] : [])];
  const row = top + head.length - 1;
  return { lines, cursor: isTyped ? { row, column: prompt.column } : null };
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
  if (action === 'back')
    return show(menu.filter === null ? null : { ...menu, filter: null, selected: 0, line: emptyLine });
  const step = { ...steps, home: -items.length, end: items.length }[name];
  if (step !== undefined) {
    const selected = Math.min(Math.max(0, menu.selected + step), Math.max(0, items.length - 1));
    return show({ ...menu, selected });
  }
  if (action === 'choose') return choose(state, menu, items[menu.selected]?.value);
  if (menu.filter !== 'project') return show(menu);
  const line = editLine(menu.line, key);
  return show(line === undefined ? menu : { ...menu, line, selected: 0 });
}

function choose(state: State, menu: Menu, value: string | null | undefined): Updated {
  if (value === undefined) return only(state);
  if (menu.filter !== null) {
    const line = toLine(withFilter(state.line.text, menu.filter, value));
    return only({ ...withQuery(state, line), front: null });
  }
  return {
    state: { ...state, front: { ...menu, filter: value, selected: 0, line: emptyLine } },
    effects: value === 'project' && menu.projects === null ? [{ type: 'projects' }] : [],
  };
}
