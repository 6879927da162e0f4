// The word index in SQLite: the only SQL that says MATCH. It answers with places; what a place is worth is decided in search/.
// Every list is bounded: in a large index a common word occurs in hundreds of thousands of messages, and going through them
// would take seconds. FTS5 goes through rows in the order of their ids for nothing, so the newest of a word are cheap, and the
// best are not.

import type { Role } from '../../records.ts';
import type { Form } from '../../text/occurrences.ts';
import { isCjk, toPairs, toStem } from '../../text/word-parts.ts';
import { type Database, type Statement, withBooleans } from '../open/database.ts';
import {
  isMessageOf,
  isToolCallOf,
  isToolTextOf,
  messageId,
  sessionOfMessage,
  sessionOfToolCall,
  sessionOfToolText,
  toMessageIdOfToolText,
  toSeq,
  toSessionId,
  toSessionOfToolText,
} from '../row-ids.ts';
import type {
  Expression,
  ListLimits,
  MessageText,
  Newest,
  NewestLimits,
  Passages,
  Place,
  PointedCall,
  Relation,
  ScopeRequest,
  SessionsQuestion,
  TermPlaces,
  ToolText,
  WordIndex,
  WordScope,
} from '../word-index.ts';
import { readTotals } from './index-facts.ts';
import {
  inScope,
  isSaidBy,
  readScope,
  type Scope,
  scopeParameters,
  withFamilies,
  withoutSessions,
} from './scope.ts';
import {
  countCopies,
  findIdsStartingWith,
  readListed,
  readRecentIds,
  readRelations,
  readSessions,
} from './sessions.ts';
import { readToolTexts } from './tool-texts.ts';

/** What SQLite takes for no limit. */
const noLimit = -1;

export function openWordIndex(db: Database): WordIndex {
  return {
    scope: (request) => new SqliteScope(db, () => resolveScope(db, request)),
    totals: async () => readTotals(db),
    messages: async (ids) => readMessages(db, ids),
    toolTexts: async (ids) => describeToolTexts(db, ids),
    listedSessions: async (ids) => readListed(db, ids),
    countCopies: async (conversationIds) => countCopies(db, conversationIds),
    sessions: async (ids) => readSessions(db, ids),
    nearWords: async (word, lengthSlack) => readNearWords(db, word, lengthSlack),
  };
}

/** Exactly these sessions, including hidden ones. */
export function openSessionsScope(db: Database, ids: readonly number[], role: Role | null): SqliteScope {
  const scope: Scope = { only: ids, includeHidden: true, excluded: new Set(), role, part: null };
  return new SqliteScope(db, () => scope);
}

/** A line of a transcript with a term on it, in a message or in what a tool was given or printed. */
export interface FoundLine {
  readonly sessionId: number;
  readonly seq: number;
  readonly toolTextId: number | null;
}

function resolveScope(db: Database, { filters, excluded, listsSubagents }: ScopeRequest): Scope {
  const scope = readScope(db, filters);
  if (excluded.length === 0) return scope;
  const within = new SqliteScope(db, () => scope);
  const holding = excluded.flatMap((term) => within.everySessionWith(term));
  return withoutSessions(scope, listsSubagents ? holding : withFamilies(db, holding));
}

/** How many sessions a common word names are listed. */
const maxNamedOfCommon = 50;

/** Numbers are bound as floating point, and of a row id such a bound makes FTS5 go through all rows. */
const toInteger = (parameter: string) => `cast(${parameter} as integer)`;
const ofSession = toInteger('@sessionId');

type WordTable = 'message_fts' | 'work_fts' | 'tool_call_fts' | 'session_fts';

const selectFirst = (table: WordTable, within: string) =>
  `select rowid from ${table} where ${table} match @match and ${within} limit @limit`;

const selectNewest = (table: WordTable, within: string, selected = 'rowid') =>
  `select ${selected} as session from ${table} where ${table} match @match and ${within}
  order by rowid desc limit @limit`;

class SqliteScope implements WordScope {
  private readonly db: Database;
  private readonly resolve: () => Scope;
  private resolved: Scope | null = null;
  private bound: Record<string, string> | null = null;
  /** By their SQL: the questions are the same for every term. */
  private readonly prepared = new Map<string, Statement>();

  constructor(db: Database, resolve: () => Scope) {
    this.db = db;
    this.resolve = resolve;
  }

  async list(terms: readonly Expression[], limits: ListLimits): Promise<TermPlaces[]> {
    return terms.map((term) => this.listTerm(this.toMatch(term), limits));
  }

