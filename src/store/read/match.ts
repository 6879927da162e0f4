// The only SQL that says MATCH: asks the full-text tables which messages, tool calls and sessions hold some words.
// What the words are and what a match is worth is decided in search/. Every question is bounded: in a large index a
// common word occurs in hundreds of thousands of messages, and going through them would take seconds.

import type { Database, Statement } from '../open/database.ts';
import {
  isToolCallOf,
  isWorkOf,
  messageId,
  sessionFactor,
  sessionOfMessage,
  sessionOfToolCall,
  sessionOfWork,
  toSessionId,
  toSessionOfWork,
} from '../row-ids.ts';
import { inScope, isSaidBy, type Scope, scopeParameters } from './scope.ts';

export interface Listed {
  readonly ids: readonly number[];
  /** There may be more. */
  readonly isCut: boolean;
}

/** As SQLite writes it. */
export const noLimit = -1;

/** Numbers are bound as floating point, and of a row id such a bound makes FTS5 go through all rows. */
const toInteger = (parameter: string) => `cast(${parameter} as integer)`;

export class Matcher {
  private readonly db: Database;
  private readonly scope: Scope;
  private readonly parameters: Record<string, string | number | null>;
  /** Every term asks the same questions. */
  private readonly prepared = new Map<string, Statement>();

  constructor(db: Database, scope: Scope) {
    this.db = db;
    this.scope = scope;
    this.parameters = scopeParameters(scope);
  }

  /** Ids of the newest messages that match, the newest first. */
  listMessages(expression: string, limit: number): Listed {
    if (this.scope.part === 'done') return { ids: [], isCut: false };
    const ids = this.all(
      `select rowid from message_fts where message_fts match @expression ${this.ofMessages()}
      order by rowid desc limit @limit`,
      { expression, limit },
    );
    return { ids, isCut: ids.length === limit };
  }

  /**
   * Every session that holds a match in what was said or in what it is called; where only what was done is searched, in that.
   */
  listSessions(expression: string): number[] {
    if (this.scope.part === 'done') {
      const work = this.listWorkIds(expression, noLimit).map(toSessionOfWork);
      return [...new Set([...work, ...this.listToolCalls(expression, noLimit)])];
    }
    const { ids } = this.listMessages(expression, noLimit);
    return [...new Set([...ids.map(toSessionId), ...this.listNamed(expression, noLimit)])];
  }

  /**
   * The best messages by FTS5's own measure, best first; ties by the newest session, then in order. The text column counts most: it holds the exact words. FTS5 goes
   * through every place of every word for this, so it is not for words that occur everywhere.
   */
  bestMessages(expression: string, limit: number): number[] {
    if (this.scope.part === 'done') return [];
    return this.all(
      `select rowid from message_fts
      where message_fts match @expression ${this.ofMessages()}
      order by bm25(message_fts, 1.0, 0.8), ${sessionOfMessage('rowid')} desc, rowid limit @limit`,
      { expression, limit },
    );
  }

  /** The first messages of a session that match; for the last, FTS5 would go through all places of the words. */
  listMessagesOf(sessionId: number, expression: string, limit: number): number[] {
    if (this.scope.part === 'done') return [];
    return this.all(
      `select rowid from message_fts
      where message_fts match @expression and rowid between ${toInteger('@from')} and ${toInteger('@to')}
      ${this.ofMessages()} limit @limit`,
      { expression, limit, from: sessionId * sessionFactor, to: (sessionId + 1) * sessionFactor - 1 },
    );
  }

  /** The newest sessions named by a match in their title, summary, first prompt or surroundings. */
  listNamed(expression: string, limit: number): number[] {
    if (this.scope.role !== null || this.scope.part === 'done') return [];
    return this.all(
      `select rowid from session_fts where session_fts match @expression and ${inScope(this.scope, '+session_fts.rowid')}
      order by rowid desc limit @limit`,
      { expression, limit },
    );
  }

  /** Of these, the best, and of sessions older than `from` none. */
  bestNamed(expression: string, limit: number, from = 0): number[] {
    if (this.scope.role !== null || this.scope.part === 'done') return [];
    return this.all(
      `select rowid from session_fts
      where session_fts match @expression and rowid >= ${toInteger('@from')} and ${inScope(this.scope, '+session_fts.rowid')}
      order by bm25(session_fts, 4.0, 3.0, 2.0, 1.0, 1.0) limit @limit`,
      { expression, limit, from },
    );
  }

  /** The sessions of the newest tool calls that were pointed at something with a match in it, one for each call. */
  listToolCalls(expression: string, limit: number): number[] {
    if (this.scope.role !== null || this.scope.part === 'said') return [];
    return this.all(
      `select ${sessionOfToolCall('rowid')} from tool_call_fts
      where tool_call_fts match @expression and ${inScope(this.scope, sessionOfToolCall('tool_call_fts.rowid'))}
      order by rowid desc limit @limit`,
      { expression, limit },
    );
  }

