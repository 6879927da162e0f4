// What the index knows of this machine's own sessions and their texts, for a hub on which others search for them.

import type { WordForms } from '../../text/words.ts';
import { type Database, withBooleans } from '../open/database.ts';
import { isMessageOf, isToolCallOf, isToolTextOf, messageId } from '../row-ids.ts';
import type { SessionInfo } from '../word-index.ts';
import { listSessionWords } from '../write/words.ts';
import { readSessions } from './sessions.ts';
import { openWordIndex } from './sqlite-word-index.ts';

export interface OwnTranscript {
  readonly id: number;
  readonly agent: SessionInfo['agent'];
  readonly root: string;
  readonly path: string;
  /** Differs when more of it, or something else, was read. */
  readonly state: string;
  readonly isHidden: boolean;
  readonly tag: string | null;
  readonly models: string;
  /** What it was called before a person gave it a name of his own. */
  readonly ownTitle: string | null;
  readonly parentProject: string | null;
  /** The first session of its conversation. */
  readonly conversation: string;
}

export function readOwnTranscripts(db: Database): OwnTranscript[] {
  const sql = `select session.id, session.agent, root.path as root, transcript.path,
      transcript.fingerprint || ' ' || transcript.bytes_read || ' ' || transcript.parser_version as state,
      session.is_hidden as isHidden, session.tag, session.models, coalesce(custom_title, named_title, ai_title) as ownTitle,
      (select project.path from session parent join project on project.id = parent.project_id
        where parent.native_id = session.parent_native_id and parent.agent = session.agent limit 1) as parentProject,
      coalesce((select other.native_id from session other where other.conversation_id = session.conversation_id
        order by other.created_at is null, other.created_at, other.native_id limit 1), session.native_id) as conversation
    from session join transcript on transcript.id = session.transcript_id join root on root.id = session.root_id
    where root.machine_id = 0 order by session.id`;
  return withBooleans<OwnTranscript>(db.prepare(sql).all(), 'isHidden');
}

export interface SharedText {
  readonly kind: 'said' | 'done' | 'call';
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const textsAtOnce = 200;

/** All texts of a session in their order, each kind for itself. */
export async function* readSharedTexts(db: Database, sessionId: number): AsyncGenerator<SharedText> {
  const index = openWordIndex(db);
  const list = (sql: string) => db.prepare(sql).pluck().all({ sessionId }) as number[];
  const messages = list(`select id from message where ${isMessageOf('@sessionId')} order by id`);
  let [reached, from] = [0, 0];
  /** The number of the last message up to a line; asked in ascending order. */
  const positionAt = (id: number) => {
    if (id < from) reached = 0;
    from = id;
    while (reached < messages.length && (messages[reached] as number) <= id) reached++;
    return reached;
  };
  for (let i = 0; i < messages.length; i += textsAtOnce)
    for (const { id, text, uuid, role, kind, timestamp, isSidechain } of await index.messages(
      messages.slice(i, i + textsAtOnce),
    )) {
      const facts = { uuid, role, kind, timestamp, isSidechain, position: positionAt(id) };
      yield { kind: 'said', text, facts };
    }
  const toolTexts = list(`select id from work where ${isToolTextOf('@sessionId')} order by id`);
  for (let i = 0; i < toolTexts.length; i += textsAtOnce)
    for (const { messageId, text, kind, timestamp, tool, target, isError } of await index.toolTexts(
      toolTexts.slice(i, i + textsAtOnce),
    )) {
      const facts = { kind, timestamp, tool, target, isError, position: positionAt(messageId) };
      if (text !== null) yield { kind: 'done', text, facts };
    }
  const calls = db
    .prepare(
      `select ${messageId('session_id', 'seq')} as messageId, name as tool, target, is_error as isError
      from tool_call where ${isToolCallOf('@sessionId')} and target is not null order by id`,
    )
    .all({ sessionId });
  type Call = { messageId: number; tool: string; target: string; isError: boolean };
  for (const { messageId, tool, target, isError } of withBooleans<Call>(calls, 'isError'))
    yield { kind: 'call', text: target, facts: { tool, isError, position: positionAt(messageId) } };
}

export function readSharedSessions(db: Database, ids: readonly number[]): ReadonlyMap<number, SessionInfo> {
  return readSessions(db, ids);
}

/** The texts that a session is found by as a whole, and of these the ones that it is called by. Tags and notes are not shared. */
export function listSharedNames(session: SessionInfo, tag: string | null, forms: WordForms) {
  const words = listSessionWords(
    { ...session, tag, projectPath: session.project, labelText: null, otherTitle: null },
    forms,
  );
  const [title = '', summary = '', firstPrompt = '', context = '', parts = ''] = words;
  return { all: [title, summary, firstPrompt, context], called: [title, summary, context], parts };
}
