// Recognises recall's own words in a transcript: a search that was run from inside a session, and its printed
// results pasted back. They repeat every word of the query and are never what is looked for.

import { commandNames, resultsFooters } from '../hints.ts';

const ownCommand = new RegExp(`^\\s*(?:npx )?recall (?:${commandNames.join('|')})\\b`);
/** Part of what is printed under a list, now and before `show` was named too. */
const printed = ['recall open <number>', resultsFooters[1]];

export function isEcho(kind: string, text: string): boolean {
  if (kind === 'shell' && ownCommand.test(text)) return true;
  return printed.some((footer) => text.includes(footer));
}