  /** Whether a tool call of a session was pointed at something with a match in it. */
  hasCall(sessionId: number, expression: string): boolean {
    if (this.scope.role !== null || this.scope.part === 'said') return false;
    return this.listCallIds(sessionId, expression, 1).length > 0;
  }

  /** The first tool calls of a session that were pointed at something with a match in it. */
  listCallsOf(sessionId: number, expression: string, limit: number): CallRow[] {
    const ids = this.listCallIds(sessionId, expression, limit);
    const rows = this.db
      .prepare(
        `select ${messageId('session_id', 'seq')} as messageId, session_id as sessionId, name as tool, target,
          is_error as isError from tool_call where id in (select value from json_each(?))`,
      )
      .all(JSON.stringify(ids)) as Omit<CallRow, 'kind'>[];
    // A command has arguments; a path has none.
    return rows.map((row) => ({ ...row, kind: /\s/.test(row.target) ? 'command' : 'file' }));
  }

  private listCallIds(sessionId: number, expression: string, limit: number): number[] {
    return this.all(
      `select rowid from tool_call_fts
      where tool_call_fts match @expression and ${isToolCallOf(toInteger('@sessionId'), 'rowid')} limit @limit`,
      { expression, limit, sessionId },
    );
  }

  /**
   * Work texts that match, the newest first, each with FTS5's own measure: BM25 with the length of the text taken into
   * account. Not for words that are in very many, since FTS5 goes through all of them to weigh one.
   */
  weighWork(expression: string): readonly (readonly [id: number, bm25: number])[] {
    if (this.scope.role !== null || this.scope.part === 'said') return [];
    return this.prepare(`select rowid, -bm25(work_fts, 1.0, 0.8) from work_fts ${this.ofWork()}`)
      .raw()
      .all({ ...this.parameters, expression, limit: noLimit }) as [number, number][];
  }

  /** How many of the newest work texts that match are in each session, the newest session first. */
  countWork(expression: string, limit: number): readonly (readonly [session: number, count: number])[] {
    if (this.scope.role !== null || this.scope.part === 'said') return [];
    return this.prepare(
      `select session, count(*) from (select ${sessionOfWork('rowid')} as session from work_fts ${this.ofWork()})
      group by session order by session desc`,
    )
      .raw()
      .all({ ...this.parameters, expression, limit }) as [number, number][];
  }

  /** The first work texts of a session that match. */
  listWorkOf(sessionId: number, expression: string, limit: number): number[] {
    if (this.scope.role !== null || this.scope.part === 'said') return [];
    return this.all(
      `select rowid from work_fts
      where work_fts match @expression and ${isWorkOf(toInteger('@sessionId'), 'rowid')} limit @limit`,
      { expression, limit, sessionId },
    );
  }

  /** The newest, and of texts before `from` none. */
  listWorkIds(expression: string, limit: number, from = 0): number[] {
    if (this.scope.role !== null || this.scope.part === 'said') return [];
    const since = `rowid >= ${toInteger('@from')}`;
    return this.all(`select rowid from work_fts ${this.ofWork(since)}`, { expression, limit, from });
  }

  /** Words of the index that have this stem and are not it. */
  findForms(stem: string): string[] {
    return this.prepare('select word from word_form where stem = ?').all(stem) as string[];
  }

  /** Those of these sessions that the filters let through. */
  keepInScope(ids: readonly number[]): Set<number> {
    return new Set(
      this.all(`select value from json_each(@ids) where ${inScope(this.scope, 'value')}`, {
        ids: JSON.stringify(ids),
      }),
    );
  }

  /**
   * The filters, for rows of message_fts. Of hidden sessions only warm-ups have messages, and these are left out one by one.
   * An expression rather than the bare row id, or SQLite runs the match once for every session in scope.
   */
  private ofMessages(): string {
    const { role } = this.scope;
    return [
      `and ${inScope({ ...this.scope, includeHidden: true }, sessionOfMessage('message_fts.rowid'))}`,
      role === null ? '' : `and (select ${isSaidBy(role)} from message where id = message_fts.rowid)`,
    ].join(' ');
  }

  /** The newest work texts that match and that the filters let through. */
  private ofWork(since = 'true'): string {
    return `where work_fts match @expression and ${since}
      and ${inScope(this.scope, sessionOfWork('work_fts.rowid'))}
      order by rowid desc limit @limit`;
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

/** A tool call that is known by what it was pointed at. */
export interface CallRow {
  /** The id that a message on its line would have. */
  readonly messageId: number;
  readonly sessionId: number;
  readonly kind: 'file' | 'command';
  readonly tool: string;
  readonly target: string;
  readonly isError: number;
}
