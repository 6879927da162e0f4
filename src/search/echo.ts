// Recognises recall's own words in a transcript: a search that was run from inside a session, and its printed
// results pasted back. They repeat every word of the query and are never what is looked for.

const ownCommand = /^\s*(?:npx )?recall (?:search|list|show|open|index|files|projects|stats)\b/;
/** Stands under every printed list of results. */
export const resultsFooter = 'recall open <number>';

export function isEcho(kind: string, text: string): boolean {
  return (kind === 'shell' && ownCommand.test(text)) || text.includes(resultsFooter);
}
