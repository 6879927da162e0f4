// Crush: all that recall knows of its databases and habits, behind the interface of a source, from documents alone. Each project
// has a database of its own, by default in its folder .crush; a list of projects is in the folder of the program.

import { isAbsolute, join, resolve } from 'node:path';
import { readForeignFile } from '../../open-file.ts';
import type { Surroundings } from '../../records.ts';
import type { DatabaseLayout } from '../files/database.ts';
import { objectsField, parseJsonObject, stringField } from '../json/json-value.ts';
import type { Source } from '../source.ts';
import { findRunning, isPlainId, keepsRows, usualSource } from '../usual.ts';

const layout: DatabaseLayout = {
  program: 'Crush',
  fileName: 'crush.db',
  needed: {
    sessions: ['id', 'parent_session_id', 'title', 'created_at', 'updated_at'],
    messages: ['id', 'session_id', 'role', 'parts', 'created_at', 'updated_at'],
  },
  // For each title that a model makes there is a session as well.
  readRows: (db) =>
    db
      .all(`select id, parent_session_id as parent,
          max(updated_at, coalesce((select max(updated_at) from messages where session_id = sessions.id), 0)) as updated,
          (select count(*) from messages where session_id = sessions.id) as rows
        from sessions where id not like 'title-%' order by id`)
      .map(({ id, parent, updated, rows }) => ({
        id: String(id),
        parentId: typeof parent === 'string' && parent !== '' ? parent : null,
        updatedMs: Number(updated) * 1000 || 0,
        rows: Number(rows),
      })),
};

function findProgramFolder({ env, homeDir, cwd }: Surroundings): string {
  const { CRUSH_GLOBAL_DATA: own, XDG_DATA_HOME: xdg = '' } = env;
  if (own) return resolve(cwd, own);
  return join(isAbsolute(xdg) ? xdg : join(homeDir, '.local', 'share'), 'crush');
}

function listDataFolders(programFolder: string): string[] {
  try {
    const list = parseJsonObject(readForeignFile(join(programFolder, 'projects.json')).toString());
    const folders = objectsField(list, 'projects').map((project) => stringField(project, 'data_dir') ?? '');
    return folders.filter((folder) => isAbsolute(folder));
  } catch {
    return [];
  }
}

export const crush: Source = {
  ...usualSource('crush', 'Crush'),
  rootVariable: 'CRUSH_GLOBAL_DATA',
  toDefaultRoots: (at) => {
    const folder = findProgramFolder(at);
    return [folder, ...listDataFolders(folder)];
  },
  findOwnFiles: (root) => ['crush.json', 'projects.json', layout.fileName].map((name) => join(root, name)),
  findResumeEnv: () => ({}),
  ...keepsRows(layout),
  loadReader: async (_, loadTools) => (await import('./reader.ts')).makeReader(await loadTools()),
  // It continues where it is started, and by itself looks only into the folder of that directory.
  resumesIn: 'preferred',
  toResumeArgv: ({ nativeId, root }) =>
    isPlainId(nativeId) ? ['crush', '--data-dir', root, '--session', nativeId] : null,
  findRunningSession: (env) => findRunning(env, null, 'CRUSH'),
};
