// Indexes a temporary home in this process and looks at what was stored.

import { wipeSettled } from '../../src/api/archive/forget.ts';
import type { ReaderThreads } from '../../src/indexing/reader.ts';
import type { IndexReport } from '../../src/indexing/report.ts';
import { updateIndex } from '../../src/indexing/update-index.ts';
import type { Root } from '../../src/records.ts';
import { openDatabase } from '../../src/store/open/database.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';
import { type BlockRow, readToolTexts, unpackBlock } from '../../src/store/read/tool-texts.ts';
import { forgetSession, readFamily, type SessionKey } from '../../src/store/upkeep/privacy.ts';
import type { TempHome } from './home.ts';

export interface IndexOptions {
  readonly rebuild?: boolean;
  readonly roots?: readonly string[];
  /** Of any agents, in their place. */
  readonly at?: readonly Root[];
  readonly isTimeUp?: () => boolean;
  readonly trustFolders?: boolean;
  readonly nowMs?: number;
  readonly threads?: ReaderThreads;
}

/** Reading in this thread, as for a few files. */
export const noThreads: ReaderThreads = { workerPath: null, cores: 1 };

export async function indexHome(home: TempHome, options: IndexOptions = {}): Promise<IndexReport> {
  return withStore(home, (store) =>
    updateIndex(store, options.at ?? toRoots(options.roots ?? [home.claudeDir]), {
      rebuild: options.rebuild ?? false,
      signal: new AbortController().signal,
      onProgress: () => {},
      isTimeUp: options.isTimeUp ?? (() => false),
      isBounded: options.isTimeUp !== undefined,
      trustFolders: options.trustFolders ?? false,
      nowMs: options.nowMs ?? Date.now(),
      threads: options.threads ?? noThreads,
    }),
  );
}

/** Folders of Claude Code's. */
export function toRoots(paths: readonly string[]): Root[] {
  return paths.map((path) => ({ agent: 'claude', path }));
}

export async function withStore<T>(home: TempHome, use: (store: Store) => T | Promise<T>): Promise<T> {
  const store = await openStore(home.indexPath);
  try {
    return await use(store);
  } finally {
    store.close();
  }
}

/** As `forget` does, without the archive. */
export function forgetForGood(store: Store, key: SessionKey, forgottenAt: string) {
  const forgotten = forgetSession(store, readFamily(store, key), forgottenAt);
  return { ...forgotten, isWiped: wipeSettled(store) };
}

/** All texts of tools that are stored: compressed, so that a look at the bytes of the file does not find them. */
export function readStoredTexts(indexPath: string): string[] {
  const db = openDatabase(indexPath, { readOnly: true });
  try {
    return (db.prepare('select id, texts from tool_text').all() as BlockRow[])
      .flatMap(unpackBlock)
      .map(({ text }) => text);
  } finally {
    db.close();
  }
}

/** Rows of a query against the index. */
export async function rowsOf<T = Record<string, unknown>>(
  home: TempHome,
  sql: string,
  ...params: unknown[]
): Promise<T[]> {
  return withStore(home, (store) => store.db.prepare(sql).all(...params) as T[]);
}

/**
 * Everything the index says, without the numbers that depend on the order of writing, so that two indexes made in
 * different ways can be compared.
 */
export async function contentOf(home: TempHome) {
  return withStore(home, ({ db }) => {
    const all = (sql: string) => db.prepare(sql).all() as Record<string, unknown>[];
    const wordsOf = (table: string) => {
      db.exec(`create virtual table temp.v using fts5vocab(main, ${table}, row)`);
      const terms = all('select term, doc, cnt from temp.v order by term');
      db.exec('drop table temp.v');
      return terms;
    };
    const own = 'join session on session.id = session_id';
    return {
      sessions: all(`
        select native_id, kind, slug, parent_native_id, first_cwd, last_cwd, relocated_cwd, continued_in, branch, versions,
          models, first_timestamp, last_timestamp, first_prompt, last_prompt, title, title_source, summary, subagent_type,
          subagent_description, project.path as project, created_at, message_count, tool_call_count, is_empty, is_warmup,
          is_machinery, is_gone, is_unsettled,
          (select min(other.native_id || ifnull(other.slug, '')) from session other
            where other.conversation_id = session.conversation_id) as conversation
        from session left join project on project.id = project_id order by native_id, kind, slug, parent_native_id`),
      messages: all(`
        select native_id, session.slug, message.seq, uuid, role, message.kind, timestamp, text, is_sidechain
        from message ${own} order by native_id, session.slug, session.kind, message.seq`),
      toolCalls: all(`
        select native_id, session.slug, tool_call.seq, name, target, is_error
        from tool_call ${own} order by native_id, session.slug, session.kind, tool_call.seq, name, target`),
      work: all(`
        select native_id, session.slug, work.seq, work.id & 127 as place, work.kind, at_ms, work.id, call_id & 63 as nth,
          (select seq || ' ' || name from tool_call where id = call_id) as call
        from work ${own} order by native_id, session.slug, session.kind, work.id`).map(
        ({ id, ...row }): Record<string, unknown> => ({
          ...row,
          text: readToolTexts(db, [Number(id)], String).get(Number(id)),
        }),
      ),
      transcripts: all(
        'select path, bytes_read, lines_read, state, skipped_lines from transcript order by path',
      ),
      unknown: all(
        'select type, version, sum(count) as n from unknown_type group by type, version order by 1, 2',
      ),
      words: {
        message: wordsOf('message_fts'),
        toolCall: wordsOf('tool_call_fts'),
        session: wordsOf('session_fts'),
        work: wordsOf('work_fts'),
      },
    };
  });
}
