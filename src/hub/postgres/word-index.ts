// The word index in PostgreSQL: what members have shared, as word-tables.ts keeps it. Questions of one turn travel together:
// values are written into the statements, since the driver sends one with parameters in two rounds and alone. What the filters
// let through is worked out by the first question and remembered by the connection.

import { UserError } from '../../errors.ts';
import { type FilterName, filterNames } from '../../filters.ts';
import { hint, recall } from '../../hints.ts';
import type { AgentName, SearchedPart, SessionKind, TitleSource } from '../../records.ts';
import { agents, type KindTraits, sessionKinds } from '../../records.ts';
import type {
  Expression,
  FilterValues,
  IndexTotals,
  ListLimits,
  MessageText,
  Newest,
  NewestLimits,
  Passages,
  Place,
  PointedCall,
  Relation,
  ScopeRequest,
  SessionFilters,
  SessionInfo,
  SessionsQuestion,
  SessionWithCopies,
  TermPlaces,
  ToolText,
  WordIndex,
  WordScope,
} from '../../store/word-index.ts';
import { toTokens } from '../../text/lexemes.ts';
import type { Form } from '../../text/occurrences.ts';
import { isCjk, toPairs, toStem } from '../../text/word-parts.ts';
import { readHub } from './carrier.ts';
import { type Address, connect, type Row, type Sql } from './connect.ts';
import { hubWordsVersion, type TextKind } from './word-tables.ts';

/** Messages are found with their place in the session, which only its own index could count. */
export interface HubWordIndex extends WordIndex {
  /** The place of a message, or of what its session says, that was read. */
  positionOf(id: number): number | null;
  /** Sessions by the version of their words, where that is not the one that is searched. */
  otherVersions(): Promise<readonly { readonly version: number; readonly sessions: number }[]>;
  projects(): Promise<readonly { readonly id: number; readonly path: string }[]>;
}

export interface HubSearch {
  readonly address: Address;
  readonly hubId: string;
  readonly machine: string;
  readonly signal: AbortSignal;
}

/**
 * All questions see one state of the hub, and none is asked before the first of `ask`: whether this is the hub that was joined is
 * learnt with its answer. The server stops when this program is gone, or no longer wants to know.
 */
