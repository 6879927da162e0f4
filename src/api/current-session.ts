// The session that recall is being called from, which would otherwise answer every question with the question.

import { dirname } from 'node:path';
import type { Surroundings } from '../config.ts';
import type { Store } from '../store/open/open-store.ts';

/** Null outside Claude Code. */
export function findCurrentSession(store: Store, { env, cwd }: Surroundings): string | null {
  const named = env.CLAUDE_CODE_SESSION_ID || env.CLAUDE_SESSION_ID;
  if (named) return named;
  if (!env.CLAUDECODE) return null;
  // Claude Code does not always say which session it is: then it is the newest of the project, which is here or further up.
  const newest = store.db
    .prepare(
      `select native_id from session join project on project.id = session.project_id
      where project.path = ? and kind = 'main' and is_gone = 0 order by modified_at desc limit 1`,
    )
    .pluck();
  for (let directory = cwd; ; directory = dirname(directory)) {
    const id = newest.get(directory) as string | undefined;
    if (id !== undefined) return id;
    if (dirname(directory) === directory) return null;
  }
}
