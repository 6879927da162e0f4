// What is shown about a session, and how sessions belong together: subagents and saved histories to their
// main session, copies to each other.

import { basename } from 'node:path';
import { type AgentName, importedPrefix, type Labels, type Role } from '../../records.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { isMessageOf } from '../row-ids.ts';
import { noFilters, type Relation, type SessionInfo, type SessionWithCopies } from '../word-index.ts';
import { agentsRead, readProjects } from './index-facts.ts';
import { inScope, isOfKind, isSaidBy, ownTag, readScope, type Scope, scopeParameters } from './scope.ts';

/** Two queries in one, because SQLite before 3.53 does not know the columns of the outer query in an `order by`. */
const ownerOfChild = `
  select id from (
    select parent.id, parent.root_id = session.root_id as isOfRoot, parent.slug is session.slug as isOfFolder, parent.is_gone
    from session parent
    where parent.native_id = session.parent_native_id and parent.agent = session.agent
      and ${isOfKind('isParent', 'parent.kind')}
  ) order by isOfRoot desc, isOfFolder desc, is_gone, id limit 1`;

/** Of a session that was on another machine. */
const joinMachine = (session: string) => `join root on root.id = ${session}.root_id
  left join machine on machine.id = root.machine_id and machine.id > 0`;
const otherOwner = 'nullif(machine.owner, (select owner from machine where id = 0))';

const infoColumns = `
  select session.id, session.agent, (select count(*) > 1 from (${agentsRead})) as isOfSeveral, session.native_id as nativeId, session.kind, session.parent_native_id as parentNativeId,
    iif(${isOfKind('isChild', 'session.kind')}, coalesce((${ownerOfChild}), session.id), session.id) as ownerId,
    coalesce(session.conversation_id, session.id) as conversationId, session.title, session.title_source as titleSource,
    session.summary, session.first_prompt as firstPrompt, project.path as project, session.branch, session.branched_from as branchedFrom,
    session.subagent_type as subagentType, session.subagent_description as subagentDescription, session.pr_number as prNumber,
    session.pr_repository as prRepository, session.created_at as createdAt, session.modified_at as modifiedAt,
    session.message_count as messageCount, session.text_chars as textChars, session.tool_call_count as toolCallCount, session.slug, session.first_cwd as firstCwd,
    session.last_cwd as lastCwd, session.relocated_cwd as relocatedCwd,
    (select json_group_array(json_array(message, field, value)) from label
      where label.agent = session.agent and label.native_id = session.native_id) as labels, ${ownTag} as ownTag,
    session.is_gone as isDeleted, machine.name as machine, ${otherOwner} as owner,
    iif(machine.key like '${importedPrefix}%', substr(machine.key, ${importedPrefix.length + 1}, 10), null) as importedOn
  from session left join project on project.id = session.project_id ${joinMachine('session')}`;

export function readSessions(db: Database, ids: Iterable<number>): Map<number, SessionInfo> {
  const sql = `${infoColumns} where session.id in (select value from json_each(?))`;
  const rows = db.prepare(sql).all(JSON.stringify([...ids]));
  type Row = Omit<SessionInfo, 'labels'> & { readonly labels: string; readonly ownTag: string | null };
  const infos = withBooleans<Row>(rows, 'isOfSeveral', 'isDeleted');
  return new Map(
    infos.map(({ labels, ownTag, ...info }) => [
      info.id,
      { ...info, labels: toLabels(db, info.id, labels, ownTag) },
    ]),
  );
}

const noLabels: Labels = { name: null, isStarred: false, tags: [], notes: [] };

function toLabels(db: Database, sessionId: number, rows: string, ownTag: string | null): Labels {
  const tags = new Set(ownTag === null || ownTag === '' ? [] : [ownTag]);
  if (rows === '[]') return tags.size === 0 ? noLabels : { ...noLabels, tags: [...tags] };
  const all = JSON.parse(rows) as [message: string, field: string, value: string][];
  for (const [, field] of all) if (field.startsWith('tag:')) tags.add(field.slice(4));
  const notes = all
    .filter(([, field]) => field === 'note')
    .map(([message, , text]) => ({
      message: message === '' ? null : message,
      position: message === '' ? null : findPosition(db, sessionId, message),
      text,
    }))
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  return {
    name: all.find(([, field]) => field === 'name')?.[2] ?? null,
    isStarred: all.some(([, field]) => field === 'star'),
    tags: [...tags].sort(),
    notes,
  };
}

