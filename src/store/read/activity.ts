// How much was said when, in one pass over the times of the messages; and what the sessions and their subagents used. Of
// copies of a conversation the newest counts. Subagents count for what they used, not as sessions or messages.

import { sql } from 'kysely';
import type { FileTools } from '../../records.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { all, anyOf, condition, query } from '../open/typed-query.ts';
import type { ProjectSummary } from '../word-index.ts';
import {
  inScope,
  isOfKind,
  isOnFile,
  isSaidBy,
  ownTag,
  type Scope,
  scopeParameters,
  toFileParameters,
} from './scope.ts';
import { countedIn, listedKinds, newestCopies } from './sessions.ts';

export const quarterMs = 15 * 60_000;

export interface CountedSession {
  readonly id: number;
  readonly isSubagent: boolean;
  readonly project: string | null;
  readonly models: string;
}

export function readCounted(db: Database, scope: Scope): CountedSession[] {
  const newest = newestCopies(scope, `(${isOfKind('isListed')} or kind = 'subagent')`);
  const counted = query
    .selectFrom('session')
    .leftJoin('project', 'project.id', 'session.project_id')
    .select((q) => [
      'session.id',
      q('session.kind', '=', 'subagent').$castTo<number>().as('isSubagent'),
      'project.path as project',
      'session.models',
    ])
    .where(condition(`session.id in (select id from (${newest}))`));
  return withBooleans<CountedSession>(all(db, counted, scopeParameters(scope)), 'isSubagent');
}

interface FacetRow {
  readonly agent: string;
  readonly project: string | null;
  readonly branch: string | null;
  /** Of the last activity, as in `ActivityRow`. */
  readonly quarter: number | null;
}

/** One row for each conversation of a scope, or of these sessions and those that they belong to. */
export function readFacetRows(db: Database, of: Scope | readonly number[]): FacetRow[] {
  const isScope = !Array.isArray(of);
  const scope = of as Scope;
  const parent = `(select parent.id from session parent where ${isOfKind('isChild', 'found.kind')}
      and parent.native_id = found.parent_native_id and parent.agent = found.agent
      and ${isOfKind('isParent', 'parent.kind')} limit 1)`;
  const newest = isScope
    ? newestCopies(scope, listedKinds)
    : `select id, max(modified_at || (1 - is_gone)) as modified from session
      where id in (select coalesce(${parent}, found.id) from session found where found.id in (select value from json_each(@ids)))
      group by coalesce(conversation_id, id)`;
  const rows = `select session.agent, project.path as project, session.branch,
    unixepoch(session.modified_at) / ${quarterMs / 1000} as quarter
  from session left join project on project.id = session.project_id where session.id in (select id from (${newest}))`;
  const parameters = isScope ? scopeParameters(scope) : { ids: JSON.stringify(of) };
  return db.prepare(rows).all(parameters) as FacetRow[];
}

export interface ActivityRow {
  readonly sessionId: number;
  /** Counted from the start of 1970, UTC; null where no time is known. */
  readonly quarter: number | null;
  readonly messages: number;
  /** How many of the messages a person typed. */
  readonly prompts: number;
}

export type Period = Readonly<Record<'since' | 'until', string | null>>;

/** Quarters of an hour, because every time zone is a whole number of them from UTC: the local hour follows. */
export function readActivity(
  db: Database,
  counted: readonly CountedSession[],
  { since, until }: Period,
): ActivityRow[] {
  const ids = counted.flatMap(({ id, isSubagent }) => (isSubagent ? [] : [id]));
  const said = query
    .selectFrom('message')
    .select((q) => [
      'session_id as sessionId',
      sql<number | null>`unixepoch(timestamp) / ${sql.lit(quarterMs / 1000)}`.as('quarter'),
      q.fn.countAll<number>().as('messages'),
      q.fn.sum<number>(condition(isSaidBy('user'))).as('prompts'),
    ])
    .where('session_id', 'in', anyOf(ids))
    .$if(since !== null, (q) => q.where('timestamp', '>=', since))
    .$if(until !== null, (q) => q.where('timestamp', '<=', until))
    .groupBy(['sessionId', 'quarter']);
  return all(db, said);
}

export interface ToolUse {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
}

