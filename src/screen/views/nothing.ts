// What the list shows when it has no sessions: what was tried, and what would widen it.

import { toColors } from '../../render/colors.ts';
import { wrap } from '../../render/columns.ts';
import { toBlameText } from '../../render/notes.ts';
import { formatNumbered } from '../../render/quantities.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Area } from '../layout.ts';
import type { State, Surroundings } from '../state.ts';
import { toScopeLabel } from './prompt.ts';

const colors = toColors(true);

export function toNothingLines(state: State, surroundings: Surroundings, { columns, rows }: Area): string[] {
  const { said, next } = toTexts(state, surroundings);
  const room = Math.max(1, columns - 4);
  const lines = [
    '',
    ...wrap(said, room).map((line) => `  ${line}`),
    ...next.flatMap((each) => wrap(each, room)).map((line) => `  ${colors.dim(line)}`),
  ];
  return lines.slice(rows < 5 ? 1 : 0).slice(0, rows);
}

interface Texts {
  readonly said: string;
  readonly next: readonly string[];
}

function toTexts(state: State, surroundings: Surroundings): Texts {
  const { failure, results, activity, scope, line } = state;
  if (failure !== null)
    return { said: failure.message, next: failure.hint === '' ? [] : [`try: ${failure.hint}`] };
  if (results === null || results.emptiness === null) return { said: 'opening the index …', next: [] };
  const { sessions, messages, blame } = results.emptiness;
  if (sessions === 0)
    return activity === null
      ? {
          said: 'no sessions yet',
          next: ['recall finds what Claude Code and other agents have written here'],
        }
      : { said: 'reading your sessions for the first time', next: ['they appear here, the newest first'] };
  const query = toPrintableLine(line.text);
  const what = query === '' ? 'no sessions' : `nothing found for “${query}”`;
  const label = toScopeLabel(state, surroundings);
  const where = scope === 'everywhere' ? '' : scope === 'project' ? ` in ${label}` : ` ${label}`;
  const tried = `in ${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return {
    said: blame === null ? `${what}${where === '' ? ` ${tried}` : where}` : toBlameText(blame).message,
    next: [
      ...(scope === 'everywhere' ? [] : ['Tab: search elsewhere']),
      ...(blame === null && query !== '' ? ['fewer or different words, or no filters'] : []),
      ...(query === '' ? [] : ['Esc: clear the query']),
    ],
  };
}
