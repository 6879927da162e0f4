// Which sessions' tools read or changed a file. Commands that name it and searches through it do not count: whether they
// read or changed it, nobody can say. Nor do calls that failed.

import type Database from 'better-sqlite3';
import { sessionOfToolCall } from '../row-ids.ts';
import { inScope, isOnFile, type Scope, scopeParameters, toFileParameters } from './scope.ts';

/** The calls of one tool on one file in one session. */
export interface Touch {
  readonly sessionId: number;
  readonly tool: string;
  /** With forward slashes. */
  readonly path: string;
  readonly calls: number;
}

const changingTools: readonly string[] = ['edit', 'write', 'multiedit', 'notebookedit'];
const readingTools: readonly string[] = ['read', 'notebookread'];

/** Other tools, those of servers above all, take any kind of target; one that is a whole path is a path. */
const isFileTool = `(lower(name) in (select value from json_each(@fileTools))
  or @withOthers and name not in ('Bash', 'PowerShell', 'Grep', 'Glob') and (target glob '/*' or target glob '[A-Za-z]:[\\/]*'))`;

export function readTouches(
  db: Database.Database,
  file: string,
  scope: Scope,
  changedOnly: boolean,
): Touch[] {
  const session = sessionOfToolCall('tool_call.id');
  return db
    .prepare(
      `select ${session} as sessionId, name as tool, replace(target, '\\', '/') as path, count(*) as calls
      from tool_call where ${isOnFile} and ${isFileTool} and is_error = 0 and ${inScope(scope, session)}
      group by sessionId, tool, path`,
    )
    .all({
      ...scopeParameters(scope),
      ...toFileParameters(file),
      fileTools: JSON.stringify(changedOnly ? changingTools : [...changingTools, ...readingTools]),
      withOthers: changedOnly ? 0 : 1,
    }) as Touch[];
}
