// The menu of filters: first which one, then its value. What is chosen goes into the query, where it can be seen and edited.

import { type FilterName, type FilterTraits, filterNames, filters } from '../../filters.ts';
import { toColors } from '../../render/colors.ts';
import { clip, pad } from '../../render/columns.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Area } from '../layout.ts';
import type { Menu, State } from '../state.ts';
import type { Position } from '../terminal/frame.ts';
import { toPrompt } from './prompt.ts';

const colors = toColors(true);

export interface MenuItem {
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

export function toMenuItems({ filter, line, projects }: Menu, query: string): MenuItem[] {
  if (filter === null)
    return menuFilters.map((name) => ({
      value: name,
      label: name,
      note: findFilter(query, name) ?? 'any',
    }));
  const wanted = line.text.toLowerCase();
  const values = toValues(filter as FilterName, projects).filter(({ label }) =>
    label.toLowerCase().includes(wanted),
  );
  return [...(wanted === '' ? [{ value: null, label: 'any', note: '' }] : []), ...values];
}

function toValues(filter: FilterName, projects: Menu['projects']): MenuItem[] {
  if (filter === 'project')
    return (projects ?? []).map((path) => ({ value: path, label: toPrintableLine(path), note: '' }));
  if (filter === 'since') return days.map(([value, label]) => ({ value, label, note: '' }));
  const { choices = [] }: FilterTraits = filters[filter];
  return choices.map((choice) => ({ value: choice, label: choice, note: '' }));
}

const toPattern = (name: string) => new RegExp(`(?:^|\\s)${name}:("[^"]*"?|\\S+)`, 'i');

/** The value that the query has for a filter. */
export function findFilter(query: string, name: string): string | undefined {
  return toPattern(name).exec(query)?.[1]?.replaceAll('"', '');
}

/** The query with this value for a filter instead of any other. */
export function withFilter(query: string, name: string, value: string | null): string {
  const rest = query.replace(toPattern(name), '').trim();
  if (value === null) return rest;
  const plain = value.replaceAll('"', '');
  const typed = /\s/.test(plain) ? `"${plain}"` : plain;
  // A space after it: what is typed next is a word of its own.
  return `${rest}${rest === '' ? '' : ' '}${name}:${typed} `;
}

export function toMenu(
  menu: Menu,
  { line }: State,
  { top, rows, columns }: Area,
): { readonly lines: readonly string[]; readonly cursor: Position | null } {
  const items = toMenuItems(menu, line.text);
  const heading = menu.filter === null ? 'Filter by' : menu.filter;
  const isTyped = menu.filter === 'project';
  const prompt = toPrompt(menu.line, '  narrow: ', columns);
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