/** Null if the session no longer has the message. */
function findPosition(db: Database, sessionId: number, message: string): number | null {
  const ofSession = isMessageOf('@sessionId', 'message.id');
  const isIt = message.startsWith('#') ? "'#' || seq = @message" : 'uuid = @message';
  const sql = `select (select count(*) from message where ${ofSession} and id <= found.id)
    from (select id from message where ${ofSession} and ${isIt} limit 1) found`;
  return (db.prepare(sql).pluck().get({ sessionId, message }) as number | undefined) ?? null;
}

/** What a note on the message with this number is kept under; undefined if there is none. */
export function findMessageKey(db: Database, sessionId: number, position: number): string | undefined {
  const sql = `select coalesce(uuid, '#' || seq) from message where ${isMessageOf('@sessionId', 'message.id')}
    order by id limit 1 offset @position - 1`;
  return db.prepare(sql).pluck().get({ sessionId, position }) as string | undefined;
}

export function readListed(db: Database, ids: readonly number[]): SessionWithCopies[] {
  const infos = readSessions(db, ids);
  const conversationIds = Array.from(infos.values(), ({ conversationId }) => conversationId);
  const copies = countCopies(db, conversationIds);
  return ids.map((id) => {
    const session = infos.get(id) as SessionInfo;
    return { session, copies: copies.get(session.conversationId) ?? 0 };
  });
}

/** Sessions that are listed on their own; subagents and saved histories are shown under their session. */
export const listedKinds = isOfKind('isListed');

/** Of each conversation the newest copy, preferring one whose transcript still exists. `modified` orders them by time. */
export function newestCopies(scope: Scope, kinds: string): string {
  return `select id, max(modified_at || (1 - is_gone)) as modified from session
    where ${inScope(scope, 'session.id')} and ${kinds} and ${scope.role === null ? 'true' : hasMessageOf(scope.role)}
    group by coalesce(conversation_id, id)`;
}

function hasMessageOf(role: Role): string {
  return `exists (select 1 from message where ${isMessageOf('session.id', 'message.id')} and ${isSaidBy(role)})`;
}

export function readRecentIds(db: Database, scope: Scope, limit: number, withSubagents: boolean) {
  const newest = newestCopies(scope, withSubagents ? 'true' : listedKinds);
  const parameters = scopeParameters(scope);
  const sql = `select id from (${newest}) order by modified desc, id desc limit @limit`;
  const read = db.prepare(sql).pluck();
  const ids = read.all({ ...parameters, limit }) as number[];
  return { ids, total: Number(db.prepare(`select count(*) from (${newest})`).pluck().get(parameters)) };
}

const ownConversation = (session: string) =>
  `iif(${session}.is_hidden, null, coalesce(${session}.conversation_id, ${session}.id))`;

/** The conversation that a session counts for in a list: its own, or that of its parent; null if a list leaves it out. */
export const countedIn = `iif(${isOfKind('isListed', 'session.kind')}, ${ownConversation('session')}, (
    select ${ownConversation('parent')} from session parent
    where parent.native_id = session.parent_native_id and parent.agent = session.agent
      and ${isOfKind('isParent', 'parent.kind')} order by parent.is_hidden limit 1))`;

/** How many sessions of a list have something to do with these. */
export function countAmong(db: Database, ids: Iterable<number>): number {
  const sql = `select count(distinct ${countedIn}) from session where id in (select value from json_each(?))`;
  return Number(
    db
      .prepare(sql)
      .pluck()
      .get(JSON.stringify([...ids])),
  );
}

export interface SessionTotals {
  readonly sessions: number;
  readonly messages: number;
}

interface AgentTotals extends SessionTotals {
  readonly agent: AgentName;
}

/** What a person counts: the sessions that a list has, and the messages in them; of each agent those of a list with only that one. */
export function countSessions(db: Database): SessionTotals & { readonly agents: AgentTotals[] } {
  const scope = readScope(db, noFilters);
  const counts = 'count(*) as sessions, coalesce(sum(message_count), 0) as messages';
  const all = `select ${counts} from (${newestCopies(scope, listedKinds)}) join session using (id)`;
  const ofAgents = `select agent, ${counts} from (
      select agent, message_count, max(modified_at || (1 - is_gone)) from session
      where ${inScope(scope, 'session.id')} and ${listedKinds} group by agent, coalesce(conversation_id, id))
    group by agent order by agent`;
  const parameters = scopeParameters(scope);
  return {
    ...(db.prepare(all).get(parameters) as SessionTotals),
    agents: db.prepare(ofAgents).all(parameters) as AgentTotals[],
  };
}

