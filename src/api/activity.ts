// How much was said: when, in which projects, and with which models and tools.

import type { ScopeTexts } from '../filters.ts';
import {
  countModels,
  countProjects,
  type ModelCount,
  type ProjectCount,
  type Tally,
  tallyActivity,
  toDay,
} from '../search/tally-activity.ts';
import type { Store } from '../store/open/open-store.ts';
import {
  type Period,
  readActivity,
  readCounted,
  readToolUses,
  type ToolUse,
} from '../store/read/read-activity.ts';
import { readScope } from '../store/read/scope.ts';
import { blameFilter } from './blame-filter.ts';
import type { Host } from './host.ts';
import { readFilters } from './read-filters.ts';
import { type Emptiness, readEmptiness } from './search.ts';
import { type ListedSession, readListed } from './sessions.ts';

export type ActivityRequest = ScopeTexts;

export interface Activity {
  readonly period: Period;
  readonly tally: Tally;
  readonly subagents: number;
  readonly projects: readonly ProjectCount[];
  readonly models: readonly ModelCount[];
  readonly tools: readonly ToolUse[];
  readonly longest: readonly ListedSession[];
  /** The current local day. */
  readonly today: string;
  readonly emptiness: Emptiness | null;
}

const longestShown = 5;

export function readActivityOf(host: Host, store: Store, request: ActivityRequest): Activity {
  const { db } = store;
  const now = host.now();
  const filters = readFilters(request, {}, { store, at: host.at, now });
  const period = { since: filters.only.since ?? null, until: filters.only.until ?? null };
  const counted = readCounted(db, readScope(db, filters));
  const tally = tallyActivity(readActivity(db, counted, period));
  const longestIds = tally.longest.slice(0, longestShown).map(({ sessionId }) => sessionId);
  return {
    period,
    tally,
    subagents: counted.reduce((count, { isSubagent }) => count + isSubagent, 0),
    projects: countProjects(tally, counted),
    models: countModels(tally, counted),
    tools: readToolUses(db, counted),
    longest: readListed(host, store, longestIds),
    today: toDay(now),
    emptiness: tally.sessions > 0 ? null : readEmptiness(store, blameFilter(host, store, request)),
  };
}