  /** Ties by the newest session, then in order. The text column counts most: it holds the exact words. */
  async best(expression: Expression, limit: number): Promise<Place[]> {
    if (!this.hasMessages) return [];
    const ids = this.all(
      `select rowid from message_fts
      where message_fts match @match and ${this.messagesInScope}
      order by bm25(message_fts, 1.0, 0.8), ${sessionOfMessage('rowid')} desc, rowid limit @limit`,
      { match: this.toMatch(expression), limit },
    );
    return toPlaces(ids, toSessionId);
  }

  async newest(expression: Expression, limits: NewestLimits): Promise<Newest> {
    const match = this.toMatch(expression);
    const ask = (limit: number, list: (match: string, limit: number) => number[]) =>
      limit === 0 ? [] : list.call(this, match, limit);
    return {
      messages: toPlaces(ask(limits.messages, this.newestMessages), toSessionId),
      toolTexts: toPlaces(ask(limits.toolTexts, this.newestToolTexts), toSessionOfToolText),
      named: ask(limits.named, this.newestNamed),
    };
  }

  async relations(ids: readonly number[], listsSubagents: boolean): Promise<Relation[]> {
    return readRelations(this.db, ids, this.scope, listsSubagents);
  }

  async hold(questions: readonly SessionsQuestion[], enough: number): Promise<boolean[]> {
    const matches = new Map<Expression, string>();
    for (const term of questions.flatMap(({ terms }) => terms))
      if (!matches.has(term)) matches.set(term, this.toMatch(term));
    let found = 0;
    return questions.map(({ sessions, terms }) => {
      if (found >= enough) return true;
      const isHeld = terms.every((term) => sessions.some((id) => this.holds(id, matches.get(term) ?? '')));
      if (isHeld) found++;
      return isHeld;
    });
  }

  async passages(questions: readonly SessionsQuestion[], limit: number): Promise<Passages[]> {
    return questions.map(({ sessions, terms }) => {
      const match = this.toMatch({ any: terms });
      const messages = sessions.flatMap((id) => this.messagesOf(id, match, limit)).slice(0, limit);
      const toolTexts = sessions.flatMap((id) => this.toolTextsOf(id, match, limit)).slice(0, limit);
      return { messages: readMessages(this.db, messages), toolTexts: describeToolTexts(this.db, toolTexts) };
    });
  }

  async calls(questions: readonly SessionsQuestion[]): Promise<(PointedCall | undefined)[]> {
    return questions.map(({ sessions, terms }) => {
      const match = this.toMatch({ any: terms });
      for (const id of sessions) {
        const [call] = this.callsOf(id, match);
        if (call !== undefined) return readCall(this.db, call);
      }
      return undefined;
    });
  }

  async recent(limit: number, withSubagents: boolean) {
    return readRecentIds(this.db, this.scope, limit, withSubagents);
  }

  async startingWith(prefix: string, limit: number): Promise<number[]> {
    return findIdsStartingWith(this.db, prefix, this.scope, limit);
  }

  /** Every session with the term in what was said or in its name; where only what was done is searched, in that. */
  everySessionWith(term: Expression): number[] {
    const match = this.toMatch(term);
    const [texts, others] = this.hasMessages
      ? [this.newestMessages(match, noLimit).map(toSessionId), this.newestNamed(match, noLimit)]
      : [this.newestToolTexts(match, noLimit).map(toSessionOfToolText), this.newestCalls(match, noLimit)];
    return [...new Set([...texts, ...others])];
  }

  everyLineWith(term: Expression): FoundLine[] {
    const match = this.toMatch(term);
    const toLine = (messageId: number, toolTextId: number | null) => {
      return { sessionId: toSessionId(messageId), seq: toSeq(messageId), toolTextId };
    };
    return [
      ...this.newestMessages(match, noLimit).map((id) => toLine(id, null)),
      ...this.newestToolTexts(match, noLimit).map((id) => toLine(toMessageIdOfToolText(id), id)),
    ];
  }

  private get scope(): Scope {
    this.resolved ??= this.resolve();
    return this.resolved;
  }

  private get parameters(): Record<string, string> {
    this.bound ??= scopeParameters(this.scope);
    return this.bound;
  }

  private get hasMessages(): boolean {
    return this.scope.part !== 'done';
  }

  private get hasNames(): boolean {
    return this.scope.role === null && this.scope.part !== 'done';
  }

  private get hasToolTexts(): boolean {
    return this.scope.role === null && this.scope.part !== 'said';
  }

