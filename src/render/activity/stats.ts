// Activity statistics, as a page for people and as JSON for scripts.

import type { Activity } from '../../api/activity.ts';
import type { Fresh } from '../../api/recall.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { clip, wrap } from '../columns.ts';
import { formatCount, formatNumbered } from '../quantities.ts';
import { toFreshnessJson, toSessionJson } from '../sessions/hits-json.ts';
import {
  type SessionLineOptions,
  toFooter,
  toNextCommand,
  toSessionLines,
  toShortPath,
} from '../sessions/session-lines.ts';
import { type Column, toTable } from '../table.ts';
import { toCalendar } from './calendar.ts';
import { toHourBars } from './hour-bars.ts';

const topProjects = 5;
const topModels = 5;
const topTools = 8;
/** The picture ends today, unless there were no messages for longer than this. */
const maxQuietDays = 28;

export function toStatsPage(stats: Activity, options: SessionLineOptions): string {
  const { tally, projects, models, tools } = stats;
  const { columns, homeDir } = options;
  const colors = toColors(options.useColor);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', colors.cyan(clip(title, columns)), ...lines];
  const table = (titles: readonly string[], rows: readonly (readonly string[])[], isPath: boolean) => {
    if (rows.length === 0) return [];
    const shape = titles.map((title, i): Column => ({ title, side: i === 0 ? 'left' : 'right' }));
    const [heading = '', ...lines] = toTable(shape, rows, { width: columns, isPath });
    return ['', colors.dim(heading), ...lines];
  };
  const projectRows = projects
    .slice(0, topProjects)
    .map(({ path, sessions, messages }) => [
      path === null ? '(unknown)' : toShortPath(toPrintableLine(path), homeDir),
      formatCount(sessions),
      formatCount(messages),
    ]);
  const modelRows = models
    .slice(0, topModels)
    .map(({ model, sessions, subagents }) => [
      toPrintableLine(model),
      formatCount(sessions),
      formatCount(subagents),
    ]);
  const toolRows = tools
    .slice(0, topTools)
    .map(({ name, calls, failed }) => [toPrintableLine(name), formatCount(calls), formatCount(failed)]);
  const longest = stats.longest.flatMap((each, i) => toSessionLines({ ...each, marks: [] }, i + 1, options));
  return [
    ...toTotalLines(stats).flatMap((line) => wrap(line, columns)),
    ...section('Messages by day', toDayLines(stats, options)),
    ...section('Messages by hour', tally.days.length === 0 ? [] : toHourBars(tally.hours, columns, colors)),
    ...table(['project', 'sessions', 'messages'], projectRows, true),
    ...table(['model', 'sessions', 'subagents'], modelRows, false),
    ...table(['tool', 'calls', 'failed'], toolRows, false),
    ...section('Longest sessions', longest),
    ...toFooter([toNextCommand(options)], options),
  ].join('\n');
}

function toTotalLines({ tally, subagents, projects, tools }: Activity): string[] {
  const { days } = tally;
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
  return [
    `${formatNumbered(tally.sessions, 'session')} in ${formatNumbered(projects.length, 'project')}, ${formatNumbered(tally.messages, 'message')}, ${formatCount(tally.prompts)} of them yours`,
    `${formatNumbered(subagents, 'subagent')}, ${formatNumbered(calls, 'tool call')}`,
    ...(first === undefined ? [] : [`${formatNumbered(days.length, 'active day')} from ${first} to ${last}`]),
  ];
}

function toDayLines(
  { tally: { days }, today }: Activity,
  { columns, useColor }: SessionLineOptions,
): string[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const quietDays = (Date.parse(today) - Date.parse(last.day)) / 86_400_000;
  const messages = new Map(days.map((day) => [day.day, day.messages]));
  const colors = toColors(useColor);
  const end = quietDays > 0 && quietDays <= maxQuietDays ? today : last.day;
  const { lines, from } = toCalendar({ messages, first: first.day, last: end }, columns, colors);
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
    schemaVersion: 2,
    since: period.since,
    until: period.until,
    freshness: toFreshnessJson(stats.freshness),
    totals: {
      sessions: tally.sessions,
      messages: tally.messages,
      prompts: tally.prompts,
      subagents,
      projects: projects.length,
      toolCalls: tools.reduce((sum, tool) => sum + tool.calls, 0),
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
