// What the index says about itself: how much it holds, whether it keeps secrets out, and which folders it has seen.

import type { Database } from '../open/database.ts';

/** Kept as one row, because counting would walk through every session at every search. */
export interface IndexTotals {
  readonly sessions: number;
  /** Sessions in which something was said. */
  readonly spokenSessions: number;
  readonly messages: number;
  readonly textChars: number;
  readonly toolCalls: number;
}

export function readTotals(db: Database): IndexTotals {
  return db
    .prepare(
      'select sessions, spoken_sessions as spokenSessions, messages, text_chars as textChars, tool_calls as toolCalls from total',
    )
    .get() as IndexTotals;
}

export interface AgentTotals {
  readonly agent: string;
  readonly sessions: number;
  readonly messages: number;
}

/**
 * The agents that something was read of. The archive is a folder of every agent whose files it could hold, without a file
 * that was read there.
 */
export const agentsRead =
  'select distinct agent from root where exists (select 1 from transcript where transcript.root_id = root.id)';

/** Where there are several agents, it walks through every session. */
export function readAgentTotals(db: Database): AgentTotals[] {
  const agents = db.prepare(agentsRead).pluck().all() as string[];
  const [agent, ...others] = agents;
  if (agent !== undefined && others.length === 0) {
    const { sessions, messages } = readTotals(db);
    return sessions === 0 ? [] : [{ agent, sessions, messages }];
  }
  return db
    .prepare(
      'select agent, count(*) as sessions, sum(message_count) as messages from session group by agent order by agent',
    )
    .all() as AgentTotals[];
}

/** The lowest and the highest id of a session: from the oldest to the newest. */
export interface SessionSpan {
  readonly first: number;
  readonly last: number;
}

export function readSessionSpan(db: Database): SessionSpan {
  return db
    .prepare(
      'select coalesce((select min(id) from session), 0) as first, coalesce((select max(id) from session), 0) as last',
    )
    .get() as SessionSpan;
}

/** Whether secrets are kept out of it. */
export function isRedacting(db: Database): boolean {
  return db.prepare('select is_redacting from setting').pluck().get() === 1;
}

/** Whether what tools were given and answered is indexed. */
export function keepsWork(db: Database): boolean {
  return db.prepare('select keeps_work from setting').pluck().get() === 1;
}

/** The folders of agents that it has seen. */
export function readRoots(db: Database): string[] {
  return db.prepare('select path from root').pluck().all() as string[];
}

export interface Project {
  readonly id: number;
  readonly path: string;
}

export function readProjects(db: Database): Project[] {
  return db.prepare('select id, path from project').all() as Project[];
}