/** Sessions of a scope whose id starts with `prefix`, newest first; none for an empty prefix. */
export function findIdsStartingWith(db: Database, prefix: string, scope: Scope, limit: number): number[] {
  if (prefix === '') return [];
  const sql = `select id from session where native_id >= @prefix and native_id < @prefix || char(1114111)
    and ${inScope(scope, 'session.id')} order by is_gone, modified_at desc limit @limit`;
  const read = db.prepare(sql).pluck();
  return read.all({ ...scopeParameters(scope), prefix, limit }) as number[];
}

/** A transcript that was moved left a session without a transcript behind, which is not a copy. */
export function countCopies(db: Database, conversationIds: readonly number[]): Map<number, number> {
  const sql = `select conversation_id, count(*) - 1 from session
  where conversation_id in (select value from json_each(?)) and not (is_gone = 1 and exists (
    select 1 from session other where other.conversation_id = session.conversation_id
      and other.agent = session.agent and other.native_id = session.native_id
      and (other.is_gone = 0 or other.id > session.id)))
  group by conversation_id`;
  const rows = db.prepare(sql).raw().all(JSON.stringify(conversationIds)) as [number, number][];
  return new Map(rows);
}

export function readRelations(
  db: Database,
  ids: readonly number[],
  scope: Scope,
  listsSubagents: boolean,
): Relation[] {
  const owner = `(select parent.id from (${ownerOfChild}) parent where ${inScope(scope, 'parent.id')})`;
  const shownUnder = listsSubagents
    ? 'session.id'
    : `iif(${isOfKind('isChild', 'session.kind')}, coalesce(${owner}, session.id), session.id)`;
  const sql = `select session.id, owner.id as ownerId, coalesce(owner.conversation_id, owner.id) as conversationId,
      owner.modified_at as modifiedAt
    from json_each(@ids) join session on session.id = value join session owner on owner.id = ${shownUnder}`;
  return db.prepare(sql).all({ ...scopeParameters(scope), ids: JSON.stringify(ids) }) as Relation[];
}

export type FoundSession = Pick<SessionInfo, 'id' | 'agent' | 'nativeId' | 'kind' | 'title' | 'modifiedAt'>;

export const minPrefixChars = 4;

/** Exact, else by its start; newest first. Ids are looked for as typed before lower case: some have capitals of their own. */
export function findSessions(db: Database, ref: string): FoundSession[] {
  const found = findAsTyped(db, ref);
  const lower = ref.toLowerCase();
  return found.length > 0 || lower === ref ? found : findAsTyped(db, lower);
}

/** `5c0de5ca@laptop` is the session as it was on that machine. */
function findAsTyped(db: Database, typed: string): FoundSession[] {
  const [, ref = typed, machine = null] = /^(.+)@([^@]+)$/.exec(typed) ?? [];
  const found = findById(db, ref);
  if (machine === null) return distinct(found);
  const sql = `select session.id from session ${joinMachine('session')}
    where session.native_id = ? and lower(machine.name) = lower(?)`;
  const read = db.prepare(sql).pluck();
  return distinct(found.filter(({ id, nativeId }) => read.all(nativeId, machine).includes(id)));
}

function findById(db: Database, ref: string): FoundSession[] {
  const exact = db.prepare(`${foundColumns} where native_id = ? ${order}`).all(ref) as FoundSession[];
  if (exact.length > 0) return exact;
  if (ref.length < minPrefixChars) return [];
  const end = `${ref.slice(0, -1)}${String.fromCodePoint((ref.codePointAt(ref.length - 1) ?? 0) + 1)}`;
  const sql = `${foundColumns} where native_id >= ? and native_id < ? ${order}`;
  const found = db.prepare(sql).all(ref, end) as FoundSession[];
  return found.filter((session) => session.nativeId.startsWith(ref));
}

const foundColumns =
  'select id, agent, native_id as nativeId, kind, title, modified_at as modifiedAt from session';
/** A file without a word of a session that another file holds comes last. */
const order = 'order by is_hidden, is_gone, modified_at desc';

function distinct(sessions: readonly FoundSession[]): FoundSession[] {
  const byId = new Map<string, FoundSession>();
  for (const session of sessions) {
    const key = `${session.agent} ${session.nativeId}`;
    if (!byId.has(key)) byId.set(key, session);
  }
  return [...byId.values()];
}

