// Takes secrets out of an index that did not keep them out, from then on and in what is stored.

import { redact, redactCut } from '../../text/redact.ts';
import type { Database } from '../open/database.ts';
import type { Store } from '../open/open-store.ts';
import { condition, query, run } from '../open/typed-query.ts';
import { isMessageOf } from '../row-ids.ts';
import type { Tables } from '../schema.ts';
import { saveTotals } from '../write/settlement.ts';
import { wipe } from './wipe.ts';
import { fillWords } from './words-index.ts';
import { redactWork } from './work-text.ts';

/** Every column that holds what people, assistants or files beside the transcripts said. All but messages may have been cut. */
const texts = {
  message: ['text'],
  tool_call: ['target'],
  summary: ['text'],
  hint: ['first_prompt', 'summary', 'custom_title'],
  sidecar: ['custom_title', 'subagent_description'],
  session: [
    'own_first_prompt',
    'own_last_prompt',
    'custom_title',
    'named_title',
    'ai_title',
    'title',
    'summary',
    'hinted_first_prompt',
    'subagent_description',
  ],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

/** What is stored stays as it is. */
export function stopRedacting(db: Database): void {
  run(db, query.updateTable('setting').set({ is_redacting: 0 }));
}

export interface Redacted {
  /** Rows in which a secret was found. */
  readonly rows: number;
  /** As wipe() has it. */
  readonly isWiped: boolean;
}

/** From now on, and in all that is stored already. The caller holds the index lock; sessions are settled by the next update. */
export async function startRedacting(store: Store): Promise<Redacted> {
  const { db } = store;
  const define = (name: string, clean: (text: string) => string) =>
    db.function(name, { deterministic: true }, (text) => (typeof text === 'string' ? clean(text) : text));
  define('redact', redact);
  define('redact_cut', redactCut);
  db.pragma('secure_delete = on');
  db.exec('begin immediate');
  let rows = 0;
  try {
    rows = await takeOut(db);
    db.exec('commit');
  } catch (error) {
    if (db.inTransaction) db.exec('rollback');
    throw error;
  }
  return { rows, isWiped: rows === 0 || wipe(store) };
}

async function takeOut(db: Database): Promise<number> {
  run(db, query.updateTable('setting').set({ is_redacting: 1 }));
  let rows = redactWork(db);
  for (const [table, columns] of Object.entries(texts)) {
    const clean = table === 'message' ? 'redact' : 'redact_cut';
    for (const column of columns)
      rows += db
        .prepare(
          `update ${table} set ${column} = ${clean}(${column}) where ${column} is not ${clean}(${column})`,
        )
        .run().changes;
  }
  if (rows === 0) return 0;
  // The next update settles every session: it must not think that it has nothing to do.
  const chars = query
    .selectFrom('message')
    .select((q) => q.fn.coalesce(q.fn.sum<number>(q.fn('length', ['text'])), q.lit(0)).as('n'))
    .where(condition(isMessageOf('session.id', 'message.id')));
  run(db, query.updateTable('session').set({ is_unsettled: 1, text_chars: chars }));
  run(db, query.deleteFrom('snapshot'));
  saveTotals(db);
  await fillWords(db);
  return rows;
}
