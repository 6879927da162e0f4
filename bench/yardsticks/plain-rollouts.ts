// Yardstick: an index of Codex's rollouts as one would write it in an afternoon. One thread, whole files, every line parsed,
// what was said inserted row by row, and a trigger that feeds the full-text table.
// Arguments: the folder of rollouts, the database to make.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/open/database.ts';

interface Line {
  readonly payload?: {
    readonly item?: {
      readonly type?: string;
      readonly content?: unknown;
      readonly aggregated_output?: unknown;
    };
  };
}

const [root = '', target = ''] = process.argv.slice(2);
const db = openDatabase(target);
db.pragma('journal_mode = wal');
db.exec(`
  create table message (id integer primary key, session text, role text, text text);
  create virtual table message_fts using fts5 (text, content = 'message', content_rowid = 'id');
  create trigger message_insert after insert on message begin
    insert into message_fts (rowid, text) values (new.id, new.text);
  end;`);
const insert = db.prepare('insert into message (session, role, text) values (?, ?, ?)');

const insertRollout = db.transaction((path: string) => {
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    const { item } = (JSON.parse(text) as Line).payload ?? {};
    const said = item === undefined ? '' : toText(item.content) || String(item.aggregated_output ?? '');
    if (said !== '') insert.run(path, String(item?.type), said);
  }
});

function toText(content: unknown): string {
  return Array.isArray(content)
    ? content.map((block: { text?: unknown }) => String(block.text)).join('\n')
    : '';
}

for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.jsonl')) insertRollout(join(root, name));
db.close();
