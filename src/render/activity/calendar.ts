// Days as a picture: weeks are columns, days of the week are rows, and more messages make a fuller block. It can be read
// without colour too, and shows fewer weeks on a narrow terminal.

import type { Colors } from '../colors.ts';
import { clip } from '../columns.ts';
import { formatCount } from '../quantities.ts';
import { months } from '../times.ts';

export interface CalendarDays {
  /** Messages of each local day, `2026-10-06`. */
  readonly messages: ReadonlyMap<string, number>;
  readonly first: string;
  readonly last: string;
}

const labels = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'];
const margin = 4;
/** A year, plus the week in progress. */
const maxWeeks = 53;
const blocks = ['·', '░', '▒', '▓', '█'];

export interface Calendar {
  readonly lines: readonly string[];
  /** The first day shown. */
  readonly from: string;
}

export function toCalendar(days: CalendarDays, columns: number, colors: Colors): Calendar {
  const [first, last] = [toNumber(days.first), toNumber(days.last)];
  const room = Math.max(1, columns - margin);
  const allWeeks = (startOfWeek(last) - startOfWeek(first)) / 7 + 1;
  const weeks = Math.min(allWeeks, maxWeeks, room);
  const cell = weeks * 2 - 1 <= room ? 2 : 1;
  const start = startOfWeek(last) - (weeks - 1) * 7;
  const from = Math.max(first, start);
  const most = Math.max(0, ...[...days.messages].filter(([day]) => toNumber(day) >= from).map(([, n]) => n));
  const rows = labels.map((label, weekday) => {
    const cells = Array.from({ length: weeks }, (_, week) => {
      const day = start + week * 7 + weekday;
      if (day < from || day > last) return ' ';
      const level = toLevel(days.messages.get(toDay(day)) ?? 0, most);
      return paintOf(level, colors)(blocks[level] ?? '');
    });
    return `${label.padEnd(margin)}${cells.join(cell === 2 ? ' ' : '')}`;
  });
  const heading = toMonths(start, from, { weeks, cell, room });
  const lines = [`${' '.repeat(margin)}${heading}`, ...rows, '', clip(toLegend(most), columns)];
  return { lines: lines.map((line) => line.trimEnd()), from: toDay(from) };
}

/** By the square root, so that one very busy day does not make all the others look alike. */
function toLevel(messages: number, most: number): number {
  return messages === 0 ? 0 : Math.ceil(4 * Math.sqrt(messages / most));
}

function toLegend(most: number): string {
  const steps = [1, 2, 3, 4].flatMap((level) => {
    const low = Math.floor((most * (level - 1) ** 2) / 16) + 1;
    const high = Math.floor((most * level ** 2) / 16);
    if (high < low) return [];
    const range = low === high ? formatCount(low) : `${formatCount(low)}–${formatCount(high)}`;
    return [`${blocks[level]} ${range}`];
  });
  return `${' '.repeat(margin)}${steps.join('  ')} messages`;
}

function paintOf(level: number, { dim, green, brightGreen, bold }: Colors): (text: string) => string {
  if (level === 0) return dim;
  if (level === 1) return (text) => dim(green(text));
  return level === 2 ? green : level === 3 ? brightGreen : (text) => bold(brightGreen(text));
}

/** Month names above the week in which each month starts, where there is room for them. */
function toMonths(
  start: number,
  from: number,
  { weeks, cell, room }: { readonly weeks: number; readonly cell: number; readonly room: number },
): string {
  let line = '';
  for (let week = 0; week < weeks; week++) {
    const monday = start + week * 7;
    const firstOfMonth = [0, 1, 2, 3, 4, 5, 6]
      .map((day) => monday + day)
      .find((day) => toDay(day).endsWith('-01'));
    if (firstOfMonth === undefined && week > 0) continue;
    const at = week * cell;
    const name = months[Number(toDay(firstOfMonth ?? Math.max(from, monday)).slice(5, 7)) - 1] ?? '';
    if (at + name.length > room) continue;
    // The month that the picture starts in gives way to one that starts next to it; others are far enough apart.
    line = at > 0 && at <= line.length ? `${' '.repeat(at)}${name}` : `${line.padEnd(at)}${name}`;
  }
  return line;
}

const dayMs = 86_400_000;

function toNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00.000Z`) / dayMs);
}

function toDay(number: number): string {
  return new Date(number * dayMs).toISOString().slice(0, 10);
}

/** Day 0 was a Thursday; weeks start on Monday. */
function startOfWeek(number: number): number {
  return number - ((((number + 3) % 7) + 7) % 7);
}
