// What a finished index says of itself: how much it holds, how large it is, and what could be asked of it.

import { existsSync, statSync } from 'node:fs';
import { openDatabase } from '../src/store/open/database.ts';
import type { Queries } from './home/queries.ts';
import type { Measure } from './measure.ts';

export interface IndexFacts {
  readonly sessions: number;
  readonly messages: number;
  readonly fileBytes: number;
}

export function readIndex(path: string): IndexFacts {
  const db = openDatabase(path, { readOnly: true });
  try {
    const read = (sql: string) => Number(db.prepare(sql).pluck().get());
    return {
      sessions: read('select count(*) from session'),
      messages: read('select count(*) from message'),
      fileBytes: statSync(path).size,
    };
  } finally {
    db.close();
  }
}

/** The text that is indexed, in UTF-8, is what the plain way has stored; null where that was not run. */
function readTextBytes(yardstickPath: string): number | null {
  if (!existsSync(yardstickPath)) return null;
  const db = openDatabase(yardstickPath, { readOnly: true });
  try {
    return Number(db.prepare('select sum(length(cast(text as blob))) from message').pluck().get());
  } finally {
    db.close();
  }
}

export function toSizeMeasure(
  { fileBytes }: IndexFacts,
  transcriptBytes: number,
  yardstickPath: string,
): Measure {
  const name = `index, ${(fileBytes / 1e6).toFixed(0)} MB`;
  const textBytes = readTextBytes(yardstickPath);
  const ratios = [
    { yardstick: 'transcripts', ratio: fileBytes / transcriptBytes },
    ...(textBytes === null ? [] : [{ yardstick: 'text', ratio: fileBytes / textBytes }]),
  ];
  return { id: 'index-size', name, isProgram: false, ms: null, peakMb: null, ratios };
}

/** For homes that nobody made: a word that occurs in a few messages, two such, three, and the commonest words. */
export function readQueries(path: string): Queries {
  const db = openDatabase(path);
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