export async function searchPostgres<T>(
  { address, hubId, machine, signal }: HubSearch,
  ask: (index: HubWordIndex) => Promise<T>,
): Promise<T> {
  const sql = await connect(address);
  // The server keeps to the limit of a question and stops when it is told to, if it still says anything.
  let giveUp = (_: unknown) => {};
  const silence = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const slow = new UserError('the hub took too long to answer', { code: 'hub-slow' });
  let timer = setTimeout(giveUp, 2 * (address.limitMs ?? 60_000), slow);
  const cancel = () => {
    sql.cancel?.();
    clearTimeout(timer);
    timer = setTimeout(giveUp, 1000, signal.reason);
  };
  signal.addEventListener('abort', cancel);
  try {
    return await Promise.race([silence, talk()]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await sql.close();
  }

  async function talk(): Promise<T> {
    const begun = sql.query(begin);
    const found = readHub(sql);
    const answer = ask(openPostgresWords(sql, machine));
    // What is wrong with the hub says more than what follows from it.
    for (const each of [answer, found, begun]) each.catch(() => {});
    let isBegun = false;
    try {
      await begun;
      isBegun = true;
      const hub = await found;
      if (hub.hubId !== hubId)
        throw new UserError('at this address is another hub than the one that this machine has joined', {
          code: 'another-hub',
        });
      if (!hub.isSearchable)
        throw new UserError('this hub only carries sessions: nobody searches on it', {
          code: 'hub-not-searchable',
          hint: hint`what it has brought is found here; its admin makes it searchable: ${recall('hub', 'setup', '<address>', '--searchable')}`,
        });
      return await answer;
    } finally {
      // After a failure others may still be on their way, and a connection that is closed meanwhile keeps the process for a minute.
      const wait = () => sql.query('rollback').catch(() => {});
      if (isBegun) await answer.then(() => {}, wait);
    }
  }
}

const begin = `begin isolation level repeatable read read only;
  do $$ begin perform set_config('client_connection_check_interval', '1000', false); exception when others then null; end $$`;

/** Without a setting of the server that could change what it means. */
function quote(text: string): string {
  return `E'${text.replaceAll('\0', '').toWellFormed().replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const numbers = (ids: readonly number[]) => `'{${ids.join(',')}}'::bigint[]`;
const texts = (list: readonly string[]) =>
  list.length === 0 ? "'{}'::text[]" : `array[${list.map(quote).join(',')}]`;
const split = (list: unknown) => (list == null || list === '' ? [] : String(list).split(',').map(Number));
const toText = (value: unknown) => (value == null ? null : String(value));

/** Of an agent that a newer recall knows, nothing could be said. */
const isKnown = (session: string) =>
  `${session}.agent in (${agents.map((agent) => `'${agent}'`).join(', ')})`;

function isOfKind(trait: keyof KindTraits, column: string): string {
  const kinds = Object.keys(sessionKinds).filter((kind) => sessionKinds[kind as SessionKind][trait]);
  return `${column} in (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
}

/** `machine` is this one, whose sessions are not those of another. */
export function openPostgresWords(sql: Sql, machine: string): HubWordIndex {
  const positions = new Map<number, number | null>();
  const noted = <T extends { readonly id: number }>(row: Row, as: T): T => {
    const { position } = factsOf(row);
    positions.set(as.id, Number.isSafeInteger(position) ? (position as number) : null);
    return as;
  };
  const engine: Engine = { sql, machine, noted };
  const sessions = (ids: readonly number[]) => readSessions(engine, ids);
  const countCopies = async (conversations: readonly number[]) => {
    if (conversations.length === 0) return new Map<number, number>();
    const rows = await sql.query(
      `select conversation, count(*) - 1 as copies from recall.word_session
      where conversation = any (${numbers(conversations)}) and version = ${hubWordsVersion} group by 1`,
    );
    return new Map(rows.map(({ conversation, copies }) => [Number(conversation), Number(copies)]));
  };
  return {
    scope: (request) => new PostgresScope(engine, request),
    totals: async () => {
      const [row] = await sql.query(
        `select count(*) as sessions, count(*) filter (where message_count > 0) as "spokenSessions",
          coalesce(sum(message_count), 0) as messages, coalesce(sum(text_chars), 0) as "textChars",
          coalesce(sum(tool_call_count), 0) as "toolCalls"
        from recall.word_session where version = ${hubWordsVersion}`,
      );
      const counts = Object.entries(row as Row).map(([name, count]) => [name, Number(count)]);
      return Object.fromEntries(counts) as IndexTotals;
    },
    messages: async (ids) => (await readTexts(engine, 'said', ids)).map((row) => noted(row, toMessage(row))),
    toolTexts: async (ids) =>
      (await readTexts(engine, 'done', ids)).map((row) => noted(row, toToolText(row))),
    listedSessions: async (ids) => {
      const infos = await sessions(ids);
      const copies = await countCopies(Array.from(infos.values(), ({ conversationId }) => conversationId));
      return ids.flatMap((id): SessionWithCopies[] => {
        const session = infos.get(id);
        return session === undefined ? [] : [{ session, copies: copies.get(session.conversationId) ?? 0 }];
      });
    },
    countCopies,
    sessions,
    nearWords: async (word, slack) => {
      const rows = await sql.query(`select word, texts from recall.near_words(${quote(word)}, ${slack})`);
      return rows.map((row) => ({ word: String(row.word), texts: Number(row.texts) }));
    },
    positionOf: (id) => positions.get(id) ?? null,
    otherVersions: async () => {
      const rows = await sql.query(
        `select version, count(*) as sessions from recall.word_session where version <> ${hubWordsVersion} group by 1 order by 1`,
      );
      return rows.map(({ version, sessions }) => ({ version: Number(version), sessions: Number(sessions) }));
    },
    projects: async () => {
      const rows = await sql.query(
        'select distinct project_id as id, project as path from recall.word_session where project is not null',
      );
      return rows.map(({ id, path }) => ({ id: Number(id), path: String(path) }));
    },
  };
}

interface Engine {
  readonly sql: Sql;
  readonly machine: string;
  /** Remembers the place of a text that was read. */
  readonly noted: <T extends { readonly id: number }>(row: Row, as: T) => T;
}

/** What is known of a text beside itself. Any member may have written anything there, with another recall or without one. */
type Facts = Readonly<Record<string, unknown>>;

const factsOf = ({ facts }: Row): Facts =>
  typeof facts === 'object' && facts !== null ? (facts as Facts) : {};

const onlyText = (value: unknown) => (typeof value === 'string' ? value : null);

function toTime(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function toMessage(row: Row): MessageText {
  const { uuid, role, kind, timestamp, isSidechain } = factsOf(row);
  return {
    id: Number(row.id),
    sessionId: Number(row.session),
    uuid: onlyText(uuid),
    kind: onlyText(kind) ?? 'prompt',
    timestamp: toTime(timestamp),
    isSidechain: isSidechain === true,
    role: role === 'assistant' ? role : 'user',
    text: toText(row.text) ?? '',
  };
}

function toToolText(row: Row): ToolText {
  const { kind, timestamp, tool, target, isError } = factsOf(row);
  const id = Number(row.id);
  return {
    ...{ id, sessionId: Number(row.session), messageId: id },
    timestamp: toTime(timestamp),
    tool: onlyText(tool),
    target: onlyText(target),
    isError: isError === true,
    kind: kind === 'tool-output' ? kind : 'tool-input',
    text: toText(row.text),
  };
}

function toCall(row: Row): PointedCall & { id: number } {
  const { tool, isError } = factsOf(row);
  const [id, target] = [Number(row.id), toText(row.text) ?? ''];
  const kind = /\s/.test(target) ? 'command' : 'file';
  const about = { id, messageId: id, sessionId: Number(row.session) };
  return { ...about, kind, tool: onlyText(tool) ?? '', target, isError: isError === true };
}

async function readTexts({ sql }: Engine, kind: TextKind, ids: readonly number[]): Promise<readonly Row[]> {
  if (ids.length === 0) return [];
  return sql.query(
    `select id, session, facts, text from recall.text where kind = '${kind}' and id = any (${numbers(ids)}) order by id`,
  );
}

/** A member says what he likes of his sessions, but not that they belong to those of others. */
const parentOf = (session: string, isAllowed: string) => `(select p.id from recall.word_session p
  where p.native_id = ${session}.parent_native_id and p.agent = ${session}.agent and p.member = ${session}.member
    and ${isOfKind('isParent', 'p.kind')} and ${isAllowed}
  order by p.machine = ${session}.machine desc, p.is_gone, p.id limit 1)`;

/** What a session is shown under. */
const ownerOf = (session: string, isAllowed: string) =>
  `case when ${isOfKind('isChild', `${session}.kind`)} then coalesce(${parentOf(session, isAllowed)}, ${session}.id) else ${session}.id end`;

async function readSessions(
  { sql, machine }: Engine,
  ids: readonly number[],
): Promise<Map<number, SessionInfo>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.query(
    `select s.*, (select min(agent) <> max(agent) from recall.word_session) as is_of_several,
      ${ownerOf('s', 'true')} as owner_id, nullif(s.member, current_user::text) as owner,
      case when s.machine::text <> ${quote(machine)} then m.name end as machine_name
    from recall.word_session s join recall.machine m on m.key = s.machine where s.id = any (${numbers(ids)})`,
  );
  return new Map(rows.map((row) => [Number(row.id), toSessionInfo(row)]));
}

function toSessionInfo(row: Row): SessionInfo {
  const tag = (toText(row.tag) ?? '').trim().toLowerCase().replaceAll(' ', '-');
  return {
    id: Number(row.id),
    agent: String(row.agent) as AgentName,
    isOfSeveral: row.is_of_several === true,
    nativeId: String(row.native_id),
    kind: (String(row.kind) in sessionKinds ? row.kind : 'main') as SessionKind,
    parentNativeId: toText(row.parent_native_id),
    ownerId: Number(row.owner_id),
    conversationId: Number(row.conversation),
    title: toText(row.title),
    titleSource: String(row.title_source) as TitleSource,
    labels: { name: null, isStarred: false, tags: tag === '' ? [] : [tag], notes: [] },
    summary: toText(row.summary),
    firstPrompt: toText(row.first_prompt),
    project: toText(row.project),
    branch: toText(row.branch),
    branchedFrom: toText(row.branched_from),
    subagentType: toText(row.subagent_type),
    subagentDescription: toText(row.subagent_description),
    prNumber: row.pr_number == null ? null : Number(row.pr_number),
    prRepository: toText(row.pr_repository),
    createdAt: toTime(row.created_at),
    modifiedAt: toTime(row.modified_at),
    messageCount: Number(row.message_count),
    textChars: Number(row.text_chars),
    toolCallCount: Number(row.tool_call_count),
    slug: toText(row.slug),
    firstCwd: toText(row.first_cwd),
    lastCwd: toText(row.last_cwd),
    relocatedCwd: toText(row.relocated_cwd),
    isDeleted: row.is_gone === true,
    importedOn: null,
    machine: toText(row.machine_name),
    owner: toText(row.owner),
  };
}

/** A condition on sessions by the name of their table; `words` is the same of texts, as SQL that gives a tsquery as text. */
interface Condition {
  readonly sql: (s: string) => string;
  readonly words?: string;
}

type Conditions = {
  /** Null if the filter is not a condition on sessions. */
  readonly [Name in FilterName]: ((value: FilterValues[Name]) => Condition) | null;
};

/** In lexemes of the server a quotation mark ends nothing. */
const lexeme = (text: string) => `'=${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const noLexeme = `'=none'`;
const holds = (column: string, text: string) => `strpos(lower(${column}), lower(${quote(text)})) > 0`;
const anyOf = (letter: string, column: string, from: string) =>
  `coalesce((select string_agg('''=${letter}' || ${column} || '''', ' | ') from recall.${from}), ${quote(noLexeme)})`;

const conditions: Conditions = {
  project: (ids) => ({
    sql: (s) => `(${s}.project_id = any (${numbers(ids)}) or ${s}.parent_project_id = any (${numbers(ids)}))`,
    words: quote(ids.map((id) => lexeme(`p${id}`)).join(' | ') || noLexeme),
  }),
  since: (time) => ({ sql: (s) => `${s}.modified_at >= ${quote(time)}` }),
  until: (time) => ({ sql: (s) => `${s}.created_at <= ${quote(time)}` }),
  branch: (text) => ({ sql: (s) => holds(`${s}.branch`, text) }),
  role: null,
  model: (text) => ({
    sql: (s) => `exists (select from unnest(${s}.models) model where ${holds('model', text)})`,
  }),
  file: (path) => ({
    sql: (s) => `(${s}.id in (${touchingFile(path)}) or (${s}.member, ${s}.agent, ${s}.native_id) in (
      select c.member, c.agent, c.parent_native_id from recall.word_session c where c.id in (${touchingFile(path)})))`,
  }),
  agent: (agent) => ({ sql: (s) => `${s}.agent = ${quote(agent)}`, words: quote(lexeme(`a${agent}`)) }),
  machine: (text) => ({
    sql: (s) => `${s}.machine in (select key from recall.machine where ${holds('name', text)})`,
    words: anyOf('m', 'key', `machine where ${holds('name', text)}`),
  }),
  owner: (text) => ({
    sql: (s) => `lower(${s}.member) = lower(${quote(text)})`,
    words: anyOf('o', 'role_name', `member where lower(role_name) = lower(${quote(text)})`),
  }),
  kind: (kind) => ({ sql: (s) => `${s}.kind = ${quote(kind)}`, words: quote(lexeme(`k${kind}`)) }),
  tag: (tag) => ({ sql: (s) => `replace(lower(trim(${s}.tag)), ' ', '-') = ${quote(tag)}` }),
  // Stars and notes are a person's own, and not here.
  is: () => ({ sql: () => 'false' }),
  has: () => ({ sql: () => 'false' }),
  in: null,
};

function touchingFile(file: string): string {
  const path = file
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/(.)\/+$/, '$1');
  const isAbsolute = path.startsWith('/') || /^[A-Za-z]:(\/|$)/.test(path);
  const tail = isAbsolute ? path : `/${path}`;
  const folder = tail.endsWith('/') ? tail : `${tail}/`;
  const target = "replace(c.text, '\\', '/')";
  return `select c.session from recall.text c where c.kind = 'call'
    and strpos(c.text, ${quote(path.slice(path.lastIndexOf('/') + 1))}) > 0
    and (${target} = ${quote(path)} or right(${target}, length(${quote(tail)})) = ${quote(tail)}
      or strpos(${target}, ${quote(folder)}) > 0)`;
}

function toConditions<Name extends FilterName>(name: Name, { only, without }: SessionFilters): Condition[] {
  const write = conditions[name];
  if (write === null) return [];
  const value = only[name];
  const negated: readonly FilterValues[Name][] = name === 'file' ? [] : (without[name] ?? []);
  return [
    ...(value === undefined ? [] : [write(value as FilterValues[Name])]),
    // A column without a value does not match.
    ...negated.map(write).map(({ sql, words }) => ({
      sql: (s: string) => `(${sql(s)}) is not true`,
      ...(words === undefined ? {} : { words: `'!(' || ${words} || ')'` }),
    })),
  ];
}

let scopes = 0;

class PostgresScope implements WordScope {
  private readonly engine: Engine;
  private readonly request: ScopeRequest;
  private readonly all: readonly Condition[];
  private readonly part: SearchedPart | null;
  private readonly hasRole: boolean;
  /** Names the settings of the connection that hold what the filters let through. */
  private readonly name = `s${++scopes}`;
  private resolved: Promise<unknown> | null = null;

  constructor(engine: Engine, request: ScopeRequest) {
    const { filters } = request;
    this.engine = engine;
    this.request = request;
    this.all = filterNames.flatMap((name) => toConditions(name, filters));
    this.part = filters.only.in ?? null;
    this.hasRole = filters.only.role !== undefined;
  }

  async list(terms: readonly Expression[], limits: ListLimits): Promise<TermPlaces[]> {
    const { messages, toolTexts, toolTextsCounted, toolCalls, named } = limits;
    const kinds = { said: messages, done: toolTexts, count: toolTextsCounted, call: toolCalls, name: named };
    const found = await this.listPlaces(terms, { ...kinds, called: named });
    return found.map((of) => {
      const places = (kind: TextKind) => toPlaces(of.get(kind));
      const sessions = (kind: string) => split(of.get(kind)?.sessions);
      const said = places('said');
      const done = places('done');
      const areMessagesCut = said.length === messages;
      const areToolTextsCut = done.length === toolTexts;
      const counts = areToolTextsCut && toolTextsCounted > 0 ? split(of.get('count')?.ids) : null;
      const counted =
        counts === null
          ? countEach(done.map(({ sessionId }) => sessionId))
          : new Map(sessions('count').map((id, i) => [id, counts[i] ?? 0]));
      const calls = sessions('call');
      const names = sessions('name');
      return {
        messages: said,
        areMessagesCut,
        coveredShare: areMessagesCut ? Number(of.get('said')?.share ?? 1) : 1,
        toolTexts: done,
        areToolTextsCut,
        toolTextCounts: counted,
        areToolTextCountsCut:
          counts === null ? areToolTextsCut : counts.reduce((sum, n) => sum + n, 0) === toolTextsCounted,
        toolCalls: calls,
        areToolCallsCut: calls.length === toolCalls,
        named: names,
        isNamedCut: names.length === (areMessagesCut ? Math.min(maxNamedOfCommon, named) : named),
        called: sessions('called'),
      };
    });
  }

  async best(expression: Expression, limit: number): Promise<Place[]> {
    if (!this.has('said')) return [];
    const query = new Queries();
    const terms = 'any' in expression ? expression.any : [expression];
    const rows = await this.ask(
      `select id, session from recall.best_places(${query.write(terms)}, ${query.stems()}, ${this.filter}, ${limit}, ${this.scope})`,
    );
    return rows.map(({ id, session }) => ({ id: Number(id), sessionId: Number(session) }));
  }

  async newest(expression: Expression, limits: NewestLimits): Promise<Newest> {
    const { messages: said, toolTexts: done, named: name } = limits;
    const [of] = (await this.listPlaces([expression], { said, done, name })) as [Found];
    return {
      messages: toPlaces(of.get('said')),
      toolTexts: toPlaces(of.get('done')),
      named: split(of.get('name')?.sessions),
    };
  }

  async relations(ids: readonly number[], listsSubagents: boolean): Promise<Relation[]> {
    if (ids.length === 0) return [];
    const owner = listsSubagents ? 's.id' : ownerOf('s', this.isIn('p'));
    const rows = await this.ask(
      `select s.id, o.id as owner, o.conversation, o.modified_at from recall.word_session s
      join recall.word_session o on o.id = ${owner} where s.id = any (${numbers(ids)}) and ${isKnown('s')}`,
    );
    return rows.map(({ id, owner, conversation, modified_at }) => ({
      id: Number(id),
      ownerId: Number(owner),
      conversationId: Number(conversation),
      modifiedAt: toTime(modified_at),
    }));
  }

  async hold(questions: readonly SessionsQuestion[], enough: number): Promise<boolean[]> {
    const each = questions.flatMap(({ sessions, terms }) =>
      terms.map((term) => ({ sessions, terms: [term] })),
    );
    const found = await this.firstTexts(each, ['said', 'done', 'call'], 1);
    const holding = new Set(found.map(({ question }) => Number(question)));
    let [at, count] = [0, 0];
    return questions.map(({ terms }) => {
      const isHeld = terms.map(() => holding.has(at++)).every(Boolean);
      if (count >= enough) return true;
      if (isHeld) count++;
      return isHeld;
    });
  }

  async passages(questions: readonly SessionsQuestion[], limit: number): Promise<Passages[]> {
    const { noted } = this.engine;
    const rows = await this.firstTexts(questions, ['said', 'done'], limit);
    return questions.map((_, i) => {
      const of = (kind: TextKind) => rows.filter((row) => Number(row.question) === i && row.kind === kind);
      return {
        messages: of('said').map((row) => noted(row, toMessage(row))),
        toolTexts: of('done').map((row) => noted(row, toToolText(row))),
      };
    });
  }

  async calls(questions: readonly SessionsQuestion[]): Promise<(PointedCall | undefined)[]> {
    const rows = await this.firstTexts(questions, ['call'], 1);
    return questions.map((_, i) => {
      const row = rows.find(({ question }) => Number(question) === i);
      return row === undefined ? undefined : this.engine.noted(row, toCall(row));
    });
  }

  async recent(limit: number, withSubagents: boolean) {
    const { role } = this.request.filters.only;
    const spoke = `exists (select from recall.sessions_with(${quote(lexeme(`r${role}`))}, '{}', '{said}') w where w = s.id)`;
    const newest = `select distinct on (s.conversation) s.id, s.modified_at, s.is_gone from recall.word_session s
      where ${this.isIn('s')} and ${withSubagents ? 'true' : isOfKind('isListed', 's.kind')} and ${role === undefined ? 'true' : spoke}
      order by s.conversation, s.modified_at desc, s.is_gone, s.id desc`;
    const rows = await this.ask(
      `with newest as materialized (${newest}) select id, (select count(*) from newest) as total from newest
      order by modified_at desc, is_gone, id desc limit ${limit}`,
    );
    return { ids: rows.map(({ id }) => Number(id)), total: Number(rows[0]?.total ?? 0) };
  }

  async startingWith(prefix: string, limit: number): Promise<number[]> {
    if (prefix === '') return [];
    const rows = await this.ask(
      `select id from recall.word_session s where starts_with(native_id, ${quote(prefix)})
        and native_id ~>=~ ${quote(prefix)} and ${this.isIn('s')}
      order by is_gone, modified_at desc limit ${limit}`,
    );
    return rows.map(({ id }) => Number(id));
  }

  private has(kind: string): boolean {
    const { part, hasRole } = this;
    if (kind === 'said') return part !== 'done';
    if (kind === 'name' || kind === 'called') return !hasRole && part !== 'done';
    return !hasRole && part !== 'said';
  }

  private async listPlaces(terms: readonly Expression[], limits: Readonly<Record<string, number>>) {
    const kinds = Object.keys(limits).filter((kind) => this.has(kind));
    const found = terms.map((): Found => new Map());
    if (terms.length === 0 || kinds.length === 0) return found;
    const query = new Queries();
    const rows = await this.ask(
      `select * from recall.list_places(${query.write(terms)}, ${query.stems()}, ${this.filter}, ${texts(kinds)},
        '{${kinds.map((kind) => limits[kind]).join(',')}}', ${this.scope})`,
    );
    for (const row of rows) found[Number(row.term) - 1]?.set(String(row.kind), row);
    return found;
  }

  private async firstTexts(
    questions: readonly SessionsQuestion[],
    wanted: readonly TextKind[],
    limit: number,
  ): Promise<readonly Row[]> {
    const kinds = wanted.filter((kind) => this.has(kind));
    if (questions.length === 0 || kinds.length === 0) return [];
    const query = new Queries();
    const asked = questions.map(({ sessions, terms }) => ({ sessions, query: query.toText({ any: terms }) }));
    const role = this.hasRole ? lexeme(`r${this.request.filters.only.role}`) : '';
    return this.ask(
      `select * from recall.first_texts(${quote(JSON.stringify(asked))}, ${query.stems()}, ${quote(role)}, ${texts(kinds)}, ${limit})`,
    );
  }

  private get versions(): readonly string[] {
    const version = String(hubWordsVersion);
    return this.request.filters.includeAll ? [version, `${version}h`] : [version];
  }

  private get setting() {
    const read = (what: string) => `nullif(current_setting('recall.${this.name}_${what}', true), '')`;
    return {
      filter: `coalesce(${read('filter')}, '')`,
      only: `${read('only')}::bigint[]`,
      not: `${read('not')}::bigint[]`,
    };
  }

  private get filter(): string {
    return this.isNarrowed ? this.setting.filter : "''";
  }

  private get scope(): string {
    const { only, not } = this.isNarrowed ? this.setting : { only: 'null', not: 'null' };
    return `${texts(this.versions)}, ${only}, ${not}`;
  }

  private get isNarrowed(): boolean {
    const { filters, excluded } = this.request;
    const some = [this.all, excluded, filters.excludedNativeIds, filters.without.file ?? []];
    return this.hasRole || some.some(({ length }) => length > 0);
  }

  /** Whether the filters let a session through. */
  private isIn(session: string): string {
    const own = this.all.map(({ sql }) => sql(session));
    const not = this.isNarrowed ? `coalesce(${session}.id <> all (${this.setting.not}), true)` : 'true';
    const visible = this.request.filters.includeAll ? 'true' : `not ${session}.is_hidden`;
    return [`${session}.version = ${hubWordsVersion}`, isKnown(session), visible, ...own, not].join(' and ');
  }

  /** Together with the statement that works out the scope, if that is the first. */
  private async ask(statement: string): Promise<readonly Row[]> {
    const { sql } = this.engine;
    if (this.isNarrowed) this.resolved ??= sql.query(this.toResolving());
    const [, rows] = await Promise.all([this.resolved, sql.query(statement)]);
    return rows;
  }

  private toResolving(): string {
    const { filters, excluded, listsSubagents } = this.request;
    const { role } = filters.only;
    const words = this.all.flatMap((condition) => (condition.words === undefined ? [] : [condition.words]));
    if (role !== undefined) words.push(quote(lexeme(`r${role}`)));
    const filter = words.map((each) => `'(' || ${each} || ')'`).join(` || ' & ' || `);
    const visible = filters.includeAll ? 'true' : 'not s.is_hidden';
    const own = [`s.version = ${hubWordsVersion}`, visible, ...this.all.map(({ sql }) => sql('s'))].join(
      ' and ',
    );
    const areAllWords = this.all.every((condition) => condition.words !== undefined);
    const only = areAllWords ? "''" : `array(select s.id from recall.word_session s where ${own})::text`;
    const query = new Queries();
    const kinds = this.part === 'done' ? ['done', 'call'] : this.hasRole ? ['said'] : ['said', 'name'];
    const holding = excluded.map(
      (term) =>
        `select recall.sessions_with(${quote(query.toText(term))}, ${query.stems()}, ${texts(kinds)})`,
    );
    const families = [
      ...(listsSubagents ? [] : holding),
      ...(filters.without.file ?? []).map(touchingFile),
    ].map(
      (ids) => `select r.id from (select distinct s.member, s.agent, coalesce(
          (select p.native_id from recall.word_session p where p.native_id = s.parent_native_id and p.agent = s.agent
            and p.member = s.member limit 1), s.native_id) as native_id
        from recall.word_session s where s.id in (${ids})) family
      join recall.word_session r on r.agent = family.agent and r.member = family.member and family.native_id in (r.native_id, r.parent_native_id)`,
    );
    const native = filters.excludedNativeIds.map(
      (id) =>
        `select s.id from recall.word_session s where ${quote(id)} in (s.native_id, s.parent_native_id)`,
    );
    const not = [...(listsSubagents ? holding : []), ...families, ...native];
    const set = (what: string, value: string) => `set_config('recall.${this.name}_${what}', ${value}, false)`;
    const left = not.length === 0 ? "''" : `array(${not.join(' union ')})::text`;
    return `select ${set('filter', filter || "''")} is null, ${set('only', only)} is null, ${set('not', left)} is null`;
  }
}

type Found = Map<string, Row>;

/** How many sessions a common word names are listed. */
const maxNamedOfCommon = 50;

function toPlaces(row: Row | undefined): Place[] {
  const sessions = split(row?.sessions);
  return split(row?.ids).map((id, i) => ({ id, sessionId: sessions[i] as number }));
}

function countEach(sessions: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const session of sessions) counts.set(session, (counts.get(session) ?? 0) + 1);
  return counts;
}

/** What no text holds. */
const nothing = "'~'";

/** Expressions as PostgreSQL writes them. `'~stem'` stands for all words of that stem, which the server knows. */
export class Queries {
  private readonly found = new Set<string>();

  write(terms: readonly Expression[]): string {
    return texts(terms.map((term) => this.toText(term)));
  }

  /** Ask when all is written. */
  stems(): string {
    return texts([...this.found]);
  }

  toText(expression: Expression): string {
    return this.toQuery(expression) ?? nothing;
  }

  private toQuery(expression: Expression): string | null {
    if ('forms' in expression)
      return join(
        expression.forms.map((form) => this.toForm(form)),
        ' | ',
      );
    if ('any' in expression)
      return join(
        expression.any.map((part) => this.toQuery(part)),
        ' | ',
      );
    const parts = expression.all.map((part) => this.toQuery(part));
    return parts.includes(null) ? null : join(parts, ' & ');
  }

  private toForm({ tokens, match }: Form): string | null {
    if (match === 'cjk') {
      const runs = tokens.map((run) => (isCjk(run) ? toPairsQuery(run) : toPhrase(toTokens(run))));
      return runs.includes(null) ? null : join(runs, ' & ');
    }
    const words = toTokens(tokens.join(' '));
    if (match === 'prefix') return toPhrase(words, ':*');
    const [word = ''] = words;
    if (match !== 'stem' || words.length !== 1) return toPhrase(words);
    const stem = toStem(word);
    this.found.add(stem);
    return [...new Set([word, stem, `~${stem}`])].map((each) => `'${each}'`).join(' | ');
  }
}

function join(parts: readonly (string | null)[], operator: string): string | null {
  const written = parts.filter((part) => part !== null);
  return written.length === 0 ? null : written.map((part) => `(${part})`).join(operator);
}

function toPhrase(words: readonly string[], end = ''): string | null {
  return words.length === 0 ? null : `${words.map((word) => `'${word}'`).join(' <-> ')}${end}`;
}

/** A single character is the start of a pair. In a longer run, the last character alone adds nothing to the pairs. */
function toPairsQuery(run: string): string | null {
  const pairs = toPairs(run).flatMap(toTokens);
  return pairs.length === 1 ? toPhrase(pairs, ':*') : toPhrase(pairs.slice(0, -1));
}
