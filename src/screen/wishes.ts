// What the screen wants to know, as questions that follow from the state. Whoever runs it asks one whenever it differs from the
// last one of its kind, so no key has to remember what it makes out of date.

import { toLayout } from './layout.ts';
import type { ListQuestion, PageQuestion, PreviewQuestion } from './questions.ts';
import { findSelected, type Reader, type State } from './state.ts';

export function toListQuestion({ line, scope, sort, limit }: State): ListQuestion {
  return { type: 'list', query: line.text, scope, sort, limit };
}

/** Undefined where no preview is shown. */
export function findPreviewQuestion(state: State): PreviewQuestion | undefined {
  const row = findSelected(state);
  const { preview } = toLayout(state.size);
  if (row === undefined || preview === null || state.front?.type === 'reader') return undefined;
  return {
    type: 'preview',
    id: row.session.nativeId,
    match: toMatch(state),
    bestId: row.bestId,
  };
}

/** The words that were searched for; empty if there were none, or only filters. */
export function toMatch({ results }: State): string {
  return results === null || results.terms.length === 0 ? '' : results.of.query;
}

/** Undefined while enough of the conversation is there. */
export function findPageQuestion({ front }: State): PageQuestion | undefined {
  const reader = toReader(front);
  if (reader === null || reader.isWhole || reader.lines.length >= reader.wanted) return undefined;
  const { id, match, showsSubagents, next } = reader;
  return { type: 'page', id, match, showsSubagents, start: next };
}

function toReader(front: State['front']): Reader | null {
  return front?.type === 'reader' ? front : null;
}