export function readToolUses(db: Database, counted: readonly CountedSession[]): ToolUse[] {
  const uses = query
    .selectFrom('tool_call')
    .select((q) => ['name', q.fn.countAll<number>().as('calls'), q.fn.sum<number>('is_error').as('failed')])
    .where('session_id', 'in', anyOf(counted.map(({ id }) => id)))
    .groupBy('name')
    .orderBy('calls', 'desc')
    .orderBy('name');
  return all(db, uses);
}

const conversation = sql<number>`coalesce(conversation_id, session.id)`;

const selectHeld = (only: readonly number[] | null) =>
  query
    .selectFrom('session')
    .$if(only !== null, (q) => q.where('session.id', 'in', anyOf(only ?? [])))
    .leftJoin('transcript', 'transcript.id', 'session.transcript_id')
    .select((q) => [
      'project_id',
      sql<string | null>`max(iif(is_hidden, null, modified_at))`.as('lastUsedAt'),
      q.fn.sum<number>('text_chars').as('textChars'),
      sql<number>`count(distinct iif(session.kind = 'subagent' and is_hidden = 0, ${conversation}, null))`.as(
        'subagents',
      ),
      sql<number>`coalesce(sum(iif(transcript.state = 'current', transcript.size_bytes, 0)), 0)`.as(
        'diskBytes',
      ),
    ])
    .groupBy('project_id');

/** A conversation counts where its newest copy is. */
export function readProjectSummaries(db: Database, scope: Scope): ProjectSummary[] {
  const newest = newestCopies(scope, listedKinds);
  const summaries = query
    .with('listed', (q) =>
      q
        .selectFrom('session')
        .select((each) => [
          'project_id',
          each.fn.countAll<number>().as('sessions'),
          each.fn.sum<number>('message_count').as('messages'),
        ])
        .where(condition(`session.id in (select id from (${newest}))`))
        .groupBy('project_id'),
    )
    .with('held', () => selectHeld(scope.only))
    .selectFrom('listed')
    .innerJoin('held', (join) => join.onRef('listed.project_id', 'is', 'held.project_id'))
    .leftJoin('project', 'project.id', 'held.project_id')
    .select([
      'project.id',
      'project.path',
      'sessions',
      'subagents',
      'messages',
      'lastUsedAt',
      'textChars',
      'diskBytes',
    ]);
  return all(db, summaries, scopeParameters(scope));
}

/** Filters whose values are what the sessions have, each with the rows it is read from and the column. */
const countable = {
  project: { from: 'session join project on project.id = session.project_id', value: 'project.path' },
  branch: { from: 'session', value: "nullif(nullif(session.branch, ''), 'HEAD')" },
  tag: {
    from: `session join (
        select agent, native_id, substr(field, 5) as tag from label where field like 'tag:%'
        union select agent, native_id, ${ownTag} from session where tag <> ''
      ) tagged on tagged.agent = session.agent and tagged.native_id = session.native_id`,
    value: 'tagged.tag',
  },
  model: { from: 'session, json_each(session.models) as model', value: 'model.value' },
  file: {
    from: 'tool_call join session on session.id = tool_call.session_id',
    value:
      'iif(is_error = 0 and lower(tool_call.name) in (select value from json_each(@tools)), target, null)',
  },
} as const;
type CountableFilter = keyof typeof countable;

export function isCountable(name: string): name is CountableFilter {
  return Object.hasOwn(countable, name);
}

/** How many sessions have each value, what subagents did included; the one that was used last first. */
export function readFilterValues(
  db: Database,
  scope: Scope,
  { name, tools = [], limit }: { name: CountableFilter; tools?: readonly string[]; limit: number },
): { readonly value: string; readonly sessions: number }[] {
  const { from, value } = countable[name];
  const sql = `select ${value} as value, count(distinct ${countedIn}) as sessions from ${from}
    where ${inScope(scope, 'session.id')} group by 1 having value is not null and sessions > 0
    order by max(session.modified_at) desc, value limit @limit`;
  const parameters = {
    ...scopeParameters(scope),
    ...(name === 'file' ? { tools: JSON.stringify(tools) } : {}),
    limit,
  };
  return db.prepare(sql).all(parameters) as { value: string; sessions: number }[];
}

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
  { changing, reading, other, changedOnly }: FileTools & { readonly changedOnly: boolean },
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