  private listTerm(match: string, limits: ListLimits): TermPlaces {
    const messages = this.newestMessages(match, limits.messages);
    const areMessagesCut = messages.length === limits.messages;
    const toolTexts = this.newestToolTexts(match, limits.toolTexts);
    const areToolTextsCut = toolTexts.length === limits.toolTexts;
    const toolCalls = this.newestCalls(match, limits.toolCalls);
    const maxNamed = areMessagesCut ? Math.min(maxNamedOfCommon, limits.named) : limits.named;
    const named = this.newestNamed(match, maxNamed);
    const counted = areToolTextsCut ? this.countToolTexts(match, limits.toolTextsCounted) : null;
    return {
      messages: toPlaces(messages, toSessionId),
      areMessagesCut,
      coveredShare: areMessagesCut ? this.readCoveredShare(toSessionId(messages.at(-1) ?? 0)) : 1,
      toolTexts: toPlaces(toolTexts, toSessionOfToolText),
      areToolTextsCut,
      toolTextCounts: counted?.bySession ?? countEach(toolTexts.map(toSessionOfToolText)),
      areToolTextCountsCut: counted === null ? areToolTextsCut : counted.isCut,
      toolCalls,
      areToolCallsCut: toolCalls.length === limits.toolCalls,
      named,
      isNamedCut: named.length === maxNamed,
      called: this.newestNamed(`{title summary context} : (${match})`, limits.named),
    };
  }

  private newestMessages(match: string, limit: number): number[] {
    if (!this.hasMessages) return [];
    return this.all(selectNewest('message_fts', this.messagesInScope), { match, limit });
  }

  private newestToolTexts(match: string, limit: number): number[] {
    if (!this.hasToolTexts) return [];
    return this.all(selectNewest('work_fts', this.toolTextsInScope), { match, limit });
  }

  private newestNamed(match: string, limit: number): number[] {
    if (!this.hasNames) return [];
    const within = inScope(this.scope, '+session_fts.rowid');
    return this.all(selectNewest('session_fts', within), { match, limit });
  }

  private newestCalls(match: string, limit: number): number[] {
    if (!this.hasToolTexts) return [];
    const within = inScope(this.scope, sessionOfToolCall('tool_call_fts.rowid'));
    const sql = selectNewest('tool_call_fts', within, sessionOfToolCall('rowid'));
    return this.all(sql, { match, limit });
  }

  /** FTS5 goes through 100,000 of them in some ten milliseconds. */
  private countToolTexts(match: string, limit: number) {
    if (limit === 0) return null;
    const sessions = selectNewest('work_fts', this.toolTextsInScope, sessionOfToolText('rowid'));
    const sql = `select session, count(*) from (${sessions}) group by session order by session desc`;
    const read = this.prepare(sql).raw();
    const rows = read.all({ ...this.parameters, match, limit }) as [number, number][];
    const counted = rows.reduce((sum, [, count]) => sum + count, 0);
    return { bySession: new Map(rows), isCut: counted === limit };
  }

  /** The first messages of a session; for the last, FTS5 would go through all places of the words. */
  private messagesOf(sessionId: number, match: string, limit: number): number[] {
    if (!this.hasMessages) return [];
    const within = `${isMessageOf(ofSession, 'rowid')} and ${this.messagesInScope}`;
    return this.all(selectFirst('message_fts', within), { match, limit, sessionId });
  }

  private toolTextsOf(sessionId: number, match: string, limit: number): number[] {
    if (!this.hasToolTexts) return [];
    return this.all(selectFirst('work_fts', isToolTextOf(ofSession, 'rowid')), { match, limit, sessionId });
  }

  private callsOf(sessionId: number, match: string): number[] {
    if (!this.hasToolTexts) return [];
    const sql = selectFirst('tool_call_fts', isToolCallOf(ofSession, 'rowid'));
    return this.all(sql, { match, limit: 1, sessionId });
  }

  private holds(sessionId: number, match: string): boolean {
    return (
      this.messagesOf(sessionId, match, 1).length > 0 ||
      this.toolTextsOf(sessionId, match, 1).length > 0 ||
      this.callsOf(sessionId, match).length > 0
    );
  }

  /** By the ids of sessions, which rise with time. */
  private readCoveredShare(oldestListed: number): number {
    const read = this.db.prepare('select min(id), max(id) from session').raw();
    const [first, last] = read.get() as [number, number];
    return Math.min(1, Math.max(0.001, (last - oldestListed + 1) / Math.max(1, last - first + 1)));
  }

  /** For rows of message_fts. Not the bare row id, or SQLite runs the match once for every session in scope. */
  private get messagesInScope(): string {
    const { role } = this.scope;
    const within = inScope({ ...this.scope, includeHidden: true }, sessionOfMessage('message_fts.rowid'));
    if (role === null) return within;
    return `${within} and (select ${isSaidBy(role)} from message where id = message_fts.rowid)`;
  }

  private get toolTextsInScope(): string {
    return inScope(this.scope, sessionOfToolText('work_fts.rowid'));
  }

  private toMatch(expression: Expression): string {
    const forms = this.prepare('select word from word_form where stem = ?');
    return writeMatch(expression, (stem) => forms.all(stem) as string[]);
  }

  private all(sql: string, parameters: Record<string, string | number | null>): number[] {
    return this.prepare(sql).all({ ...this.parameters, ...parameters }) as number[];
  }

