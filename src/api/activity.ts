// How much was said: when, in which projects, and with which models and tools.

import { groupBy } from '../search/rank.ts';
import type { Store } from '../store/open/open-store.ts';
import {
  type ActivityRow,
  type CountedSession,
  type Period,
  quarterMs,
  readActivity,
  readCounted,
  readToolUses,
  type ToolUse,
} from '../store/read/activity.ts';
import { readScope } from '../store/read/scope.ts';
import { compareText } from '../text/compare.ts';
import type { Emptiness, ListedSession } from './answers.ts';
import type { Host } from './host.ts';
import { readListed } from './list.ts';
import { blameFilter, readEmptiness, readFilters } from './read-filters.ts';
import type { ActivityRequest } from './requests.ts';

export interface Activity {
  readonly period: Period;
  readonly tally: Tally;
  readonly subagents: number;
  readonly projects: readonly ProjectCount[];
  readonly models: readonly ModelCount[];
  readonly tools: readonly ToolUse[];
  readonly longest: readonly ListedSession[];
  readonly today: string;
  readonly emptiness: Emptiness | null;
}

const longestShown = 5;

export function readActivityOf(host: Host, store: Store, request: ActivityRequest): Activity {
  const { db } = store;
  const now = host.now();
  const filters = readFilters(host, store, request);
  const period = { since: filters.only.since ?? null, until: filters.only.until ?? null };
  const counted = readCounted(db, readScope(db, filters));
  const ids = counted.flatMap(({ id, isSubagent }) => (isSubagent ? [] : [id]));
  const tally = tallyActivity(readActivity(db, counted, period), ids);
  const longest = tally.longest.filter(({ messages }) => messages > 0).slice(0, longestShown);
  return {
    period,
    tally,
    subagents: counted.filter(({ isSubagent }) => isSubagent).length,
    projects: countProjects(tally, counted),
    models: countModels(tally, counted),
    tools: readToolUses(db, counted),
    longest: readListed(
      host,
      store,
      longest.map(({ sessionId }) => sessionId),
    ),
    today: toDay(now),
    emptiness: tally.sessions > 0 ? null : readEmptiness(store, blameFilter(host, store, request)),
  };
}

interface Tally {
  readonly sessions: number;
  readonly messages: number;
  readonly prompts: number;
  /** Local days that have messages, as `2026-10-06`, in order. */
  readonly days: readonly { readonly day: string; readonly sessions: number; readonly messages: number }[];
  readonly hours: readonly number[];
  readonly longest: readonly { readonly sessionId: number; readonly messages: number }[];
}

/** `ids` are the sessions that a list with the same filters has; one without a message in the period counts, too. */
export function tallyActivity(rows: readonly ActivityRow[], ids: readonly number[] = []): Tally {
  const days = new Map<string, { sessions: Set<number>; messages: number }>();
  const hours = Array.from({ length: 24 }, () => 0);
  const bySession = new Map(ids.map((id) => [id, 0]));
  const times = new Map<number, ReturnType<typeof toLocalTime>>();
  let prompts = 0;
  for (const row of rows) {
    prompts += row.prompts;
    bySession.set(row.sessionId, (bySession.get(row.sessionId) ?? 0) + row.messages);
    if (row.quarter === null) continue;
    // The same quarter-hours occur again and again, and date arithmetic is slow.
    const time = times.get(row.quarter) ?? toLocalTime(row.quarter);
    times.set(row.quarter, time);
    hours[time.hour] = (hours[time.hour] ?? 0) + row.messages;
    const day = days.get(time.day) ?? { sessions: new Set(), messages: 0 };
    days.set(time.day, day);
    day.sessions.add(row.sessionId);
    day.messages += row.messages;
  }
  return {
    sessions: bySession.size,
    messages: [...bySession.values()].reduce((sum, messages) => sum + messages, 0),
    prompts,
    days: [...days]
      .map(([day, { sessions, messages }]) => ({ day, sessions: sessions.size, messages }))
      .sort((a, b) => compareText(a.day, b.day)),
    hours,
    longest: [...bySession]
      .map(([sessionId, messages]) => ({ sessionId, messages }))
      .sort((a, b) => b.messages - a.messages || b.sessionId - a.sessionId),
  };
}

function toLocalTime(quarter: number) {
  const date = new Date(quarter * quarterMs);
  return { day: toDay(date), hour: date.getHours() };
}

export function toDay(date: Date): string {
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export interface ProjectCount {
  readonly path: string | null;
  readonly sessions: number;
  readonly messages: number;
}

export function countProjects({ longest }: Tally, counted: readonly CountedSession[]): ProjectCount[] {
  const pathOf = new Map(counted.map((session) => [session.id, session.project]));
  return [...groupBy(longest, ({ sessionId }) => pathOf.get(sessionId) ?? null)]
    .map(([path, each]) => ({
      path,
      sessions: each.length,
      messages: each.reduce((sum, { messages }) => sum + messages, 0),
    }))
    .sort((a, b) => b.messages - a.messages || compareText(a.path ?? '', b.path ?? ''));
}

export interface ModelCount {
  readonly model: string;
  readonly sessions: number;
  readonly subagents: number;
}

export function countModels({ longest }: Tally, counted: readonly CountedSession[]): ModelCount[] {
  const active = new Set(longest.map(({ sessionId }) => sessionId));
  const uses = counted
    .filter(({ id, isSubagent }) => isSubagent || active.has(id))
    .flatMap(({ isSubagent, models }) =>
      (JSON.parse(models) as string[]).map((model) => ({ model, isSubagent })),
    );
  return [...groupBy(uses, ({ model }) => model)]
    .map(([model, each]) => {
      const subagents = each.filter(({ isSubagent }) => isSubagent).length;
      return { model, sessions: each.length - subagents, subagents };
    })
    .sort((a, b) => b.sessions - a.sessions || b.subagents - a.subagents || compareText(a.model, b.model));
}
