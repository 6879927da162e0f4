// What is shown about a session, and how sessions belong together: subagents and saved histories to their
// main session, copies to each other.

import type { Role, SessionKind, TitleSource } from '../../records.ts';
import type { Database } from '../open/database.ts';
import { isMessageOf } from '../row-ids.ts';
import { agentsRead } from './index-facts.ts';
import { isOfKind, isSaidBy } from './kind-conditions.ts';
import { inScope, type Scope, scopeParameters } from './scope.ts';

export interface SessionInfo {
  readonly id: number;
  /** The program that wrote it. */
  readonly agent: string;
  /** 1 where the index has sessions of other agents too, so that lists say whose this is. */
  readonly isOfSeveral: number;
  /** The id that the program gave it. */
  readonly nativeId: string;
  readonly kind: SessionKind;
  readonly parentNativeId: string | null;
  /** The session this one is shown under: its parent if that is known, otherwise itself. */
  readonly ownerId: number;
  readonly conversationId: number;
  readonly title: string | null;
  readonly titleSource: TitleSource;
  readonly summary: string | null;
  readonly firstPrompt: string | null;
  readonly project: string | null;
  readonly branch: string | null;
  readonly subagentType: string | null;
  readonly subagentDescription: string | null;
  readonly prNumber: number | null;
  readonly prRepository: string | null;
  readonly createdAt: string | null;
  readonly modifiedAt: string | null;
  readonly messageCount: number;
  readonly textChars: number;
  readonly toolCallCount: number;
  readonly slug: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  readonly relocatedCwd: string | null;
  readonly isGone: number;
}

/** Two queries in one, because SQLite before 3.53 does not know the columns of the outer query in an `order by`. */
const ownerOfChild = `
  select id from (
    select parent.id, parent.root_id = session.root_id as isOfRoot, parent.slug is session.slug as isOfFolder, parent.is_gone
    from session parent
    where parent.native_id = session.parent_native_id and parent.agent = session.agent
      and ${isOfKind('isParent', 'parent.kind')}
  ) order by isOfRoot desc, isOfFolder desc, is_gone, id limit 1`;

const selection = `
  select session.id, session.agent, (select count(*) > 1 from (${agentsRead})) as isOfSeveral, session.native_id as nativeId, session.kind, session.parent_native_id as parentNativeId,
    iif(${isOfKind('isChild', 'session.kind')}, coalesce((${ownerOfChild}), session.id), session.id) as ownerId,
    coalesce(session.conversation_id, session.id) as conversationId, session.title, session.title_source as titleSource,
    session.summary, session.first_prompt as firstPrompt, project.path as project, session.branch,
    session.subagent_type as subagentType, session.subagent_description as subagentDescription, session.pr_number as prNumber,
    session.pr_repository as prRepository, session.created_at as createdAt, session.modified_at as modifiedAt,
    session.message_count as messageCount, session.text_chars as textChars, session.tool_call_count as toolCallCount, session.slug, session.first_cwd as firstCwd,
    session.last_cwd as lastCwd, session.relocated_cwd as relocatedCwd,
    session.is_gone as isGone
  from session left join project on project.id = session.project_id`;

export function readSessions(db: Database, ids: Iterable<number>): Map<number, SessionInfo> {
  const rows = db
    .prepare(`${selection} where session.id in (select value from json_each(?))`)
    .all(JSON.stringify([...ids])) as SessionInfo[];
  return new Map(rows.map((row) => [row.id, row]));
}

/** A session with the number of its copies. */
export interface ListedSession {
  readonly session: SessionInfo;
  readonly copies: number;
}

/** In the order of the ids. */
export function readListed(db: Database, ids: readonly number[]): ListedSession[] {
  const infos = readSessions(db, ids);
  const copiesOf = countCopies(db, infos.values());
  return ids.map((id) => {
    const session = infos.get(id) as SessionInfo;
    return { session, copies: copiesOf(session) };
  });
}

