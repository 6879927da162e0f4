// The session that recall is being called from, which would otherwise answer every question with the question.

import { dirname } from 'node:path';
import type { Surroundings } from '../config.ts';
import type { Store } from '../store/open/open-store.ts';
import { findNewestIn } from '../store/read/find-session.ts';

/** Null outside Claude Code. */
export function findCurrentSession({ db }: Store, { env, cwd }: Surroundings): string | null {
  const named = env.CLAUDE_CODE_SESSION_ID || env.CLAUDE_SESSION_ID;
  if (named) return named;
  if (!env.CLAUDECODE) return null;
  // Claude Code does not always say which session it is: then it is the newest of the project, which is here or further up.
  for (let directory = cwd; ; directory = dirname(directory)) {
    const id = findNewestIn(db, directory);
    if (id !== undefined) return id;
    if (dirname(directory) === directory) return null;
  }
}
