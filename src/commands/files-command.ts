// recall files: the sessions that read or changed a file, numbered for open.

import { blameFilter } from '../api/blame-filter.ts';
import { type FilterFlags, toFilters } from '../api/filter-flags.ts';
import { isDirectory } from '../api/is-directory.ts';
import { toWantedPath } from '../api/wanted-path.ts';
import { type FreshnessFlags, withFreshStore } from '../api/with-fresh-store.ts';
import { type BriefFlags, toBudget, usualBudgets } from '../command-line/budget-flag.ts';
import type { Context } from '../command-line/context.ts';
import { toLimit } from '../command-line/limit-flag.ts';
import { toNothingNote } from '../command-line/nothing-note.ts';
import { toPageOptions } from '../command-line/page-options.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toBriefTouched } from '../render/brief/brief-lists.ts';
import { toCommandVoice } from '../render/brief/voice.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../text/printable.ts';
import { type Touched, toFilesJson, toFilesPage } from '../render/sessions/files.ts';
import { countFiles, foldTouches, preferWhole } from '../search/fold-touches.ts';
import { saveLastResults } from '../store/open/last-results.ts';
import { readAsMemory, type Store } from '../store/open/open-store.ts';
import { countCopies, readSessions } from '../store/read/read-sessions.ts';
import { readTouches } from '../store/read/read-touches.ts';
import { toScope } from '../store/read/scope.ts';

export interface FilesFlags
  extends Pick<FilterFlags, 'project' | 'since' | 'until'>,
    FreshnessFlags,
    BriefFlags {
  readonly limit?: string;
  readonly changed?: boolean;
}

export async function runFiles(context: Context, path: string, flags: FilesFlags): Promise<number> {
  const limit = toLimit(flags.limit);
  const budget = toBudget(flags, usualBudgets.files, context.json);
  if (path.trim() === '') throw new UserError('files takes a path, not an empty one', { code: 'usage' });
  return withFreshStore(context, flags, (store, freshness) => {
    readAsMemory(store);
    const touched = findTouched(context, store, path, flags, limit, null);
    saveLastResults(
      context.indexPath,
      touched.sessions.map(({ session }) => session.nativeId),
    );
    if (context.json) context.print(toJsonText(toFilesJson(touched, freshness, isDirectory)));
    else if (budget !== null && touched.total > 0)
      context.print(toBriefTouched(touched, toCommandVoice(context.givenFlags), budget).text);
    else if (touched.total > 0) context.print(toFilesPage(touched, toPageOptions(context)));
    else {
      const what = `no session ${flags.changed ? 'changed' : 'read or changed'} ${toPrintableLine(touched.path)}`;
      const name = toPrintableLine(touched.path.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '')) || '<name>';
      const hint = name === touched.path ? `recall search ${name}` : `the name alone: recall files ${name}`;
      context.note(toNothingNote(context, store, what, hint, blameFilter(context, store, flags, {}, false)));
    }
    return touched.total > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  });
}

export function findTouched(
  context: Pick<Context, 'at' | 'now'>,
  store: Store,
  given: string,
  flags: FilesFlags,
  limit: number,
  /** To be left out. */
  currentSession: string | null,
): Touched {
  const now = context.now();
  const filters = toFilters(store, flags, {}, { at: context.at, now, currentSession });
  const path = toWantedPath(given, context.at);
  const touched = readTouches(store.db, path, toScope(store.db, filters), flags.changed ?? false);
  const touches = preferWhole(touched, path);
  const infos = readSessions(store.db, new Set(touches.map((touch) => touch.sessionId)));
  const owners = readSessions(store.db, new Set([...infos.values()].map((info) => info.ownerId)));
  const all = foldTouches(touches, new Map([...infos, ...owners]));
  const sessions = all
    .slice(0, limit)
    .map((touching) => ({ ...touching, copies: countCopies(store.db, touching.session) }));
  return { path, files: countFiles(all), sessions, total: all.length };
}
