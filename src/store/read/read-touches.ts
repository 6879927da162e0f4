// Which sessions' tools read or changed a file. Commands that name it and searches through it do not count: whether they
// read or changed it, nobody can say. Nor do calls that failed.

import { sql } from 'kysely';
import type { FileTools } from '../../records.ts';
import type { Database } from '../open/database.ts';
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

export function readTouches(
  db: Database,
  file: string,
  scope: Scope,
  { changing, reading, other }: FileTools,
  changedOnly: boolean,
): Touch[] {
  const fileTools = changedOnly ? changing : [...changing, ...reading];
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
      const name = q.fn<string>('lower', ['name']);
      const isFileTool = q(name, 'in', fileTools);
      if (changedOnly) return isFileTool;
      // Other tools, those of servers above all, take any kind of target; one that is a whole path is a path.
      const isPath = q.or([
        sql<boolean>`target glob '/*'`,
        sql<boolean>`target glob ${sql.lit('[A-Za-z]:[\\/]*')}`,
      ]);
      return q.or([isFileTool, q.and([q(name, 'not in', other), isPath])]);
    })
    .where(condition(inScope(scope, 'tool_call.session_id')))
    .groupBy(['sessionId', 'tool', 'path']);
  return all(db, touches, { ...scopeParameters(scope), ...toFileParameters(file) });
}
