// Yardstick: the index as one would write it in an afternoon. One thread, whole files, every line parsed, what was
// said inserted row by row, and a trigger that feeds the full-text table.
// Arguments: the Claude folder, the database to make.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import Database from 'better-sqlite3';
import { listTranscripts } from './list-transcripts.ts';

interface Line {
  readonly type?: unknown;
  readonly isMeta?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly content?: unknown };
}

const [root = '', target = ''] = process.argv.slice(2);
const db = new Database(target);
db.pragma('journal_mode = wal');
db.exec(`
  create table message (id integer primary key, session text, role text, timestamp text, text text);
  create virtual table message_fts using fts5 (text, content = 'message', content_rowid = 'id');
  create trigger message_insert after insert on message begin
    insert into message_fts (rowid, text) values (new.id, new.text);
  end;`);
const insert = db.prepare('insert into message (session, role, timestamp, text) values (?, ?, ?, ?)');

const insertTranscript = db.transaction((path: string) => {
  const session = basename(path, '.jsonl');
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    const line = parse(text);
    const said = line === null ? '' : toText(line);
    if (line !== null && said !== '') insert.run(session, String(line.type), String(line.timestamp), said);
  }
});

function parse(text: string): Line | null {
  if (text === '') return null;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null;
  }
}

/** What the person or the assistant said; the rest of the rules would only make it slower. */
function toText({ type, isMeta, message }: Line): string {
  if ((type !== 'user' && type !== 'assistant') || isMeta === true) return '';
  const content = message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter((block: { type?: unknown }) => block.type === 'text')
    .map((block: { text?: unknown }) => String(block.text))
    .join('\n\n');
}

/** Claude Code's own agents repeat their parents, so that no index wants them. */
const machinery = /^agent-(acompact|aprompt_suggestion|aside_question)-/;

for (const path of listTranscripts(root)) if (!machinery.test(basename(path))) insertTranscript(path);
db.close();
