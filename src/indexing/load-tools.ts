// What sources are given that does not belong to them. In a file of its own: a search that reads a passage needs nothing else of indexing.

import type { SourceTools } from '../sources/source.ts';

/** Not before a source asks for it: a thread that reads files has no use for SQLite. */
export async function loadTools(): Promise<SourceTools> {
  const { openForeign } = await import('../store/open/open-foreign.ts');
  return { openDatabase: openForeign };
}
