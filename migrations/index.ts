// The list of migrations, oldest first. Static, because a bundled program has no migrations folder to read. A migration
// that has landed is never edited: a test compares its hash.

import type { Kysely } from 'kysely';
import * as createIndex from './0001_create_index.ts';
import * as addWorkText from './0002_add_work_text.ts';
import * as indexQueuedMessages from './0003_index_queued_messages.ts';
import * as storeToolTexts from './0004_store_tool_texts.ts';
import * as finishForgetting from './0005_finish_forgetting.ts';
import * as sayWhereSessionsComeFrom from './0006_say_where_sessions_come_from.ts';
import * as nameMachines from './0007_name_machines.ts';
import * as labelSessions from './0008_label_sessions.ts';

export interface MigrationOptions {
  readonly signal?: AbortSignal | undefined;
  /** How much of it is done, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

export interface Migration {
  /**
   * Runs in a transaction; throwing undoes all of it. One that takes long works in pages, and between two of them reports
   * its progress, lets the event loop run and looks at the signal.
   */
  up(db: Kysely<unknown>, options: MigrationOptions): Promise<void>;
}

export const migrations: readonly Migration[] = [
  createIndex,
  addWorkText,
  indexQueuedMessages,
  storeToolTexts,
  finishForgetting,
  sayWhereSessionsComeFrom,
  nameMachines,
  labelSessions,
];
