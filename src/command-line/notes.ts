// Notes on stderr that accompany a result.

import { tryRoots } from '../api/roots.ts';
import type { Emptiness } from '../api/search.ts';
import type { Freshness } from '../api/upkeep/refresh.ts';
import { type NothingFound, toFreshnessNotes, toNothingNote } from '../render/notes.ts';
import { toPrintableLine } from '../text/printable.ts';
import type { Context } from './context.ts';

export function noteFreshness(context: Context, freshness: Freshness): void {
  if (context.verbose)
    for (const { path, reason } of freshness.failures)
      context.warn(`recall: ${toPrintableLine(path)}: ${reason}`);
  for (const note of toFreshnessNotes(freshness)) context.note(note);
}

export type Nothing = Pick<NothingFound, 'message' | 'hint' | 'isOfTime'>;

/** Notes what was searched without a result, and what to try. */
export function printNothing(context: Context, emptiness: Emptiness, nothing: Nothing): void {
  context.note(
    toNothingNote({
      ...nothing,
      emptiness,
      folders: tryRoots(context.roots).roots.map(({ path }) => path),
    }),
  );
}
