// Search results as a page for people. Every line fits the terminal; all text from transcripts is made printable.

import type { FoundHit, FoundMatch, SearchAnswer } from '../api/answers.ts';
import { toPrintable, toPrintableLine } from '../text/printable.ts';
import { toSnippet } from '../text/snippet.ts';
import { chooseColors, type Paint } from './colors.ts';
import { clip, widthOf, wrap } from './columns.ts';
import { formatResultNotes } from './notes.ts';
import { formatCount, formatDay } from './quantities.ts';
import {
  formatListFooter,
  formatSessionLines,
  listProjectsOf,
  planIndent,
  type SessionLineOptions,
  shortenPath,
} from './sessions.ts';

export interface PageOptions extends SessionLineOptions {
  readonly explain: boolean;
  readonly passages: number;
}

const wideColumns = 60;
const maxSnippet = 240;

const tierNotes = {
  all: '',
  prefix: 'some words were not found; longer words that start with them were',
  any: 'these sessions contain some of the words, best matches first',
  fuzzy: '',
} as const;

export function formatHitsPage(result: SearchAnswer, given: PageOptions): string {
  const options = { ...given, projects: listProjectsOf(result.hits, given.homeDir) };
  const colors = chooseColors(options.useColor);
  const lines: string[] = [];
  const notes = [formatTierNote(result), ...formatResultNotes(result)]
    .filter((note) => note !== '')
    .flatMap((note) => wrap(note, options.columns));
  if (notes.length > 0) lines.push(...notes.map(colors.dim), '');
  for (const [i, hit] of result.hits.entries())
    lines.push(...(i === 0 ? [] : ['']), ...formatHit(hit, i + 1, result, options));
  lines.push(...formatListFooter(result.hits, result.total, options, result.isTotalExact));
  return result.query === '' && result.hits.length === 0 ? '' : lines.join('\n');
}

function formatTierNote({ tier, corrections, completeHits, hits }: SearchAnswer): string {
  if (tier === 'any' && completeHits > 0) {
    if (completeHits >= hits.length) return '';
    const some = `${completeHits} of these sessions contain`;
    // A sentence is a description: what has only some of its words may still be meant.
    return `${completeHits === 1 ? 'one of these sessions contains' : some} all of the words, the others some`;
  }
  if (corrections.length === 0) return tierNotes[tier];
  const pairs = corrections.map(
    ([typed, meant]) => `“${toPrintableLine(meant)}” for “${toPrintableLine(typed)}”`,
  );
  return `did you mean ${pairs.join(', ')}?`;
}

function formatHit(hit: FoundHit, number: number, result: SearchAnswer, options: PageOptions): string[] {
  const { matchCount, matches, parts } = hit;
  const { indent, room } = planIndent(number, options.columns);
  const marks = matchCount > 3 ? [`${formatCount(matchCount)} matches`] : [];
  const shown = matches.filter(({ message }) => message.kind !== 'title');
  const passages = shown.filter((match) => !isName(match)).slice(0, options.passages);
  const lines = [...passages, ...shown.filter(isName)].map((match) =>
    formatMatch(match, hit, result, { ...options, room }),
  );
  if (options.explain && parts !== null) {
    const terms = Object.entries(parts).map(
      ([name, value]) => `${name} ${value.toFixed(2)}×${result.weights[name as keyof typeof parts]}`,
    );
    const sum = `score ${hit.score.toFixed(3)} = ${terms.join(' + ')}`;
    lines.push(...wrap(sum, room).map(chooseColors(options.useColor).dim));
  }
  return [
    ...formatSessionLines({ ...hit, marks }, number, options),
    ...lines.map((line) => `${indent}${line}`),
  ];
}

/** Not a message, but what something is called: a file, a command, a project, a branch. */
function isName({ message, call }: FoundMatch): boolean {
  return call !== null || message.id === 0;
}

function formatMatch(
  match: FoundMatch,
  { session }: FoundHit,
  result: SearchAnswer,
  { columns, room, useColor, now, homeDir }: PageOptions & { readonly room: number },
): string {
  const { message, toolText, call } = match;
  const { cyan, bold, yellow } = chooseColors(useColor);
  const mark = (text: string) => bold(yellow(text));
  // `Write src/x.ts`, `branch feat/x`: the name is all there is to show.
  if (isName(match)) {
    const what = `${toPrintableLine(call?.tool ?? message.kind)} `;
    const width = Math.max(10, room - widthOf(what));
    return `${cyan(what)}${markMatches(shortenPath(message.text, homeDir), result, width, mark)}`;
  }
  const who = toolText === null ? nameSpeaker(match, session.agent) : nameToolText(toolText);
  const day = formatDay(message.timestamp, now);
  const name = clip(toPrintableLine(who), Math.max(6, Math.floor(room / 3)));
  // On a narrow terminal the words themselves are worth more.
  const head = columns < wideColumns ? '' : `${name}${day === '' ? '' : ` ${day}`}: `;
  const width = Math.min(maxSnippet, Math.max(10, room - widthOf(head)));
  return `${cyan(head)}${markMatches(message.text || (toolText?.target ?? ''), result, width, mark)}`;
}

function nameSpeaker({ message, subagent }: FoundMatch, agent: string): string {
  if (subagent?.kind === 'subagent') return subagent.subagentType ?? 'subagent';
  if (message.isSidechain) return 'subagent';
  if (message.kind === 'recap') return 'recap';
  return message.role === 'user' ? 'you' : agent;
}

/** What a tool text is called, by its tool, whether that failed, and its file: `Bash ✗`, `Write src/x.ts`. */
export function nameToolText({ tool, target, kind, isError }: NonNullable<FoundMatch['toolText']>): string {
  const name = toPrintableLine(tool ?? '') || 'tool';
  if (kind === 'tool-output') return isError ? `${name} ✗` : name;
  const path = toPrintableLine(target ?? '');
  // A command is its own text; of a path the end says most.
  return /^(?:[A-Za-z]:)?[\\/]\S*$/.test(path) ? `${name} ${path.split(/[\\/]/).slice(-2).join('/')}` : name;
}

function markMatches(text: string, { terms }: SearchAnswer, width: number, mark: Paint): string {
  let left = width;
  let line = '';
  for (const piece of toSnippet(toPrintable(text), terms, Math.max(8, width - 4), widthOf)) {
    const fitted = clip(piece.text, left);
    left -= widthOf(fitted);
    line += piece.isMatch ? mark(fitted) : fitted;
    if (left <= 0) break;
  }
  return line;
}
