// The session that recall is called from, which would otherwise match every search with the query itself.

import { dirname } from 'node:path';
import type { Surroundings } from '../config.ts';
import { sources } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { findNewestIn } from '../store/read/sessions.ts';

/** Null outside every agent. */
export function findCurrentSession({ db }: Store, { env, cwd }: Surroundings): string | null {
  for (const { agent, findRunningSession } of Object.values(sources)) {
    const running = findRunningSession(env);
    if (running?.nativeId != null) return running.nativeId;
    if (running === null) continue;
    // An agent does not always say which session it is running. Then it is the newest one of the project,
    // whose directory is this one or a parent.
    for (let directory = cwd; ; directory = dirname(directory)) {
      const id = findNewestIn(db, agent, directory);
      if (id !== undefined) return id;
      if (dirname(directory) === directory) break;
    }
  }
  return null;
}
