// recall list: the sessions there were lately, numbered for open. The session that recall is called from is among
// them, marked: a list says what is there, while an answer to a question should not be the question.

import { blameFilter } from '../api/blame-filter.ts';
import { findCurrentSession } from '../api/current-session.ts';
import { type FilterFlags, toFilters } from '../api/filter-flags.ts';
import { isDirectory } from '../api/is-directory.ts';
import { type FreshnessFlags, withFreshStore } from '../api/with-fresh-store.ts';
import { type BriefFlags, toBudget, usualBudgets } from '../command-line/budget-flag.ts';
import type { Context } from '../command-line/context.ts';
import { toLimit } from '../command-line/limit-flag.ts';
import { toNothingNote } from '../command-line/nothing-note.ts';
import { toPageOptions } from '../command-line/page-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK } from '../errors.ts';
import { toBriefList } from '../render/brief/brief-lists.ts';
import { toCommandVoice } from '../render/brief/voice.ts';
import { toJsonText } from '../render/json-text.ts';
import { toListJson, toListPage } from '../render/sessions/list.ts';
import { saveLastResults } from '../store/open/last-results.ts';
import { readAsMemory, type Store } from '../store/open/open-store.ts';
import { type ListedSession, readListed, readRecentIds } from '../store/read/read-sessions.ts';
import { toScope } from '../store/read/scope.ts';

export interface ListFlags extends FilterFlags, FreshnessFlags, BriefFlags {
  readonly limit?: string;
  readonly subagents?: boolean;
}

export async function runList(context: Context, flags: ListFlags): Promise<number> {
  const limit = toLimit(flags.limit);
  const budget = toBudget(flags, usualBudgets.list, context.json);
  return withFreshStore(context, flags, (store, freshness) => {
    readAsMemory(store);
    const { listed, total } = readList(context, store, flags, limit, null);
    saveLastResults(
      context.indexPath,
      listed.map(({ session }) => session.nativeId),
    );
    if (context.json) context.print(toJsonText(toListJson(listed, total, freshness, isDirectory)));
    else if (budget !== null && listed.length > 0)
      context.print(toBriefList(listed, total, toCommandVoice(context.givenFlags), budget).text);
    else if (listed.length > 0) {
      const currentId = findCurrentSession(store, context.at);
      context.print(toListPage(listed, total, { ...toPageOptions(context), currentId }));
    } else {
      const blame = blameFilter(context, store, flags);
      context.note(toNothingNote(context, store, 'no session fits', 'fewer filters, or --all', blame));
    }
    return listed.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  });
}

export function readList(
  context: Pick<Context, 'at' | 'now'>,
  store: Store,
  flags: ListFlags,
  limit: number,
  /** To be left out. */
  currentSession: string | null,
): { readonly listed: readonly ListedSession[]; readonly total: number } {
  const now = context.now();
  const filters = toFilters(store, flags, {}, { at: context.at, now, currentSession });
  const withSubagents = (flags.subagents ?? false) || filters.kind !== null;
  const { ids, total } = readRecentIds(store.db, toScope(store.db, filters), limit, withSubagents);
  return { listed: readListed(store.db, ids), total };
}
