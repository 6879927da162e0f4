// recall __complete: what can be at the cursor, for the scripts that `recall completion` prints. It is called while someone types, so
// it only reads what is indexed, creates no index and reports no errors. The first line is `words`, `files` or `directories`; the last
// two leave it to the shell. After `words` there is one line per candidate: the word, a tab, and a description.

import { findNames } from '../api/find-session.ts';
import type { Program } from '../command-line/commander.ts';
import type { Context, ToAction } from '../command-line/context.ts';
import { findExpected } from '../command-line/find-expected.ts';
import { toIndexPath } from '../config.ts';
import { EXIT_OK } from '../errors.ts';
import { clip } from '../render/columns.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('__complete', { hidden: true })
    .argument('[words...]', 'the command line up to the cursor, without the name of the program')
    .action(
      run(async (context, words) => {
        context.print(readCompletion(context, program, words.map(unquoteWord)).join('\n'));
        return EXIT_OK;
      }),
    );
}

function readCompletion(context: Context, program: Program, words: readonly string[]): string[] {
  const { what, typed, lead } = findExpected(program, words);
  if (what === 'files' || what === 'directories') return [what];
  const candidates =
    what === 'sessions' || what === 'projects' ? findNames(findIndexPath(context, words), what, typed) : what;
  const lines = candidates
    // A word with characters that would act on the terminal or be invisible is not offered.
    .filter(({ value }) => value !== '' && toPrintableLine(value) === value && value.startsWith(typed))
    .map(({ value, description }) => `${lead}${value}\t${clip(toPrintableLine(description), 72)}`);
  return ['words', ...lines];
}

function findIndexPath({ at, indexPath }: Context, words: readonly string[]): string {
  const place = words.findLastIndex((word) => word === '--db' || word.startsWith('--db='));
  const word = words[place];
  if (word === undefined) return indexPath;
  const path =
    word === '--db' ? words[place + (words[place + 1] === '=' ? 2 : 1)] : word.slice('--db='.length);
  // The shell expands ~ only when the command runs.
  return toIndexPath(path?.replace(/^~(?=\/|$)/, at.homeDir), at);
}

/** Shells pass a word as it is being typed: with quotes and backslashes, and possibly with an open quote. */
function unquoteWord(word: string): string {
  let text = '';
  let quote = '';
  for (let i = 0; i < word.length; i++) {
    const character = word.charAt(i);
    if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === '\\' && quote !== "'" && i + 1 < word.length) text += word.charAt(++i);
    else text += character;
  }
  return text;
}
