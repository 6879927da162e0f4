// recall search: refreshes, searches, prints.

import { blameFilter } from '../api/blame-filter.ts';
import { findCurrentSession } from '../api/current-session.ts';
import { type FilterFlags, filterFlags, toFilters } from '../api/filter-flags.ts';
import { isDirectory } from '../api/is-directory.ts';
import { type FreshnessFlags, withFreshStore } from '../api/with-fresh-store.ts';
import { type BriefFlags, toBudget, usualBudgets } from '../command-line/budget-flag.ts';
import type { Context } from '../command-line/context.ts';
import { toLimit } from '../command-line/limit-flag.ts';
import { toNothingNote } from '../command-line/nothing-note.ts';
import { toPageOptions } from '../command-line/page-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toBriefHits, toMessageIds } from '../render/brief/brief-hits.ts';
import { toCommandVoice } from '../render/brief/voice.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { toHitsPage } from '../render/sessions/hits.ts';
import { toSearchJson } from '../render/sessions/hits-json.ts';
import { parseQuery, type Query } from '../search/parse-query.ts';
import { type SearchResult, search } from '../search/search.ts';
import { saveLastResults } from '../store/open/last-results.ts';
import { readAsMemory, type Store } from '../store/open/open-store.ts';
import { readPositions } from '../store/read/read-conversation.ts';

export interface SearchFlags extends FilterFlags, FreshnessFlags, BriefFlags {
  readonly limit?: string;
  readonly sort?: 'relevance' | 'recent';
  readonly subagents?: boolean;
  readonly explain?: boolean;
}

export async function runSearch(
  context: Context,
  words: readonly string[],
  flags: SearchFlags,
): Promise<number> {
  const limit = toLimit(flags.limit);
  const budget = toBudget(flags, usualBudgets.search, context.json);
  refuseNothing(words, flags);
  const text = words.join(' ');
  const query = parseQuery(text);
  for (const note of toQueryNotes(query)) context.note(`recall: ${note}`);
  return withFreshStore(context, flags, (store, freshness) => {
    readAsMemory(store);
    const startedAt = context.elapsedMs();
    const result = searchFor(context, store, query, flags, limit);
    const tookMs = context.elapsedMs() - startedAt;
    saveLastResults(
      context.indexPath,
      result.hits.map((hit) => hit.session.nativeId),
    );
    const explain = flags.explain ?? false;
    if (context.json)
      context.print(toJsonText(toSearchJson(result, text, { freshness, tookMs, explain, isDirectory })));
    else if (budget !== null && result.hits.length > 0) {
      const positions = readPositions(store.db, toMessageIds(result));
      context.print(toBriefHits(result, positions, toCommandVoice(context.givenFlags), budget).text);
    } else if (result.hits.length > 0)
      context.print(toHitsPage(result, text, { ...toPageOptions(context), explain }));
    else context.note(toNothingFound(context, store, query, flags));
    return result.hits.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  });
}

function refuseNothing(words: readonly string[], flags: SearchFlags): void {
  if (words.length > 0 || filterFlags.some((name) => flags[name] !== undefined)) return;
  throw new UserError('search needs words to look for, or a filter such as --project', {
    code: 'usage',
    hint: 'recall search <words>; what there was lately: recall list',
  });
}

/** Without the session that recall is called from. */
export function searchFor(
  context: Pick<Context, 'at' | 'now'>,
  store: Store,
  query: Query,
  flags: SearchFlags,
  limit: number,
): SearchResult {
  const now = context.now();
  const filters = toFilters(store, flags, query, {
    at: context.at,
    now,
    currentSession: findCurrentSession(store, context.at),
  });
  const listSubagents = (flags.subagents ?? false) || filters.kind !== null;
  return search(store, { query, filters, limit, sort: flags.sort ?? 'relevance', listSubagents, now });
}

/** What is not taken as it may have been meant. */
export function toQueryNotes({ unknownDays }: Query): string[] {
  return unknownDays.map((typed) =>
    typed.startsWith('-')
      ? `${toPrintableLine(typed)} is not understood; since: and until: stand without a dash`
      : `${toPrintableLine(typed)} is no day recall knows; searched as words`,
  );
}

function toNothingFound(context: Context, store: Store, query: Query, flags: SearchFlags): string {
  const shown = toPrintableLine(query.text);
  return toNothingNote(
    context,
    store,
    shown === '' ? 'nothing found' : `nothing found for “${shown.slice(0, 200)}”`,
    `fewer or other words, a prefix such as ${shown.split(' ')[0]?.slice(0, 4) || 'mid'}*, no filters, or --all`,
    blameFilter(context, store, flags, query),
  );
}
