// Makes rows that were saved from a damaged index fit together again: what refers to a lost row lets go of it, and messages
// whose session was lost get one.

import { sql } from 'kysely';
import type { Database } from '../open/database.ts';
import { condition, query, run } from '../open/typed-query.ts';
import { isMessageOf, isToolCallOf, sessionOfMessage } from '../row-ids.ts';
import { orphanPrefix } from './orphans.ts';

/** Everything on disk is read again and every session settled by the next update. */
export function repairRows(db: Database): void {
  adoptOrphans(db);
  const sessions = query.selectFrom('session').select('id');
  const transcripts = query.selectFrom('transcript').select('id');
  run(db, query.updateTable('transcript').set({ parser_version: 0 }));
  for (const table of ['tool_call', 'work'] as const)
    run(db, query.deleteFrom(table).where('session_id', 'not in', sessions));
  run(
    db,
    query.deleteFrom('tool_text').where(sql<number>`${sql.raw(sessionOfMessage('id'))}`, 'not in', sessions),
  );
  run(db, query.deleteFrom('transcript').where('root_id', 'not in', query.selectFrom('root').select('id')));
  run(
    db,
    query
      .updateTable('session')
      .set({ transcript_id: null, is_gone: 1 })
      .where('transcript_id', 'is not', null)
      .where('transcript_id', 'not in', transcripts),
  );
  run(
    db,
    query
      .updateTable('session')
      .set({ project_id: null })
      .where('project_id', 'not in', query.selectFrom('project').select('id')),
  );
  recount(db);
  const lostRoots = query
    .selectFrom('session')
    .select((q) => [
      'root_id',
      q.fn.min('agent').as('agent'),
      sql<string>`'lost-root-' || root_id`.as('path'),
    ])
    .groupBy('root_id');
  run(db, query.insertInto('root').orIgnore().columns(['id', 'agent', 'path']).expression(lostRoots));
}

/** Of a session whose row was lost, nothing else is known than what was said, and when. */
function adoptOrphans(db: Database): void {
  const orphans = query
    .selectFrom('message')
    .select((q) => [
      'session_id',
      q.selectFrom('root').select(sql<number>`coalesce(min(id), 1)`.as('id')).as('root_id'),
      q.selectFrom('root').select(sql<string>`coalesce(min(agent), 'lost')`.as('agent')).as('agent'),
      sql<string>`${sql.lit(orphanPrefix)} || session_id`.as('native_id'),
      sql.lit('history').as('kind'),
      q.fn.min('timestamp').as('first_timestamp'),
      q.fn.max('timestamp').as('last_timestamp'),
      q
        .selectFrom('message as first')
        .select(sql<string>`substr(text, 1, ${sql.lit(maxPromptChars)})`.as('prompt'))
        .whereRef('first.session_id', '=', 'message.session_id')
        .where('first.role', '=', 'user')
        .orderBy('first.id')
        .limit(1)
        .as('own_first_prompt'),
      sql.lit(1).as('is_gone'),
    ])
    .where('session_id', 'not in', query.selectFrom('session').select('id'))
    .groupBy('session_id');
  run(
    db,
    query
      .insertInto('session')
      .columns([
        ...(['id', 'root_id', 'agent', 'native_id', 'kind', 'first_timestamp'] as const),
        ...(['last_timestamp', 'own_first_prompt', 'is_gone'] as const),
      ])
      .expression(orphans),
  );
}

const maxPromptChars = 2000;

function recount(db: Database): void {
  const messages = query.selectFrom('message').where(condition(isMessageOf('session.id', 'message.id')));
  const calls = query.selectFrom('tool_call').where(condition(isToolCallOf('session.id', 'tool_call.id')));
  run(
    db,
    query.updateTable('session').set({
      is_unsettled: 1,
      message_count: messages.select((q) => q.fn.countAll<number>().as('n')),
      text_chars: messages.select(sql<number>`coalesce(sum(length(text)), 0)`.as('n')),
      tool_call_count: calls.select((q) => q.fn.countAll<number>().as('n')),
    }),
  );
}
