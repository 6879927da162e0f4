// The result of `recall index`, as one line for people and one object for scripts.

import type { IndexAnswer } from '../api/upkeep/index-now.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatBytes, formatCount, formatDuration, formatNumbered } from './quantities.ts';

type Report = IndexAnswer['report'];

const changes: readonly (keyof Report['files'])[] = ['new', 'grown', 'rewritten', 'gone', 'failed'];

export function toIndexSummary({ report, total, tookMs }: IndexAnswer): string {
  const changed = changes
    .filter((change) => report.files[change] > 0)
    .map((change) => `${formatCount(report.files[change])} ${change}`);
  const did =
    changed.length === 0
      ? `up to date: ${formatNumbered(report.files.seen, 'file')}, nothing changed`
      : `indexed ${changed.join(', ')} of ${formatNumbered(report.files.seen, 'file')} (${formatBytes(report.bytesRead)} read)`;
  const holds = `${formatNumbered(total.sessions, 'session')}, ${formatNumbered(total.messages, 'message')}`;
  return `${did} in ${formatDuration(tookMs)}; the index holds ${holds}`;
}

/** What the user may want to look into, one line each; for stderr. */
export function toIndexNotes(report: Report): Hint[] {
  const notes: string[] = [];
  const unknown = Object.keys(report.unknownTypes);
  if (report.skippedLines > 0) notes.push(`${formatNumbered(report.skippedLines, 'line')} could not be read`);
  if (unknown.length > 0)
    notes.push(`${formatNumbered(unknown.length, 'unknown entry type')} (${unknown.join(', ')})`);
  if (report.links.length > 0)
    notes.push(`${formatNumbered(report.links.length, 'symbolic link')} not followed`);
  return notes.length === 0 ? [] : [hint`${toPrintableLine(notes.join('; '))}: see ${recall('doctor')}`];
}

export function toIndexJson({ report, total, tookMs }: IndexAnswer) {
  return {
    schemaVersion: 1,
    files: report.files,
    bytesRead: report.bytesRead,
    sessions: report.touchedSessions.size,
    messages: report.messages,
    skippedLines: report.skippedLines,
    unknownTypes: report.unknownTypes,
    tookMs: Math.round(tookMs * 10) / 10,
    total: { sessions: total.sessions, messages: total.messages },
  };
}
