// The words a session is found by beyond those of its messages, and the words of the index by their stem. Stems are only added:
// a word that no longer occurs finds nothing. They are cleaned up when a session is forgotten, since a word may reveal it.

import type { TitleSource } from '../../records.ts';
import { toStem } from '../../text/word-parts.ts';
import { toPartTokens, toSearchable, type WordForms } from '../../text/words.ts';
import type { Database, Statement } from '../open/database.ts';

const maxAdded = 50_000;

export class WordFormWriter {
  private readonly insert: Statement;
  /** Readers report a word again when they have forgotten it, and each of them reports it once. */
  private readonly added = new Set<string>();

  constructor(db: Database) {
    this.insert = db.prepare('insert into word_form (stem, word) values (?, ?) on conflict do nothing');
  }

  add(words: readonly string[]): void {
    for (const word of words) {
      if (this.added.has(word)) continue;
      if (this.added.size >= maxAdded) this.added.clear();
      this.added.add(word);
      this.insert.run(toStem(word), word);
    }
  }
}

const tables = ['message_fts', 'tool_call_fts', 'session_fts', 'work_fts'];

export function dropUnusedForms(db: Database): void {
  withWords(db, () => {
    const used = tables.map((table) => `select term from temp.${table}_words`).join(' union ');
    db.exec(`delete from word_form where word not in (${used})`);
  });
}

export function findUsedWords(db: Database, words: readonly string[]): string[] {
  return withWords(db, () => {
    const found = tables
      .map((table) => `select 1 from temp.${table}_words where term = @word`)
      .join(' union all ');
    const isUsed = db.prepare(`select exists (${found})`).pluck();
    return words.filter((word) => isUsed.get({ word }) === 1);
  });
}

/** With tables of all words while `use` runs. */
function withWords<T>(db: Database, use: () => T): T {
  for (const table of tables)
    db.exec(`create virtual table temp.${table}_words using fts5vocab(main, ${table}, row)`);
  try {
    return use();
  } finally {
    for (const table of tables) db.exec(`drop table temp.${table}_words`);
  }
}

export interface NamedSession {
  readonly title: string | null;
  readonly titleSource: TitleSource;
  readonly summary: string | null;
  readonly firstPrompt: string | null;
  readonly projectPath: string | null;
  readonly branch: string | null;
  readonly tag: string | null;
  readonly subagentType: string | null;
  readonly subagentDescription: string | null;
  readonly prRepository: string | null;
  readonly prNumber: number | null;
  /** Tags and notes, which are searched like a first prompt. */
  readonly labelText: string | null;
  /** The agent's own title of a session that a person gave another name. */
  readonly otherTitle: string | null;
}

export type StoredLabel = Readonly<Record<'field' | 'value', string>>;

export function toLabelText(labels: readonly StoredLabel[]): string {
  return labels
    .map(({ field, value }) => (field === 'note' ? value : field.startsWith('tag:') ? field.slice(4) : ''))
    .join('\n');
}

/** `insert or replace`, because a session is settled more than once. The values after the id are those of listSessionWords. */
export const insertSessionWords = `
  insert or replace into session_fts (rowid, title, summary, first_prompt, context, part) values (?, ?, ?, ?, ?, ?)`;

export function listSessionWords(session: NamedSession, forms: WordForms): string[] {
  const context = [
    session.projectPath,
    session.branch,
    session.tag,
    session.subagentType,
    session.subagentDescription,
    session.prRepository,
    session.prNumber === null ? null : `#${session.prNumber}`,
  ].filter((part) => part !== null);
  const words = [
    // A first prompt has a column of its own.
    session.titleSource === 'first-prompt' ? '' : (session.title ?? ''),
    session.summary ?? '',
    [session.firstPrompt, session.labelText, session.otherTitle].filter(Boolean).join('\n'),
    context.join('\n'),
  ];
  return [...words.map(toSearchable), toPartTokens(words.join('\n'), forms)];
}
