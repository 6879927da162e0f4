// Search results as a page for people. Every line fits the terminal; all text from transcripts is made printable.

import type { FoundHit, FoundMatch, SearchAnswer } from '../../api/search.ts';
import { toPrintable, toPrintableLine } from '../../text/printable.ts';
import { toSnippet } from '../../text/snippet.ts';
import { toColors } from '../colors.ts';
import { clip, widthOf, wrap } from '../columns.ts';
import { toResultNotes } from '../notes.ts';
import { formatCount } from '../quantities.ts';
import { formatDay } from '../times.ts';
import { formatToolName } from '../work-name.ts';
import {
  type SessionLineOptions,
  toIndent,
  toListFooter,
  toSessionLines,
  toShortPath,
} from './session-lines.ts';

export interface PageOptions extends SessionLineOptions {
  readonly explain: boolean;
  /** How many passages of a session are shown. */
  readonly passages: number;
}

/** From this width on, passages say who said them, and when. */
const wideColumns = 60;

/** However much room there is, a passage is not the whole message. */
const maxSnippet = 240;

const tierNotes = {
  all: '',
  prefix: 'some words were not found; longer words that start with them were',
  any: 'these sessions contain some of the words, best matches first',
  fuzzy: '',
} as const;

export function toHitsPage(result: SearchAnswer, options: PageOptions): string {
  const colors = toColors(options.useColor);
  const lines: string[] = [];
  const notes = [toTierNote(result), ...toResultNotes(result)]
    .filter((note) => note !== '')
    .flatMap((note) => wrap(note, options.columns));
  if (notes.length > 0) lines.push(...notes.map(colors.dim), '');
  for (const [i, hit] of result.hits.entries())
    lines.push(...(i === 0 ? [] : ['']), ...toHitLines(hit, i + 1, result, options));
  lines.push(...toListFooter(result.hits, result.total, options, result.isTotalExact));
  return result.query === '' && result.hits.length === 0 ? '' : lines.join('\n');
}

/** How the words were understood, if not as typed. */
function toTierNote(result: SearchAnswer): string {
  if (result.tier === 'any' && result.completeHits > 0) return toMixedNote(result);
  if (result.corrections.length === 0) return tierNotes[result.tier];
  const pairs = result.corrections.map(
    ([typed, meant]) => `“${toPrintableLine(meant)}” for “${toPrintableLine(typed)}”`,
  );
  return `did you mean ${pairs.join(', ')}?`;
}

/** A sentence is a description: what has only some of its words may still be meant. */
function toMixedNote({ completeHits, hits }: SearchAnswer): string {
  if (completeHits >= hits.length) return '';
  const those =
    completeHits === 1 ? 'one of these sessions contains' : `${completeHits} of these sessions contain`;
  return `${those} all of the words, the others some`;
}

function toHitLines(hit: FoundHit, number: number, result: SearchAnswer, options: PageOptions): string[] {
  const { matchCount } = hit;
  const { indent, room } = toIndent(number, options.columns);
  const marks = matchCount > 3 ? [`${formatCount(matchCount)} matches`] : [];
  const lines = toSessionLines({ ...hit, marks }, number, options);
  // The title is above already.
  const shown = hit.matches.filter(({ message }) => message.kind !== 'title');
  const passages = shown.filter((match) => !isName(match)).slice(0, options.passages);
  const names = shown.filter(isName);
  for (const match of [...passages, ...names])
    lines.push(`${indent}${toMatchLine(hit, match, result, room, options)}`);
  if (options.explain && hit.parts !== null) {
    const { dim } = toColors(options.useColor);
    lines.push(...toExplanation(hit, result.weights, room).map((line) => `${indent}${dim(line)}`));
  }
  return lines;
}

/** Not a message, but what something is called: a file, a command, a project, a branch. */
function isName({ message, call }: FoundMatch): boolean {
  return call !== null || message.id === 0;
}

function toMatchLine(
  { session }: FoundHit,
  match: FoundMatch,
  result: SearchAnswer,
  room: number,
  options: PageOptions,
): string {
  const { message, subagent, toolText, call } = match;
  const colors = toColors(options.useColor);
  const agentName =
    subagent === null || subagent.kind !== 'subagent' ? null : (subagent.subagentType ?? 'subagent');
  const speaker =
    agentName ??
    (message.isSidechain
      ? 'subagent'
      : message.kind === 'recap'
        ? 'recap'
        : message.role === 'user'
          ? 'you'
          : session.agent);
  const mark = (text: string) => colors.bold(colors.yellow(text));
  // `Write src/x.ts`, `branch feat/x`: the name is all there is to show.
  if (isName(match)) {
    const what = `${toPrintableLine(call?.tool ?? message.kind)} `;
    const width = Math.max(10, room - widthOf(what));
    return `${colors.cyan(what)}${toMarked(toShortPath(message.text, options.homeDir), result, width, mark)}`;
  }
  const who = toolText === null ? speaker : formatToolName(toolText);
  const day = formatDay(message.timestamp, options.now);
  const name = clip(toPrintableLine(who), Math.max(6, Math.floor(room / 3)));
  // On a narrow terminal the words themselves are worth more.
  const head = options.columns < wideColumns ? '' : `${name}${day === '' ? '' : ` ${day}`}: `;
  const width = Math.min(maxSnippet, Math.max(10, room - widthOf(head)));
  return `${colors.cyan(head)}${toMarked(message.text || (toolText?.target ?? ''), result, width, mark)}`;
}

/** A snippet of at most `width` columns with its matches marked. */
function toMarked(text: string, result: SearchAnswer, width: number, mark: (text: string) => string): string {
  let left = width;
  let line = '';
  for (const piece of toSnippet(toPrintable(text), result.terms, Math.max(8, width - 4), widthOf)) {
    const fitted = clip(piece.text, left);
    left -= widthOf(fitted);
    line += piece.isMatch ? mark(fitted) : fitted;
    if (left <= 0) break;
  }
  return line;
}

function toExplanation(hit: FoundHit, weights: SearchAnswer['weights'], room: number): string[] {
  const parts = Object.entries(hit.parts ?? {}).map(
    ([name, value]) => `${name} ${value.toFixed(2)}×${weights[name as keyof typeof weights]}`,
  );
  return wrap(`score ${hit.score.toFixed(3)} = ${parts.join(' + ')}`, room);
}
