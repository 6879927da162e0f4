// Activity statistics, as a page for people and as JSON for scripts. Days are drawn as a calendar, hours as bars; both can
// be read without colour too, and fit a narrow terminal.

import type { Activity } from '../api/activity.ts';
import type { Fresh } from '../api/answers.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type Colors, chooseColors, type Paint } from './colors.ts';
import { type Column, clip, formatTable, wrap } from './columns.ts';
import { toFreshnessJson, toSessionJson } from './json.ts';
import { formatCount, formatNumbered, months } from './quantities.ts';
import {
  formatNextCommand,
  formatPageFooter,
  formatSessionLines,
  listProjectsOf,
  type SessionLineOptions,
  shortenPath,
} from './sessions.ts';

const top = { projects: 5, models: 5, tools: 8 } as const;
/** The picture ends today, unless there were no messages for longer than this. */
const maxQuietDays = 28;

export function formatStatsPage(stats: Activity, given: SessionLineOptions): string {
  const options = { ...given, projects: listProjectsOf(stats.longest, given.homeDir) };
  const { tally, projects, models, tools } = stats;
  const { columns, homeDir } = options;
  const colors = chooseColors(options.useColor);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', colors.cyan(clip(title, columns)), ...lines];
  const table = (titles: readonly string[], rows: readonly [string, number, number][], isPath: boolean) => {
    if (rows.length === 0) return [];
    const shape = titles.map((title, i): Column => ({ title, side: i === 0 ? 'left' : 'right' }));
    const cells = rows.map(([name, ...counts]) => [name, ...counts.map(formatCount)]);
    const [heading = '', ...lines] = formatTable(shape, cells, { width: columns, isPath });
    return ['', colors.dim(heading), ...lines];
  };
  const formatPath = (path: string | null) =>
    path === null ? '(unknown)' : shortenPath(toPrintableLine(path), homeDir);
  return [
    ...formatTotals(stats).flatMap((line) => wrap(line, columns)),
    ...section('Messages by day', formatDays(stats, options)),
    ...section('Messages by hour', tally.days.length === 0 ? [] : drawHourBars(tally.hours, columns, colors)),
    ...table(
      ['project', 'sessions', 'messages'],
      projects.slice(0, top.projects).map((each) => [formatPath(each.path), each.sessions, each.messages]),
      true,
    ),
    ...table(
      ['model', 'sessions', 'subagents'],
      models.slice(0, top.models).map((each) => [toPrintableLine(each.model), each.sessions, each.subagents]),
      false,
    ),
    ...table(
      ['tool', 'calls', 'failed'],
      tools.slice(0, top.tools).map((each) => [toPrintableLine(each.name), each.calls, each.failed]),
      false,
    ),
    ...section(
      'Longest sessions',
      stats.longest.flatMap((each, i) => formatSessionLines({ ...each, marks: [] }, i + 1, options)),
    ),
    ...formatPageFooter([formatNextCommand(options)], options),
  ].join('\n');
}

function formatTotals({ tally, subagents, projects, tools }: Activity): string[] {
  const { days } = tally;
  return [
    `${formatNumbered(tally.sessions, 'session')} in ${formatNumbered(projects.length, 'project')}, ${formatNumbered(tally.messages, 'message')}, ${formatCount(tally.prompts)} of them yours`,
    `${formatNumbered(subagents, 'subagent')}, ${formatNumbered(countCalls(tools), 'tool call')}`,
    ...days
      .slice(0, 1)
      .map(({ day }) => `${formatNumbered(days.length, 'active day')} from ${day} to ${days.at(-1)?.day}`),
  ];
}

function countCalls(tools: Activity['tools']): number {
  return tools.reduce((sum, { calls }) => sum + calls, 0);
}

function formatDays({ tally: { days }, today }: Activity, { columns, useColor }: SessionLineOptions) {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const quietDays = (Date.parse(today) - Date.parse(last.day)) / 86_400_000;
  const messages = new Map(days.map((day) => [day.day, day.messages]));
  const colors = chooseColors(useColor);
  const end = quietDays > 0 && quietDays <= maxQuietDays ? today : last.day;
  const { lines, from } = drawCalendar({ messages, first: first.day, last: end }, columns, colors);
  const busiest = days.reduce((most, day) => (day.messages > most.messages ? day : most));
  const notes = [
    `busiest day: ${busiest.day}, ${formatNumbered(busiest.messages, 'message')} in ${formatNumbered(busiest.sessions, 'session')}`,
  ];
  const earlier = days.filter((day) => day.day < from).reduce((sum, day) => sum + day.messages, 0);
  if (earlier > 0) notes.push(`not shown: ${formatNumbered(earlier, 'message')} before ${from}`);
  return [...lines, ...notes.map((note) => colors.dim(clip(`    ${note}`, columns)))];
}

