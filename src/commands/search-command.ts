// recall search: refreshes, searches, prints.

import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toHitsPage } from '../render/hits.ts';
import { toSearchJson } from '../render/hits-json.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { formatNumbered } from '../render/quantities.ts';
import { parseQuery } from '../search/parse-query.ts';
import { search } from '../search/search.ts';
import { saveLastResults } from '../store/last-results.ts';
import { openStore, readAsMemory, type Store } from '../store/open-store.ts';
import { readTotals } from '../store/totals.ts';
import type { Context } from './context.ts';
import { findCurrentSession } from './current-session.ts';
import { type FilterFlags, toFilters } from './filter-flags.ts';

export interface SearchFlags extends FilterFlags {
  readonly limit?: string;
  readonly sort?: 'relevance' | 'recent';
  readonly agents?: boolean;
  readonly explain?: boolean;
  readonly refresh?: boolean;
}

export async function runSearch(
  context: Context,
  words: readonly string[],
  flags: SearchFlags,
): Promise<number> {
  const limit = toLimit(flags.limit);
  const text = words.join(' ');
  const query = parseQuery(text);
  const store = await openStore(context.indexPath);
  try {
    const freshness =
      flags.refresh === false
        ? { refreshed: false, pendingFiles: 0 }
        : await (await import('./refresh.ts')).refresh(context, store);
    readAsMemory(store);
    const startedAt = context.elapsedMs();
    const now = context.now();
    const filters = toFilters(store, flags, query.filters, {
      at: context.at,
      now,
      currentSession: findCurrentSession(store, context.at),
    });
    const listAgents = (flags.agents ?? false) || filters.kind !== null;
    const result = search(store, { query, filters, limit, sort: flags.sort ?? 'relevance', listAgents, now });
    const tookMs = context.elapsedMs() - startedAt;
    saveLastResults(
      context.indexPath,
      result.hits.map((hit) => hit.session.claudeId),
    );
    const explain = flags.explain ?? false;
    if (context.json) context.print(toJsonText(toSearchJson(result, text, freshness, tookMs, explain)));
    else if (result.hits.length > 0) {
      const { columns } = context.stdout;
      const { homeDir } = context.at;
      context.print(toHitsPage(result, text, { columns, useColor: context.useColor, now, homeDir, explain }));
    } else context.note(toNothingFound(store, text));
    return result.hits.length > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  } finally {
    store.close();
  }
}

export function toLimit(flag: string | undefined): number {
  const limit = Number(flag ?? 10);
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= 1000) return limit;
  throw new UserError(`--limit takes a number from 1 to 1000, not ${toPrintableLine(flag ?? '')}`, {
    code: 'usage',
  });
}

function toNothingFound(store: Store, text: string): string {
  const { sessions, messages } = readTotals(store.db);
  if (sessions === 0) return 'recall: the index is empty\n  try: recall index --claude-dir <dir>';
  const searched = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return `recall: nothing found for “${toPrintableLine(text).slice(0, 200)}” in ${searched}
  try: fewer or other words, a prefix such as ${toPrintableLine(text).split(' ')[0]?.slice(0, 4) || 'mid'}*, no filters, or --all`;
}
