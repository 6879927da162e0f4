// What sessions and projects are called, for completing a name while it is typed.

import { basename } from 'node:path';
import type { Database } from '../open/database.ts';
import { readProjects } from './index-facts.ts';
import { findIdsStartingWith, readRecentIds, readSessions } from './read-sessions.ts';
import { noFilters, readScope } from './scope.ts';

export interface Named {
  readonly value: string;
  readonly description: string;
}

const limit = 50;

/** Sessions whose id starts with this, the newest first. Subagents come last, and only once something is typed. */
export function readSessionNames(db: Database, beginning: string): Named[] {
  const scope = readScope(db, noFilters);
  const ids =
    beginning === ''
      ? readRecentIds(db, scope, limit, false).ids
      : findIdsStartingWith(db, beginning, scope, limit);
  const byId = readSessions(db, ids);
  const sessions = ids.flatMap((id) => byId.get(id) ?? []);
  const isSubagent = (kind: string) => Number(kind === 'subagent' || kind === 'precompact');
  const names = sessions
    .toSorted((a, b) => isSubagent(a.kind) - isSubagent(b.kind))
    // An id is the name of a file, and a file's name may be made to mean something to a shell.
    .filter(({ nativeId }) => /^\w[\w.-]*$/.test(nativeId))
    .map(({ nativeId, title }) => [nativeId, title ?? '(untitled)'] as const);
  // One id may be in two folders.
  return [...new Map(names.toReversed())]
    .toReversed()
    .map(([value, description]) => ({ value, description }));
}

/** Directories by their own name, those of one name once. One known only by the name of an agent's folder has none. */
export function readProjectNames(db: Database): Named[] {
  const named = new Map<string, string[]>();
  for (const { path } of readProjects(db)) {
    const name = basename(path.replaceAll('\\', '/'));
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  return [...named]
    .filter(([name]) => !name.startsWith('-'))
    .map(([value, paths]) => ({ value, description: paths.join(', ') }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}
