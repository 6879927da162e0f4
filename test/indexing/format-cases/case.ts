// One fact of docs/format.md and the home that shows it, and the index of a home in a form that is easy to write down.

import type { Selectable } from 'kysely';
import type { MessageTable, SessionTable, ToolCallTable } from '../../../src/store/schema.ts';
import type { TempHome } from '../../support/home.ts';
import { withStore } from '../../support/index-home.ts';

/** The sessions of most cases. */
export const A = 'aaaaaaaa-0000-4000-8000-00000000000a';
export const B = 'bbbbbbbb-0000-4000-8000-00000000000b';
export const C = 'cccccccc-0000-4000-8000-00000000000c';

export interface FormatCase {
  /** The folder in fixtures/cases. */
  readonly name: string;
  readonly fact: string;
  /** All sessions of the home, by id; of each, what the case is about. */
  readonly sessions: readonly Partial<SeenSession>[];
  readonly unknownTypes?: Readonly<Record<string, number>>;
  /** `file:line: reason` */
  readonly skipped?: readonly string[];
}

export interface SeenSession extends Omit<Selectable<SessionTable>, 'id'> {
  readonly project: string | null;
  /** `seq role kind: text`, with `~` before the kind of sidechain talk. */
  readonly messages: readonly string[];
  /** `seq name target`, with `!` at the end of failed ones. */
  readonly toolCalls: readonly string[];
  readonly times: readonly (string | null)[];
  /** How many sessions its conversation has, itself included. */
  readonly copies: number;
  readonly unknownByVersion: readonly string[];
}

export async function seeHome(home: TempHome): Promise<SeenSession[]> {
  return withStore(home, ({ db }) => {
    const sessions = db.prepare(`
      select session.*, project.path as project,
        (select count(*) from session other where other.conversation_id = session.conversation_id) as copies
      from session left join project on project.id = project_id order by native_id, slug`);
    const messages = db.prepare('select * from message where session_id = ? order by seq');
    const calls = db.prepare('select * from tool_call where session_id = ? order by id');
    const unknown = db.prepare('select * from unknown_type where transcript_id = ? order by type, version');
    return (sessions.all() as (SeenSession & { id: number })[]).map((session) => {
      const own = messages.all(session.id) as Selectable<MessageTable>[];
      return {
        ...session,
        messages: own.map(toMessageLine),
        times: own.map((message) => message.timestamp),
        toolCalls: (calls.all(session.id) as Selectable<ToolCallTable>[]).map(toCallLine),
        unknownByVersion: (
          unknown.all(session.transcript_id) as { type: string; version: string; count: number }[]
        ).map(({ type, version, count }) => `${type} ${version} ${count}`),
      };
    });
  });
}

function toMessageLine({ seq, role, kind, text, is_sidechain }: Selectable<MessageTable>): string {
  return `${seq} ${role} ${is_sidechain === 1 ? '~' : ''}${kind}: ${text}`;
}

function toCallLine({ seq, name, target, is_error }: Selectable<ToolCallTable>): string {
  return [seq, name, ...(target === null ? [] : [target]), ...(is_error === 1 ? ['!'] : [])].join(' ');
}
