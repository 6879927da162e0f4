// The words of the full-text index themselves, for near spellings.

import type { Database } from '../open/database.ts';

export interface VocabularyWord {
  readonly term: string;
  readonly documents: number;
}

/** Words of about the same length that begin with the same letter, or with the first two letters swapped. */
export function readVocabulary(db: Database, word: string, lengthSlack: number): VocabularyWord[] {
  db.exec(`create virtual table if not exists temp.message_vocabulary using fts5vocab(main, message_fts, row);
    create virtual table if not exists temp.session_vocabulary using fts5vocab(main, session_fts, row)`);
  const read = db.prepare(
    `select term, sum(doc) as documents from (
      select term, doc from temp.message_vocabulary where term >= @from and term < @to
      union all select term, doc from temp.session_vocabulary where term >= @from and term < @to)
    where length(term) between @least and @most group by term`,
  );
  const starts = new Set([word[0] ?? '', word[1] ?? '']);
  return [...starts].flatMap((start) => {
    const to = String.fromCodePoint((start.codePointAt(0) ?? 0) + 1);
    const least = word.length - lengthSlack;
    return read.all({ from: start, to, least, most: word.length + lengthSlack }) as VocabularyWord[];
  });
}
