// Recognises recall's own words in a transcript: a search that was run from inside a session, and its printed
// results pasted back. They repeat every word of the query and are never what is looked for.

import { commandNames } from '../hints.ts';

const ownCommand = new RegExp(`^\\s*(?:npx )?recall (?:${commandNames.join('|')})\\b`);
/** One of these stands under every printed list of results; the second where there is no room for the first. */
export const resultsFooters = [
  'recall open <number> or show <number>',
  'recall open or show <number>',
] as const;
/** In what stands there, and in what stood there before `show` was named too. */
const printed = ['recall open <number>', resultsFooters[1]];

export function isEcho(kind: string, text: string): boolean {
  if (kind === 'shell' && ownCommand.test(text)) return true;
  return printed.some((footer) => text.includes(footer));
}
