// What a finished index says of itself: how much it holds, how large it is, and what could be asked of it.

import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Queries } from './home/queries.ts';
import type { Measure } from './measure.ts';

export interface IndexFacts {
  readonly sessions: number;
  readonly messages: number;
  /** What was said, and the targets of tools, in UTF-8. */
  readonly textBytes: number;
  readonly fileBytes: number;
}

export function readIndex(path: string): IndexFacts {
  const db = new Database(path, { readonly: true });
  try {
    const read = (sql: string) => Number(db.prepare(sql).pluck().get());
    const bytes = (table: string, column: string) =>
      read(`select coalesce(sum(length(cast(${column} as blob))), 0) from ${table}`);
    return {
      sessions: read('select count(*) from session'),
      messages: read('select count(*) from message'),
      textBytes: bytes('message', 'text') + bytes('tool_call', 'target'),
      fileBytes: statSync(path).size,
    };
  } finally {
    db.close();
  }
}

export function toSizeMeasure({ fileBytes, textBytes }: IndexFacts): Measure {
  const name = `index, ${(fileBytes / 1e6).toFixed(0)} MB`;
  const ratios = [{ yardstick: 'text', ratio: fileBytes / textBytes }];
  return { id: 'index-size', name, isProgram: false, ms: null, peakMb: null, ratios };
}

/** For homes that nobody made: a word that stands in a few messages, two such, three, and the commonest words. */
export function readQueries(path: string): Queries {
  const db = new Database(path);
  try {
    db.exec("create virtual table temp.word using fts5vocab ('main', 'message_fts', 'row')");
    const words = (where: string, limit: number) =>
      db
        .prepare(`select term from temp.word where term glob '[a-z]*' and ${where} limit ${limit}`)
        .pluck()
        .all();
    const rare = words('doc between 2 and 4 and length(term) between 6 and 12', 3) as string[];
    const common = words("term not glob '*[^a-z]*' and length(term) > 2 order by doc desc", 5) as string[];
    return { selective: rare.map((_, i) => rare.slice(0, i + 1).join(' ')), common: common.join(' ') };
  } finally {
    db.close();
  }
}
