// Which sessions' tools read or changed a file. Commands that name it and searches through it do not count: whether they
// read or changed it, nobody can say. Nor do calls that failed.

import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { all, condition, query } from '../open/typed-query.ts';
import { inScope, isOnFile, type Scope, scopeParameters, toFileParameters } from './scope.ts';

/** The calls of one tool on one file in one session. */
export interface Touch {
  readonly sessionId: number;
  readonly tool: string;
  /** With forward slashes. */
  readonly path: string;
  readonly calls: number;
}

const changingTools = ['edit', 'write', 'multiedit', 'notebookedit'];
const readingTools = ['read', 'notebookread'];
/** They take commands and patterns, not paths. */
const otherTools = ['Bash', 'PowerShell', 'Grep', 'Glob'];

export function readTouches(
  db: Database.Database,
  file: string,
  scope: Scope,
  changedOnly: boolean,
): Touch[] {
  const fileTools = changedOnly ? changingTools : [...changingTools, ...readingTools];
  const touches = query
    .selectFrom('tool_call')
    .select((q) => [
      'session_id as sessionId',
      'name as tool',
      sql<string>`replace(target, '\\', '/')`.as('path'),
      q.fn.countAll<number>().as('calls'),
    ])
    .where(condition(isOnFile))
    .where('is_error', '=', 0)
    .where((q) => {
      const isFileTool = q(q.fn<string>('lower', ['name']), 'in', fileTools);
      if (changedOnly) return isFileTool;
      // Other tools, those of servers above all, take any kind of target; one that is a whole path is a path.
      const isPath = q.or([
        sql<boolean>`target glob '/*'`,
        sql<boolean>`target glob ${sql.lit('[A-Za-z]:[\\/]*')}`,
      ]);
      return q.or([isFileTool, q.and([q('name', 'not in', otherTools), isPath])]);
    })
    .where(condition(inScope(scope, 'tool_call.session_id')))
    .groupBy(['sessionId', 'tool', 'path']);
  return all(db, touches, { ...scopeParameters(scope), ...toFileParameters(file) });
}
