// recall stats: how much was said when and where, and with what.

import { blameFilter } from '../api/blame-filter.ts';
import { type FilterFlags, toFilters } from '../api/filter-flags.ts';
import { isDirectory } from '../api/is-directory.ts';
import { type FreshnessFlags, withFreshStore } from '../api/with-fresh-store.ts';
import type { Context } from '../command-line/context.ts';
import { toNothingNote } from '../command-line/nothing-note.ts';
import { toPageOptions } from '../command-line/page-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { type Stats, toStatsJson, toStatsPage } from '../render/activity/stats.ts';
import { toJsonText } from '../render/json-text.ts';
import { countModels, countProjects, tallyActivity, toDay } from '../search/tally-activity.ts';
import { saveLastResults } from '../store/open/last-results.ts';
import type { Store } from '../store/open/open-store.ts';
import { readActivity, readCounted, readToolUses } from '../store/read/read-activity.ts';
import { readListed } from '../store/read/read-sessions.ts';
import { type SessionFilters, toScope } from '../store/read/scope.ts';

export type StatsFlags = Pick<FilterFlags, 'project' | 'since' | 'until'> & FreshnessFlags;

const longestShown = 5;

export async function runStats(context: Context, flags: StatsFlags): Promise<number> {
  return withFreshStore(context, flags, (store, freshness) => {
    const now = context.now();
    const filters = toFilters(store, flags, {}, { at: context.at, now, currentSession: null });
    const stats = gather(store, filters, now);
    saveLastResults(
      context.indexPath,
      stats.longest.map(({ session }) => session.nativeId),
    );
    const isEmpty = stats.tally.sessions === 0;
    if (context.json) context.print(toJsonText(toStatsJson(stats, freshness, isDirectory)));
    else if (isEmpty) {
      const blame = blameFilter(context, store, flags, {}, false);
      context.note(toNothingNote(context, store, 'nothing was said then and there', 'fewer filters', blame));
    } else context.print(toStatsPage(stats, toPageOptions(context)));
    return isEmpty ? EXIT_NOTHING_FOUND : EXIT_OK;
  });
}

function gather({ db }: Store, filters: SessionFilters, now: Date): Stats {
  const { since, until } = filters;
  const counted = readCounted(db, toScope(db, filters));
  const tally = tallyActivity(readActivity(db, counted, { since, until }));
  const longestIds = tally.longest.slice(0, longestShown).map(({ sessionId }) => sessionId);
  return {
    period: { since, until },
    tally,
    subagents: counted.reduce((count, { isSubagent }) => count + isSubagent, 0),
    projects: countProjects(tally, counted),
    models: countModels(tally, counted),
    tools: readToolUses(db, counted),
    longest: readListed(db, longestIds),
    today: toDay(now),
  };
}
