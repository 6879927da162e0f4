// Hermes: all that recall knows of its database and habits, behind the interface of a source, from documents alone.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseLayout, readColumns } from '../files/database.ts';
import type { Source } from '../source.ts';
import { isPlainId, keepsFolder, keepsRows, usualSource } from '../usual.ts';

const layout: DatabaseLayout = {
  program: 'Hermes',
  fileName: 'state.db',
  listDatabases: (root) => ['state.db', ...listProfiles(root)],
  needed: { sessions: ['id', 'started_at'], messages: ['id', 'session_id', 'role', 'content', 'timestamp'] },
  readRows: (db) => {
    const ended = readColumns(db, 'sessions').includes('ended_at') ? 'ended_at' : 'null';
    return db
      .all(`select id, max(started_at, coalesce(${ended}, 0),
          coalesce((select max(timestamp) from messages where session_id = sessions.id), 0)) as updated,
          (select count(*) from messages where session_id = sessions.id) as rows
        from sessions order by id`)
      .map(({ id, updated, rows }) => ({
        id: String(id),
        // What Hermes calls the parent is the session that this one continues after a compression.
        parentId: null,
        updatedMs: Math.round(Number(updated) * 1000) || 0,
        rows: Number(rows),
      }));
  },
};

/** Each profile has a home of its own. */
function listProfiles(root: string): string[] {
  try {
    const paths = readdirSync(join(root, 'profiles')).map((name) => `profiles/${name}/state.db`);
    return paths.filter((path) => existsSync(join(root, path)));
  } catch {
    return [];
  }
}

export const hermes: Source = {
  ...usualSource('hermes', 'Hermes'),
  ...keepsFolder('HERMES_HOME', '.hermes', { own: ['config.yaml', '.env', layout.fileName] }),
  ...keepsRows(layout),
  loadReader: async (_, loadTools) => (await import('./reader.ts')).makeReader(await loadTools()),
  isSessionId: (text) => /^\d{8}_\d{4,6}_[0-9a-f]{6,8}$/.test(text),
  resumesIn: 'preferred',
  // How the session of another profile is resumed is not known.
  toResumeArgv: ({ nativeId, path }) =>
    isPlainId(nativeId) && !path?.startsWith('profiles/') ? ['hermes', '--resume', nativeId] : null,
};
