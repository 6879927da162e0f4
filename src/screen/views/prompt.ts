// The line that is typed into, and the line below it: how much was found, where, in what order, and what goes on meanwhile.

import { toColors } from '../../render/colors.ts';
import { clip, clipStart, cutToColumns, pad, widthOf } from '../../render/columns.ts';
import { toProgressLine } from '../../render/index-summary.ts';
import { toWhen } from '../../render/notes.ts';
import { formatCount, formatNumbered } from '../../render/quantities.ts';
import { toShortPath } from '../../render/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Line } from '../edit-line.ts';
import type { Results } from '../questions.ts';
import type { State, Surroundings } from '../state.ts';

const colors = toColors(true);

/** The text with its cursor in view, and the column of the cursor. */
export function toPrompt(
  { text, cursor }: Line,
  mark: string,
  columns: number,
): { readonly line: string; readonly column: number } {
  const room = Math.max(1, columns - widthOf(mark) - 1);
  const before = clipStart(text.slice(0, cursor), room);
  const left = room - widthOf(before);
  const after = cutToColumns(text.slice(cursor), Math.max(1, left), 0)[0] ?? '';
  const line = `${colors.bold(colors.cyan(mark))}${before}${left > 0 ? after : ''}`;
  return { line, column: Math.min(columns - 1, widthOf(mark) + widthOf(before)) };
}

export function toStatusLine(state: State, surroundings: Surroundings): string {
  const { columns } = state.size;
  const facts = [toCount(state.results), toScopeLabel(state, surroundings), toOrder(state)].filter(
    (fact) => fact !== '',
  );
  const left = `  ${clip(facts.join(' · '), Math.max(1, columns - 2))}`;
  const room = columns - widthOf(left) - 3;
  const aside = toAside(state, room);
  if (aside === '' || room < 12) return colors.dim(left);
  return `${colors.dim(pad(left, columns - widthOf(aside)))}${colors.yellow(aside)}`;
}

function toCount(results: Results | null): string {
  if (results === null) return '';
  const { rows, total, isTotalExact } = results;
  const of = `${isTotalExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  return rows.length < total ? `${formatCount(rows.length)} of ${of}` : of;
}

export function toScopeLabel({ scope }: State, { directories, homeDir }: Surroundings): string {
  if (scope === 'everywhere') return 'everywhere';
  const path = toPrintableLine(toShortPath(directories[scope], homeDir));
  return scope === 'project' ? `project ${path}` : `below ${path}`;
}

function toOrder({ results, sort }: State): string {
  return results?.isByDay && sort === 'relevance' ? '' : sort === 'recent' ? 'newest first' : 'best first';
}

function toAside({ activity, results }: State, room: number): string {
  if (activity?.progress != null) return toProgressLine(activity.progress, activity.elapsedMs, room + 1);
  return clip(activity?.text || formatUnderstood(results), Math.max(1, room));
}

/** How the words were understood, if not as typed; short, since it shares a line of the screen. */
function formatUnderstood(results: Results | null): string {
  if (results === null || results.understood === null) return '';
  const { rows, understood } = results;
  const { tier, corrections, completeHits, time } = understood;
  if (time?.isAlone) return `sessions active ${toWhen(time)}`;
  if (rows.length === 0) return '';
  if (tier === 'any' && completeHits > 0)
    return completeHits < rows.length ? `${completeHits} with all words, others with some` : '';
  if (corrections.length > 0)
    return `searched for ${corrections.map(([, meant]) => `“${toPrintableLine(meant)}”`).join(', ')}`;
  return shortNotes[tier];
}

const shortNotes = {
  all: '',
  prefix: 'longer words included',
  any: 'only some of the words match',
  fuzzy: '',
} as const;
