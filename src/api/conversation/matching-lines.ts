// The lines of a tool's text that hold the words that were looked for. The rest of such a text is rarely worth reading.

import { findOccurrences, foldText } from '../../text/occurrences.ts';
import { type MarkedTerm, toSnippet } from '../../text/snippet.ts';

const maxLines = 5;
const maxLineChars = 240;

/** Those with the most of the words, in order; null if there are none. */
export function toMatchingLines(text: string, terms: readonly MarkedTerm[]): string | null {
  const lines = text
    .split('\n')
    .map((line, at) => ({ line, at, count: countTerms(line, terms) }))
    .filter(({ count }) => count > 0);
  if (lines.length === 0) return null;
  return lines
    .sort((a, b) => b.count - a.count || a.at - b.at)
    .slice(0, maxLines)
    .sort((a, b) => a.at - b.at)
    .map(({ line }) =>
      toSnippet(line, terms, maxLineChars)
        .map((piece) => piece.text)
        .join(''),
    )
    .join('\n');
}

function countTerms(line: string, terms: readonly MarkedTerm[]): number {
  const folded = foldText(line);
  return terms.filter(({ forms }) => findOccurrences(folded, forms).length > 0).length;
}
