// Yardstick: the index as one would write it in an afternoon. One thread, whole files, every line parsed, what was
// said and what tools were given and answered inserted row by row, and a trigger that feeds the full-text table. The work of
// tools is cut as recall cuts it, so that both index the same text.
// Arguments: the Claude folder, the database to make.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { cutToolText, toInputText, toOutputText } from '../../src/sources/transcript/tool-call.ts';
import { openDatabase } from '../../src/store/open/database.ts';
import { listTranscripts } from './list-transcripts.ts';

interface Line {
  readonly type?: unknown;
  readonly isMeta?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly content?: unknown };
}

const [root = '', target = ''] = process.argv.slice(2);
const db = openDatabase(target);
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
    if (line === null) continue;
    for (const [role, said] of toTexts(line))
      if (said !== '') insert.run(session, role, String(line.timestamp), said);
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

interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly input?: unknown;
  readonly content?: unknown;
}

/** What was said, and what tools were given and answered; the rest of the rules would only make it slower. */
function toTexts({ type, isMeta, message }: Line): (readonly [role: string, text: string])[] {
  if ((type !== 'user' && type !== 'assistant') || isMeta === true) return [];
  const content = message?.content;
  if (typeof content === 'string') return [[type, content]];
  if (!Array.isArray(content)) return [];
  const of = (kind: string) => (content as Block[]).filter((block) => block?.type === kind);
  return [
    [type, joinTexts(of('text'))],
    ...of('tool_use').map(({ input }) => ['input', cutToolText(toInputText(input), false)] as const),
    ...of('tool_result').map((result) => ['output', cutToolText(toOutput(result.content), true)] as const),
  ];
}

function toOutput(content: unknown): string {
  if (Array.isArray(content)) return toOutputText(joinTexts(content as Block[]));
  return typeof content === 'string' ? toOutputText(content) : '';
}

function joinTexts(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n\n');
}

/** Claude Code's own agents repeat their parents, so that no index wants them. */
const machinery = /^agent-(acompact|aprompt_suggestion|aside_question)-/;

for (const path of listTranscripts(root)) if (!machinery.test(basename(path))) insertTranscript(path);
db.close();