  private prepare(sql: string): Statement {
    let statement = this.prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql).pluck();
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}

function toPlaces(ids: readonly number[], toSession: (id: number) => number): Place[] {
  return ids.map((id) => ({ id, sessionId: toSession(id) }));
}

function countEach(sessions: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const session of sessions) counts.set(session, (counts.get(session) ?? 0) + 1);
  return counts;
}

/** How many words of one stem are searched for. English and most of Russian have fewer; made-up names may have any number. */
const maxWordForms = 48;

/** An FTS5 expression. Tokens are letters and digits, so quoting them is enough. */
export function writeMatch(expression: Expression, findWords: (stem: string) => readonly string[]): string {
  if ('forms' in expression) return expression.forms.map((form) => writeForm(form, findWords)).join(' OR ');
  const [parts, operator] = 'any' in expression ? [expression.any, ' OR '] : [expression.all, ' AND '];
  return parts.map((part) => `(${writeMatch(part, findWords)})`).join(operator);
}

function writeForm({ tokens, match }: Form, findWords: (stem: string) => readonly string[]): string {
  const phrase = quote(tokens.join(' '));
  switch (match) {
    case 'exact':
    case 'symbol':
      return phrase;
    case 'prefix':
      return `${phrase} *`;
    case 'stem': {
      const [word = ''] = tokens;
      const stem = toStem(word);
      const words = [...new Set([word, stem, ...findWords(stem)])].slice(0, maxWordForms);
      return words.map(quote).join(' OR ');
    }
    case 'cjk':
      return `(${tokens.map(writeRun).join(' AND ')})`;
  }
}

function writeRun(run: string): string {
  if (!isCjk(run)) return quote(run);
  const pairs = toPairs(run);
  // A single character is the start of a pair. In a longer run, the last character alone adds nothing to the pairs.
  return pairs.length === 1 ? `part : ${quote(run)} *` : `part : ${quote(pairs.slice(0, -1).join(' '))}`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll('\0', '')}"`;
}

function readMessages(db: Database, ids: readonly number[]): MessageText[] {
  if (ids.length === 0) return [];
  const sql = `select id, session_id as sessionId, uuid, role, kind, timestamp, text, is_sidechain as isSidechain
  from message where id in (select value from json_each(?))`;
  const rows = db.prepare(sql).all(JSON.stringify(ids));
  return withBooleans(rows, 'isSidechain');
}

function describeToolTexts(db: Database, ids: readonly number[]): ToolText[] {
  if (ids.length === 0) return [];
  const sql = `select work.id, work.session_id as sessionId, work.kind, work.at_ms as atMs, tool_call.name as tool, tool_call.target,
    coalesce(tool_call.is_error, 0) as isError
  from work left join tool_call on tool_call.id = work.call_id
  where work.id in (select value from json_each(?))`;
  const rows = db.prepare(sql).all(JSON.stringify(ids));
  const texts = readToolTexts(db, ids);
  return withBooleans<ToolText & { atMs: number | null }>(rows, 'isError').map(({ atMs, ...row }) => ({
    ...row,
    messageId: toMessageIdOfToolText(row.id),
    timestamp: atMs === null ? null : new Date(atMs).toISOString(),
    text: texts.get(row.id) ?? null,
  }));
}

function readCall(db: Database, id: number): PointedCall {
  const sql = `select ${messageId('session_id', 'seq')} as messageId, session_id as sessionId, name as tool, target,
    is_error as isError from tool_call where id = cast(? as integer)`;
  const rows = db.prepare(sql).all(id);
  const [call] = withBooleans<PointedCall>(rows, 'isError') as [PointedCall];
  // A command has arguments; a path has none.
  return { ...call, kind: /\s/.test(call.target) ? 'command' : 'file' };
}

/** Words that start with the same letter, or with the first two letters swapped. */
function readNearWords(db: Database, word: string, lengthSlack: number): { word: string; texts: number }[] {
  db.exec(`create virtual table if not exists temp.message_vocabulary using fts5vocab(main, message_fts, row);
    create virtual table if not exists temp.session_vocabulary using fts5vocab(main, session_fts, row)`);
  const read = db.prepare(
    `select term as word, sum(doc) as texts from (
      select term, doc from temp.message_vocabulary where term >= @from and term < @to
      union all select term, doc from temp.session_vocabulary where term >= @from and term < @to)
    where length(term) between @least and @most group by term`,
  );
  const starts = new Set([word[0] ?? '', word[1] ?? '']);
  return [...starts].flatMap((from) => {
    const to = String.fromCodePoint((from.codePointAt(0) ?? 0) + 1);
    const [least, most] = [word.length - lengthSlack, word.length + lengthSlack];
    return read.all({ from, to, least, most }) as { word: string; texts: number }[];
  });
}
