// A session as every list shows it: a numbered title and a line of facts. Both fit the terminal, and all text from
// transcripts is made printable.

import { resultsFooter } from '../search/echo.ts';
import type { SessionInfo } from '../store/read-sessions.ts';
import { toColors } from './colors.ts';
import { clip } from './columns.ts';
import { toPrintableLine } from './printable.ts';
import { formatCount, formatNumbered } from './quantities.ts';
import { formatAgo } from './times.ts';

export interface SessionLineOptions {
  readonly columns: number;
  readonly useColor: boolean;
  readonly now: Date;
  readonly homeDir: string;
}

/** One session of a list; `marks` are what the list has to say of it besides. */
export interface SessionEntry {
  readonly session: SessionInfo;
  readonly copies: number;
  readonly marks: readonly string[];
}

/** Where a list's further lines on a session begin, and how many columns they have. */
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
    `${indent}${colors.dim(clip(toFacts(entry, options), room))}`,
  ];
}

export function toTitle({ title }: SessionInfo): string {
  return toPrintableLine(title ?? '') || '(untitled)';
}

/** Id, project, branch, age and size, and the marks of the list. */
export function toFacts(
  { session, copies, marks }: SessionEntry,
  { now, homeDir }: SessionLineOptions,
): string {
  const facts = [
    session.claudeId.slice(0, 8),
    toShortPath(session.project ?? '', homeDir),
    session.branch === null || session.branch === 'HEAD' ? '' : session.branch,
    formatAgo(session.modifiedAt, now),
    formatNumbered(session.messageCount, 'message'),
    copies > 0 ? `+${formatNumbered(copies, 'copy', 'copies')}` : '',
    session.kind === 'main' ? '' : session.kind,
    session.isGone === 1 ? 'transcript deleted' : '',
    ...marks,
  ];
  return facts
    .filter((fact) => fact !== '')
    .map(toPrintableLine)
    .join('  ');
}

/** With `~` for the home. */
export function toShortPath(path: string, homeDir: string): string {
  return path === homeDir || path.startsWith(`${homeDir}/`) ? `~${path.slice(homeDir.length)}` : path;
}

/** How many are shown of how many, and what to do with them. */
export function toListFooter(
  shown: number,
  total: number,
  { columns, useColor }: SessionLineOptions,
  isExact = true,
): string {
  const ofAll = `${isExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  const more = total > shown ? `   more: --limit ${Math.min(total, shown * 3)}` : '';
  const line = `${formatCount(shown)} of ${ofAll}   open one: ${resultsFooter}${more}`;
  return toColors(useColor).dim(clip(line, columns));
}
