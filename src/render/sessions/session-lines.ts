// A session as every list shows it: a numbered title and a line of facts. Both fit the terminal, and all text from
// transcripts is made printable.

import type { ListedSession, SessionInfo } from '../../api/list.ts';
import { resultsFooters } from '../../hints.ts';
import { maxListed } from '../../records.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { clip, clipPath, widthOf } from '../columns.ts';
import { hang } from '../fit-lines.ts';
import { formatCount, formatNumbered } from '../quantities.ts';
import { findMissing } from '../resumption.ts';
import { formatAgo } from '../times.ts';
import { toShortId } from './reference.ts';

export interface SessionLineOptions {
  readonly columns: number;
  readonly useColor: boolean;
  readonly now: Date;
  readonly homeDir: string;
  /** Results only, without a footer that says what to do with them. */
  readonly isQuiet?: boolean;
  /** Added to every suggested command. */
  readonly givenFlags?: string;
}

/** The session that recall is called from, which is running for sure. */
export const currentMark = 'this session';

/** One session of a list; `marks` are further facts that the list adds. */
export interface SessionEntry extends ListedSession {
  readonly marks: readonly string[];
}

/** Where the further lines of a session start, and how many columns they have. */
export function toIndent(number: number, columns: number): { indent: string; room: number } {
  const indent = ' '.repeat(toLabel(number).length + 1);
  return { indent, room: Math.max(10, columns - indent.length) };
}

export function toLabel(number: number): string {
  return `${number}`.padStart(2);
}

export function toSessionLines(entry: SessionEntry, number: number, options: SessionLineOptions): string[] {
  const colors = toColors(options.useColor);
  const { indent, room } = toIndent(number, options.columns);
  const title = clip(toTitle(entry.session), room);
  return [
    `${colors.dim(toLabel(number))} ${colors.bold(title)}`,
    `${indent}${colors.dim(toFacts(entry, options, room))}`,
  ];
}

export function toTitle({ title }: SessionInfo): string {
  return toPrintableLine(title ?? '') || '(untitled)';
}

/** With fewer columns, a project or a branch is no longer useful. */
const minColumns = 10;

/**
 * Id, project, branch, age, size and marks. If they do not all fit, first what is missing is said in fewer words, then the
 * project and the branch are shortened.
 */
export function toFacts(
  { session, copies, resumption, marks }: SessionEntry,
  { now, homeDir }: SessionLineOptions,
  room: number,
): string {
  const id = toShortId(session.nativeId);
  const project = toPrintableLine(toShortPath(session.project ?? '', homeDir));
  const branch = session.branch === 'HEAD' ? '' : toPrintableLine(session.branch ?? '');
  const toRest = (missing: string) => [
    session.isOfSeveral ? session.agent : '',
    formatAgo(session.modifiedAt, now),
    formatNumbered(session.messageCount, 'message'),
    copies > 0 ? `+${formatNumbered(copies, 'copy', 'copies')}` : '',
    session.kind === 'main' ? '' : session.kind,
    missing,
    resumption.live === null || marks.includes(currentMark) ? '' : 'running',
    ...marks,
  ];
  const join = (...facts: string[]) => facts.filter((fact) => fact !== '').join('  ');
  const [missing = '', shorter = ''] = toMissingTexts({ session, resumption });
  const isTight = widthOf(join(id, project, branch, ...toRest(missing))) > room;
  const rest = toRest(isTight ? shorter : missing);
  const excessOf = (...place: string[]) => widthOf(join(id, ...place, ...rest)) - room;
  const shortProject = clipPath(project, toReducedWidth(project, excessOf(project, branch)));
  const shortBranch = clip(branch, toReducedWidth(branch, excessOf(shortProject, branch)));
  const isTooMuch = excessOf(shortProject, shortBranch) > 0;
  return clip(join(id, shortProject, isTooMuch ? '' : shortBranch, ...rest), room);
}

/** The columns left for a text that should shrink by `excess`. */
function toReducedWidth(text: string, excess: number): number {
  const width = widthOf(text);
  return Math.max(width - Math.max(0, excess), Math.min(width, minColumns));
}

/** What is missing, and the same in fewer columns; if a session is known only from the prompt history, its kind already says so. */
function toMissingTexts(listed: Pick<ListedSession, 'session' | 'resumption'>): readonly string[] {
  if (listed.session.kind === 'history') return [];
  const { transcript } = findMissing(listed);
  const long = transcript ? `transcript deleted${isOnlyKept(listed) ? ', copy kept' : ''}` : 'directory gone';
  const short = toShortMissing(listed);
  return short === '' ? [] : [long, short];
}

export function toShortMissing(listed: Pick<ListedSession, 'session' | 'resumption'>): string {
  const { transcript, directory } = findMissing(listed);
  return transcript ? 'deleted' : directory === null ? '' : 'no dir';
}

/** Its transcript was deleted, and the archive has a copy. */
function isOnlyKept(listed: Pick<ListedSession, 'session' | 'resumption'>): boolean {
  return listed.resumption.restorable === 'archive' && findMissing(listed).transcript;
}

/** With `~` for the home directory. */
export function toShortPath(path: string, homeDir: string): string {
  return path === homeDir || path.startsWith(`${homeDir}/`) ? `~${path.slice(homeDir.length)}` : path;
}

/** How many of how many are shown, and what to do with them, in as few lines as possible. */
export function toListFooter(
  listed: readonly Pick<ListedSession, 'session' | 'resumption'>[],
  total: number,
  options: SessionLineOptions,
  isExact = true,
): string[] {
  const of = `${isExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  const restore = listed.some(isOnlyKept)
    ? [`to bring a deleted one back: recall open <number> --restore${options.givenFlags ?? ''}`]
    : [];
  const lines = toFooterLines({ shown: listed.length, total, of }, toNextCommands(options), options);
  return toFooter([...lines, ...restore], options);
}

/** A command to type stays on one line wherever one is wide enough for it. `nexts` say what to do, the longest first. */
export function toFooterLines(
  { shown, total, of }: { readonly shown: number; readonly total: number; readonly of: string },
  nexts: readonly [longer: string, shorter: string],
  { columns }: Pick<SessionLineOptions, 'columns'>,
): string[] {
  const fits = (line: string) => widthOf(line) <= columns;
  const count = `${formatCount(shown)} of ${of}`;
  const more = total > shown ? [`more: --limit ${Math.min(total, shown * 3, maxListed)}`] : [];
  const line = nexts.map((next) => [count, next, ...more].join('   ')).find(fits);
  if (line !== undefined) return [line];
  const counts = [count, ...more].join('   ');
  return [...(fits(counts) ? [counts] : [count, ...more]), nexts.find(fits) ?? nexts[1]];
}

/** What to do with a listed session, in the longest form that fits. */
export function toNextCommand(options: SessionLineOptions): string {
  const nexts = toNextCommands(options);
  return nexts.find((next) => widthOf(next) <= options.columns) ?? nexts[1];
}

function toNextCommands({ givenFlags = '' }: SessionLineOptions): [longer: string, shorter: string] {
  const [longer, shorter] = resultsFooters;
  return [`${longer}${givenFlags}`, `${shorter}${givenFlags}`];
}

/** The last lines of a page, after an empty one; none if only results are wanted. */
export function toFooter(lines: readonly string[], options: SessionLineOptions): string[] {
  const { columns, useColor, isQuiet } = options;
  if (isQuiet) return [];
  return ['', ...lines.flatMap((line) => hang(line, '', columns)).map(toColors(useColor).dim)];
}
