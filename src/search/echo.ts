// Recognises recall's own output in a transcript: a search that was run inside a session, and printed results
// that were pasted back. It repeats every word of the query and is never what the person is looking for.

import { commandNames, resultsFooters } from '../hints.ts';

const ownCommand = new RegExp(`^\\s*(?:npx )?recall (?:${commandNames.join('|')})\\b`);
/** Part of the line printed under a list: the current one, and the one from before it mentioned `show`. */
const printed = ['recall open <number>', resultsFooters[1]];

export function isEcho(kind: string, text: string): boolean {
  if (kind === 'shell' && ownCommand.test(text)) return true;
  return printed.some((footer) => text.includes(footer));
}