/** The session that was last active in exactly this directory. */
export function findNewestIn(db: Database, agent: AgentName, directory: string): string | undefined {
  const sql = `select native_id from session join project on project.id = session.project_id
  where project.path = ? and agent = ? and ${isOfKind('isResumable')} and is_gone = 0 order by modified_at desc limit 1`;
  return db.prepare(sql).pluck().get(directory, agent) as string | undefined;
}

export type Named = Readonly<Record<'value' | 'description', string>>;

const limit = 50;

/** Sessions whose id starts with this, the newest first. Subagents come last, and only once something is typed. */
export function readSessionNames(db: Database, beginning: string): Named[] {
  const scope = readScope(db, noFilters);
  const ids =
    beginning === ''
      ? readRecentIds(db, scope, limit, false).ids
      : findIdsStartingWith(db, beginning, scope, limit);
  const byId = readSessions(db, ids);
  const sessions = ids.flatMap((id) => byId.get(id) ?? []);
  const isSubagent = (kind: string) => Number(kind === 'subagent' || kind === 'precompact');
  const names = sessions
    .toSorted((a, b) => isSubagent(a.kind) - isSubagent(b.kind))
    // An id is the name of a file, and a file's name may be made to mean something to a shell.
    .filter(({ nativeId }) => /^\w[\w.-]*$/.test(nativeId))
    .map(({ nativeId, title }) => [nativeId, title ?? '(untitled)'] as const);
  // Two folders may have a session with the same id; it is named once.
  return [...new Map(names.toReversed())]
    .toReversed()
    .map(([value, description]) => ({ value, description }));
}

/** Directories by their own name, those of one name once. One known only by the name of an agent's folder has none. */
export function readProjectNames(db: Database): Named[] {
  const named = new Map<string, string[]>();
  for (const { path } of readProjects(db)) {
    const name = basename(path.replaceAll('\\', '/'));
    named.set(name, [...(named.get(name) ?? []), path]);
  }
  return [...named]
    .filter(([name]) => !name.startsWith('-'))
    .map(([value, paths]) => ({ value, description: paths.join(', ') }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

export interface ResumeTarget
  extends Pick<SessionInfo, 'agent' | 'nativeId' | 'kind' | 'relocatedCwd' | 'firstCwd' | 'lastCwd'>,
    Pick<SessionInfo, 'project' | 'slug' | 'messageCount'> {
  readonly targetId: number;
  readonly originalCwd: string | null;
  readonly root: string;
  /** Whether its transcript was deleted before the last look. */
  readonly isGone: boolean;
  /** Its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
  /** Other transcripts on disk with the same id. */
  readonly sameIdCount: number;
  readonly machine: string | null;
  readonly owner: string | null;
  /** By which the archive names its machine; null for this one. */
  readonly machineKey: string | null;
}

const resumeColumns = `
  select asked.id as askedId, target.id as targetId, target.agent, target.native_id as nativeId, target.kind, target.slug,
    target.is_gone as isGone,
    target.relocated_cwd as relocatedCwd, target.first_cwd as firstCwd, target.last_cwd as lastCwd,
    target.original_cwd as originalCwd,
    project.path as project, root.path as root, transcript.path as path, target.message_count as messageCount,
    (select count(*) from session other where other.native_id = target.native_id and other.agent = target.agent
      and ${isOfKind('isResumable', 'other.kind')} and other.is_gone = 0 and other.id <> target.id) as sameIdCount,
    machine.name as machine, ${otherOwner} as owner, machine.key as machineKey
  from session asked
  join session target on target.id = iif(${isOfKind('isResumable', 'asked.kind')}, asked.id, coalesce(
    (select parent.id from session parent
      where parent.native_id = asked.parent_native_id and parent.agent = asked.agent
        and ${isOfKind('isResumable', 'parent.kind')}
      order by parent.is_gone, parent.modified_at desc limit 1), asked.id))
  ${joinMachine('target')}
  left join transcript on transcript.id = target.transcript_id
  left join project on project.id = target.project_id
  where asked.id in (select value from json_each(?))`;

export function readResumeTargets(db: Database, ids: Iterable<number>): Map<number, ResumeTarget> {
  const rows = db.prepare(resumeColumns).all(JSON.stringify([...ids]));
  const targets = withBooleans<ResumeTarget & { askedId: number }>(rows, 'isGone');
  return new Map(targets.map((target) => [target.askedId, target]));
}
