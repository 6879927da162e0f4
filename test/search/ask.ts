// Searches an indexed home in this process, with everything that a test does not care about left at its
// default.

import { parseQuery } from '../../src/search/query/parse-query.ts';
import { type SearchRequest, search } from '../../src/search/search.ts';
import type { SearchResult } from '../../src/search/search-result.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';
import { openWordIndex } from '../../src/store/read/sqlite-word-index.ts';
import { noFilters, type SessionFilters } from '../../src/store/word-index.ts';
import { TempHome } from '../support/home.ts';
import { indexHome } from '../support/index-home.ts';

export const now = new Date('2026-11-16T12:00:00.000Z');

type Choices = Partial<Omit<SearchRequest, 'filters'>> & {
  readonly filters?: Partial<SessionFilters>;
};

export function ask(
  store: Store,
  text: string,
  { filters, ...choices }: Choices = {},
): Promise<SearchResult> {
  return search(openWordIndex(store.db), {
    query: parseQuery(text),
    filters: { ...noFilters, ...filters },
    limit: 10,
    sort: 'relevance',
    listsSubagents: false,
    now,
    ...choices,
  });
}

/** The sessions found, in order. */
export function idsOf(result: SearchResult): string[] {
  return result.hits.map((hit) => hit.session.nativeId);
}

/** Builds a home, indexes it and returns its index; `close` closes and removes it. */
export async function indexed(build: (home: TempHome) => void, roots?: readonly string[]) {
  const home = new TempHome();
  build(home);
  await indexHome(home, roots === undefined ? {} : { roots });
  const store = await openStore(home.indexPath);
  const close = () => {
    store.close();
    home.remove();
  };
  return { home, store, close };
}

export type Indexed = Awaited<ReturnType<typeof indexed>>;
