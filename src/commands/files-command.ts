// recall files: the sessions that read or changed a file, numbered for open.

import { normalize, resolve } from 'node:path';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { type Touched, toFilesJson, toFilesPage } from '../render/files.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { countFiles, foldTouches, preferWhole } from '../search/fold-touches.ts';
import { saveLastResults } from '../store/last-results.ts';
import { readAsMemory, type Store } from '../store/open-store.ts';
import { countCopies, readSessions } from '../store/read-sessions.ts';
import { readTouches } from '../store/read-touches.ts';
import { type Scope, toScope } from '../store/scope.ts';
import type { Context } from './context.ts';
import { type FilterFlags, toFilters } from './filter-flags.ts';
import { toLimit } from './limit-flag.ts';
import { toNothingNote } from './nothing-note.ts';
import { type FreshnessFlags, withFreshStore } from './with-fresh-store.ts';

export interface FilesFlags extends Pick<FilterFlags, 'project' | 'since' | 'until'>, FreshnessFlags {
  readonly limit?: string;
  readonly changed?: boolean;
}

export async function runFiles(context: Context, path: string, flags: FilesFlags): Promise<number> {
  const limit = toLimit(flags.limit);
  if (path.trim() === '') throw new UserError('files takes a path, not an empty one', { code: 'usage' });
  return withFreshStore(context, flags, (store, freshness) => {
    readAsMemory(store);
    const now = context.now();
    const filters = toFilters(store, flags, {}, { at: context.at, now, currentSession: null });
    const wanted = toWanted(path, context);
    const touched = find(store, wanted, toScope(store.db, filters), flags.changed ?? false, limit);
    saveLastResults(
      context.indexPath,
      touched.sessions.map(({ session }) => session.claudeId),
    );
    if (context.json) context.print(toJsonText(toFilesJson(touched, freshness)));
    else if (touched.total > 0) {
      const { columns } = context.stdout;
      const { homeDir } = context.at;
      context.print(toFilesPage(touched, { columns, useColor: context.useColor, now, homeDir }));
    } else {
      const what = `no session ${flags.changed ? 'changed' : 'read or changed'} ${toPrintableLine(wanted)}`;
      const name = toPrintableLine(wanted.replace(/[\\/]+$/, '').replace(/^.*[\\/]/, '')) || '<name>';
      const hint = name === wanted ? `recall search ${name}` : `the name alone: recall files ${name}`;
      context.note(toNothingNote(store, what, hint));
    }
    return touched.total > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
  });
}

function find(store: Store, path: string, scope: Scope, changedOnly: boolean, limit: number): Touched {
  const touches = preferWhole(readTouches(store.db, path, scope, changedOnly), path);
  const infos = readSessions(store.db, new Set(touches.map((touch) => touch.sessionId)));
  const owners = readSessions(store.db, new Set([...infos.values()].map((info) => info.ownerId)));
  const all = foldTouches(touches, new Map([...infos, ...owners]));
  const sessions = all
    .slice(0, limit)
    .map((touching) => ({ ...touching, copies: countCopies(store.db, touching.session) }));
  return { path, files: countFiles(all), sessions, total: all.length };
}

/** Whole where it says where it begins; anything else is the end of a path, wherever one is. */
function toWanted(path: string, { at }: Context): string {
  const slashed = path.replaceAll('\\', '/');
  if (slashed === '~' || slashed.startsWith('~/')) return normalize(at.homeDir + slashed.slice(1));
  const plain = normalize(slashed).replace(/(.)\/+$/, '$1');
  const isFromHere = [slashed, plain].some((each) => /^\.{1,2}(\/|$)/.test(each));
  return (isFromHere ? resolve(at.cwd, slashed) : plain).replaceAll('\\', '/');
}