export function toStatsJson(stats: Fresh<Activity>) {
  const { period, tally, subagents, projects, models, tools, longest } = stats;
  const messagesOf = new Map(tally.longest.map(({ sessionId, messages }) => [sessionId, messages]));
  return {
    schemaVersion: 3,
    since: period.since,
    until: period.until,
    freshness: toFreshnessJson(stats.freshness),
    totals: {
      sessions: tally.sessions,
      messages: tally.messages,
      prompts: tally.prompts,
      subagents,
      projects: projects.length,
      toolCalls: countCalls(tools),
      activeDays: tally.days.length,
    },
    days: tally.days,
    hours: tally.hours.map((messages, hour) => ({ hour, messages })),
    projects,
    models,
    tools,
    longest: longest.map((each, i) => ({
      rank: i + 1,
      ...toSessionJson(each),
      messages: messagesOf.get(each.session.id) ?? 0,
    })),
  };
}

const labels = ['Mon', '', 'Wed', '', 'Fri', '', 'Sun'];
const margin = 4;
const maxWeeks = 53;
const blocks = ['·', '░', '▒', '▓', '█'];

/** Weeks are columns, days of the week are rows, and more messages make a fuller block. `from` is the first day shown. */
export function drawCalendar(
  days: { readonly messages: ReadonlyMap<string, number>; readonly first: string; readonly last: string },
  columns: number,
  colors: Colors,
): { readonly lines: readonly string[]; readonly from: string } {
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
      // By the square root, so that one very busy day does not make all the others look alike.
      const level = Math.ceil(4 * Math.sqrt((days.messages.get(toDay(day)) ?? 0) / Math.max(1, most)));
      return paintOf(level, colors)(blocks[level] ?? '');
    });
    return `${label.padEnd(margin)}${cells.join(cell === 2 ? ' ' : '')}`;
  });
  const heading = formatMonths(start, from, { weeks, cell, room });
  const lines = [`${' '.repeat(margin)}${heading}`, ...rows, '', clip(formatLegend(most), columns)];
  return { lines: lines.map((line) => line.trimEnd()), from: toDay(from) };
}

function formatLegend(most: number): string {
  const steps = [1, 2, 3, 4].flatMap((level) => {
    const low = Math.floor((most * (level - 1) ** 2) / 16) + 1;
    const high = Math.floor((most * level ** 2) / 16);
    if (high < low) return [];
    const range = low === high ? formatCount(low) : `${formatCount(low)}–${formatCount(high)}`;
    return [`${blocks[level]} ${range}`];
  });
  return `${' '.repeat(margin)}${steps.join('  ')} messages`;
}

function paintOf(level: number, { dim, green, brightGreen, bold }: Colors): Paint {
  if (level === 0) return dim;
  if (level === 1) return (text) => dim(green(text));
  return level === 2 ? green : level === 3 ? brightGreen : (text) => bold(brightGreen(text));
}

/** Month names above the week in which each month starts, where there is room for them. */
function formatMonths(
  start: number,
  from: number,
  { weeks, cell, room }: Record<'weeks' | 'cell' | 'room', number>,
) {
  let line = '';
  for (let week = 0; week < weeks; week++) {
    const monday = start + week * 7;
    const days = [0, 1, 2, 3, 4, 5, 6].map((day) => monday + day);
    const firstOfMonth = days.find((day) => toDay(day).endsWith('-01'));
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

export function drawHourBars(hours: readonly number[], columns: number, { green, dim }: Colors): string[] {
  const heights = '▁▂▃▄▅▆▇█';
  const most = Math.max(1, ...hours);
  const cell = Math.max(1, Math.min(3, Math.floor((columns - margin) / hours.length)));
  const bars = hours.map((count) => {
    if (count === 0) return `${dim('·')}${' '.repeat(cell - 1)}`;
    const height = heights[Math.max(0, Math.round((count / most) * heights.length) - 1)] ?? '';
    return `${green(height.repeat(Math.max(1, cell - 1)))}${cell > 1 ? ' ' : ''}`;
  });
  const axis = [0, 6, 12, 18].map((hour) => String(hour).padEnd(6 * cell)).join('');
  const indent = ' '.repeat(margin);
  return [`${indent}${bars.join('')}`.trimEnd(), `${indent}${axis}`.trimEnd()];
}
