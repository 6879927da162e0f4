// The sessions that read or changed a file, newest first, with the tools they used on it.

import { UserError } from '../errors.ts';
import { type ScopeTexts, scopeNames } from '../filters.ts';
import { defaultLimits, type FileTools } from '../records.ts';
import {
  countFiles,
  foldTouches,
  preferWhole,
  type TouchedFile,
  type TouchingSession,
} from '../search/fold-touches.ts';
import { sources } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { countCopies, readSessions } from '../store/read/read-sessions.ts';
import { readTouches } from '../store/read/read-touches.ts';
import { readScope } from '../store/read/scope.ts';
import { blameFilter } from './blame-filter.ts';
import { findCurrentSession } from './current-session.ts';
import type { Host } from './host.ts';
import { readFilters, toWantedPath } from './read-filters.ts';
import { type Emptiness, readEmptiness } from './search.ts';
import { type ListedSession, withResumption } from './sessions.ts';

export interface FileHistoryRequest extends ScopeTexts {
  /** A path, the end of one, or a directory. */
  readonly path: string;
  readonly changedOnly?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly leaveOutCurrent?: boolean | undefined;
}

export interface FileHistory {
  /** The path that was searched for. */
  readonly path: string;
  readonly files: readonly (TouchedFile & { readonly sessions: number })[];
  readonly sessions: readonly (TouchingSession & ListedSession)[];
  /** How many sessions there are without the limit. */
  readonly total: number;
  readonly emptiness: Emptiness | null;
}

const named = (what: keyof FileTools) => Object.values(sources).flatMap(({ fileTools }) => fileTools[what]);
/** Those of all agents. */
const fileTools: FileTools = {
  changing: named('changing'),
  reading: named('reading'),
  other: named('other'),
};

export function readFileHistory(host: Host, store: Store, request: FileHistoryRequest): FileHistory {
  if (request.path.trim() === '') throw new UserError('the path must not be empty', { code: 'usage' });
  const { db } = store;
  const currentSession = request.leaveOutCurrent ? findCurrentSession(store, host.at) : null;
  const filters = Object.fromEntries(scopeNames.map((name) => [name, request[name]]));
  const context = { store, at: host.at, now: host.now() };
  const path = toWantedPath(request.path, host.at);
  const scope = readScope(db, readFilters(filters, {}, context, currentSession));
  const touches = preferWhole(readTouches(db, path, scope, fileTools, request.changedOnly ?? false), path);
  const infos = readSessions(db, new Set(touches.map((touch) => touch.sessionId)));
  const owners = readSessions(db, new Set([...infos.values()].map((info) => info.ownerId)));
  const all = foldTouches(touches, new Map([...infos, ...owners]));
  const first = all.slice(0, request.limit ?? defaultLimits.files);
  const copiesOf = countCopies(
    db,
    first.map(({ session }) => session),
  );
  const listed = first.map((touching) => ({ ...touching, copies: copiesOf(touching.session) }));
  return {
    path,
    files: countFiles(all),
    sessions: withResumption(host, store, listed),
    total: all.length,
    emptiness: all.length > 0 ? null : readEmptiness(store, blameFilter(host, store, filters)),
  };
}