/** Sessions that are listed on their own; subagents and saved histories are shown under their session. */
export const listedKinds = isOfKind('isListed');

/**
 * SQL for the sessions of a scope: the newest copy of each conversation, preferring one whose transcript
 * still exists. `modified` orders them by time.
 */
export function newestCopies(scope: Scope, kinds: string): string {
  return `select id, max(modified_at || (1 - is_gone)) as modified from session
    where ${inScope(scope, 'session.id')} and ${kinds} ${scope.role === null ? '' : `and ${saidBy(scope.role)}`}
    group by coalesce(conversation_id, id)`;
}

/** Sessions in which this role said something. */
function saidBy(role: Role): string {
  return `exists (select 1 from message where ${isMessageOf('session.id', 'message.id')}
    and ${isSaidBy(role)})`;
}

/** The newest sessions of a scope; subagents only on request. */
export function readRecentIds(
  db: Database,
  scope: Scope,
  limit: number,
  withSubagents: boolean,
): { ids: number[]; total: number } {
  const newest = newestCopies(scope, withSubagents ? 'true' : listedKinds);
  const parameters = scopeParameters(scope);
  const ids = db
    .prepare(`select id from (${newest}) order by modified desc, id desc limit @limit`)
    .pluck()
    .all({ ...parameters, limit }) as number[];
  return { ids, total: Number(db.prepare(`select count(*) from (${newest})`).pluck().get(parameters)) };
}

/** Sessions of a scope whose id starts with `prefix`, newest first; none for an empty prefix. */
export function findIdsStartingWith(db: Database, prefix: string, scope: Scope, limit: number): number[] {
  if (prefix === '') return [];
  return db
    .prepare(
      `select id from session where native_id >= @prefix and native_id < @prefix || char(1114111)
        and ${inScope(scope, 'session.id')} order by is_gone, modified_at desc limit @limit`,
    )
    .pluck()
    .all({ ...scopeParameters(scope), prefix, limit }) as number[];
}

/**
 * How many other sessions contain the same entries as each of these. A transcript that was moved left a session without a
 * transcript behind, which is not a copy.
 */
export function countCopies(db: Database, sessions: Iterable<SessionInfo>): (session: SessionInfo) => number {
  const conversations = JSON.stringify(Array.from(sessions, ({ conversationId }) => conversationId));
  const rows = db
    .prepare(
      `select conversation_id, count(*) - 1 from session
      where conversation_id in (select value from json_each(?)) and not (is_gone = 1 and exists (
        select 1 from session other where other.conversation_id = session.conversation_id
          and other.agent = session.agent and other.native_id = session.native_id
          and (other.is_gone = 0 or other.id > session.id)))
      group by conversation_id`,
    )
    .raw()
    .all(conversations) as [number, number][];
  const counts = new Map(rows);
  return ({ conversationId }) => counts.get(conversationId) ?? 0;
}

/** The newest of these sessions. */
export function readNewest(db: Database, ids: Iterable<number>, limit: number): number[] {
  return db
    .prepare(
      'select id from session where id in (select value from json_each(?)) order by modified_at desc, id desc limit ?',
    )
    .pluck()
    .all(JSON.stringify([...ids]), limit) as number[];
}

/** How many results these sessions make: copies count once, and subagents as part of their session unless they are listed. */
export function countConversations(db: Database, ids: Iterable<number>, listsSubagents: boolean): number {
  const ofParent = `(select parent.conversation_id from session parent
      where ${isOfKind('isChild', 'session.kind')} and parent.native_id = session.parent_native_id
        and parent.agent = session.agent and ${isOfKind('isParent', 'parent.kind')})`;
  const own = 'session.conversation_id, session.id';
  return Number(
    db
      .prepare(
        `select count(distinct coalesce(${listsSubagents ? own : `${ofParent}, ${own}`}))
        from session where id in (select value from json_each(?))`,
      )
      .pluck()
      .get(JSON.stringify([...ids])),
  );
}
