// recall __complete: what may stand at the cursor, for the scripts that `recall completion` prints. Called while someone
// types, so it reads what is indexed and no more, makes no index, and has nothing to say when something is wrong.
//
// The first line is `words`, `files` or `directories`; the last two leave it to the shell. After `words` comes one line
// for each: the word, a tab, and what it is.

import type { Command } from 'commander';
import type { Context } from '../command-line/context.ts';
import { type Candidate, type Expected, findExpected } from '../command-line/find-expected.ts';
import { unquoteWord } from '../command-line/unquote-word.ts';
import { toIndexPath } from '../config.ts';
import { EXIT_OK } from '../errors.ts';
import { clip } from '../render/columns.ts';
import { toPrintableLine } from '../text/printable.ts';

const descriptionColumns = 72;

export async function runComplete(
  context: Context,
  program: Command,
  words: readonly string[],
): Promise<number> {
  const plain = words.map(unquoteWord);
  const expected = findExpected(program, plain);
  if (expected.what === 'files' || expected.what === 'directories') {
    context.print(expected.what);
    return EXIT_OK;
  }
  const lines = (await findCandidates(context, expected, plain))
    // A word that would look or act otherwise than it reads is not offered.
    .filter(({ value }) => value !== '' && toPrintableLine(value) === value)
    .filter(({ value }) => value.startsWith(expected.typed))
    .map(
      ({ value, description }) =>
        `${expected.lead}${value}\t${clip(toPrintableLine(description), descriptionColumns)}`,
    );
  context.print(['words', ...lines].join('\n'));
  return EXIT_OK;
}

async function findCandidates(
  context: Context,
  { what, typed }: Expected,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  if (what !== 'sessions' && what !== 'projects') return what as readonly Candidate[];
  try {
    const { readProjectNames, readSessionNames } = await import('../store/read/read-names.ts');
    const { openForReading } = await import('../store/open/open-store.ts');
    const store = openForReading(findIndexPath(context, words));
    if (store === null) return [];
    try {
      return what === 'projects' ? readProjectNames(store.db) : readSessionNames(store.db, typed);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}

/** The index that the command being typed will use. */
function findIndexPath({ at, indexPath }: Context, words: readonly string[]): string {
  const place = words.findLastIndex((word) => word === '--db' || word.startsWith('--db='));
  const word = words[place];
  if (word === undefined) return indexPath;
  const path =
    word === '--db' ? words[place + (words[place + 1] === '=' ? 2 : 1)] : word.slice('--db='.length);
  // The shell expands this only when the command runs.
  return toIndexPath(path?.replace(/^~(?=\/|$)/, at.homeDir), at);
}
