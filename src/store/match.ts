// The only SQL that says MATCH: asks the full-text tables which messages, tool calls and sessions hold some words.
// What the words are and what a match is worth is decided in search/.

import type Database from 'better-sqlite3';
import { sessionOfMessage, sessionOfToolCall } from './row-ids.ts';

/** Narrows what is looked at: sessions by id, messages by who spoke. */
export interface Scope {
  /** SQL over the session table that selects the ids looked at, with its named parameters. */
  readonly sessions: string;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  readonly role: 'user' | 'assistant' | null;
}

export interface MatchedMessage {
  readonly id: number;
  readonly sessionId: number;
}

export interface SessionCount {
  readonly sessionId: number;
  readonly count: number;
}

const messageRole =
  "(select role || iif(kind in ('recap', 'task'), ' machine', '') from message where id = message_fts.rowid) = @role";

export class Matcher {
  private readonly db: Database.Database;
  private readonly scope: Scope;

  constructor(db: Database.Database, scope: Scope) {
    this.db = db;
    this.scope = scope;
  }

  /** The best messages by FTS5's own measure, best first. The text column counts most: it holds the exact words. */
  matchMessages(expression: string, limit: number, within?: readonly number[]): MatchedMessage[] {
    const only =
      within === undefined
        ? ''
        : `and ${sessionOfMessage('rowid')} in (select value from json_each(@within))`;
    return this.all<MatchedMessage>(
      `select rowid as id, ${sessionOfMessage('rowid')} as sessionId from message_fts
      where message_fts match @expression and ${this.inScope(sessionOfMessage('rowid'))} ${this.ofRole()} ${only}
      order by bm25(message_fts, 1.0, 0.6, 0.8) limit @limit`,
      { expression, limit, ...(within === undefined ? {} : { within: JSON.stringify(within) }) },
    );
  }

  /** In which sessions a term stands, and in how many of their messages. */
  countBySession(expression: string): SessionCount[] {
    return this.all<SessionCount>(
      `select ${sessionOfMessage('rowid')} as sessionId, count(*) as count from message_fts
      where message_fts match @expression and ${this.inScope(sessionOfMessage('rowid'))} ${this.ofRole()}
      group by sessionId`,
      { expression },
    );
  }

  /** Sessions named by a term in their title, summary, first prompt or surroundings. */
  matchSessions(expression: string, limit: number): number[] {
    if (this.scope.role !== null) return [];
    return this.all<{ id: number }>(
      `select rowid as id from session_fts where session_fts match @expression and ${this.inScope('+rowid')}
      order by bm25(session_fts, 4.0, 3.0, 2.0, 1.0, 1.0, 1.0) limit @limit`,
      { expression, limit },
    ).map((row) => row.id);
  }

  /** Sessions whose tools were pointed at something with this term in it, and how often. */
  countToolCalls(expression: string): SessionCount[] {
    if (this.scope.role !== null) return [];
    return this.all<SessionCount>(
      `select ${sessionOfToolCall('rowid')} as sessionId, count(*) as count from tool_call_fts
      where tool_call_fts match @expression and ${this.inScope(sessionOfToolCall('rowid'))} group by sessionId`,
      { expression },
    );
  }

  /** Those of these sessions that the filters let through. */
  keepInScope(ids: readonly number[]): Set<number> {
    const rows = this.all<{ id: number }>(
      `select value as id from json_each(@ids) where value in (${this.scope.sessions})`,
      { ids: JSON.stringify(ids) },
    );
    return new Set(rows.map((row) => row.id));
  }

  /** An expression rather than the bare row id, or SQLite runs the match once for every session in scope. */
  private inScope(session: string): string {
    return `${session} in (${this.scope.sessions})`;
  }

  private ofRole(): string {
    return this.scope.role === null ? '' : `and ${messageRole}`;
  }

  private all<T>(sql: string, parameters: Record<string, string | number>): T[] {
    const { role } = this.scope;
    return this.db
      .prepare(sql)
      .all({ ...this.scope.parameters, ...(role === null ? {} : { role }), ...parameters }) as T[];
  }
}

export interface MessageText {
  readonly id: number;
  readonly sessionId: number;
  readonly uuid: string | null;
  readonly role: 'user' | 'assistant';
  readonly kind: string;
  readonly timestamp: string | null;
  readonly text: string;
  readonly isSidechain: number;
}

export function readMessages(db: Database.Database, ids: readonly number[]): MessageText[] {
  return db
    .prepare(
      `select id, session_id as sessionId, uuid, role, kind, timestamp, text, is_sidechain as isSidechain
      from message where id in (select value from json_each(?))`,
    )
    .all(JSON.stringify(ids)) as MessageText[];
}

/** How much text there is, from the sessions' own counts. */
export interface CorpusSize {
  readonly sessions: number;
  readonly messages: number;
  readonly chars: number;
}

export function readCorpusSize(db: Database.Database): CorpusSize {
  return db
    .prepare(
      `select count(*) as sessions, coalesce(sum(message_count), 0) as messages, coalesce(sum(text_chars), 0) as chars
      from session where is_empty = 0`,
    )
    .get() as CorpusSize;
}
