// The result of `recall index`, as one line for people and one object for scripts.

import type { IndexAnswer } from '../api/upkeep/update.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatBytes, formatCount, formatDuration, formatNumbered } from './quantities.ts';

type Report = IndexAnswer['report'];

const changes: readonly (keyof Report['files'])[] = ['new', 'grown', 'rewritten', 'gone', 'failed'];

export function toIndexSummary({ report, total, agents, tookMs, archive }: IndexAnswer): string {
  const changed = changes
    .filter((change) => report.files[change] > 0)
    .map((change) => `${formatCount(report.files[change])} ${change}`);
  const did =
    changed.length === 0
      ? `up to date: ${formatNumbered(report.files.seen, 'file')}, nothing changed`
      : `indexed ${changed.join(', ')} of ${formatNumbered(report.files.seen, 'file')} (${formatBytes(report.bytesRead)} read)`;
  const fromArchive =
    report.fromArchive === 0
      ? ''
      : ` and ${formatNumbered(report.fromArchive, 'transcript')} from the archive`;
  const holds = `${formatNumbered(total.sessions, 'session')}, ${formatNumbered(total.messages, 'message')}`;
  const each = agents.map(({ agent, sessions }) => `${agent} ${formatCount(sessions)}`);
  const split = each.length > 1 ? ` (${each.join(', ')})` : '';
  return `${did}${fromArchive} in ${formatDuration(tookMs)}; the index holds ${holds}${split}${toArchivePart(archive)}`;
}

function toArchivePart(archive: IndexAnswer['archive']): string {
  if (archive === null) return '';
  const { sessions, bytes, addedBytes } = archive;
  if (sessions === 0)
    return archive.stoppedBy === null && archive.unredactableFiles === 0 ? '; all of it is archived' : '';
  const ofSessions = `${formatBytes(bytes)} of ${formatNumbered(sessions, 'session')}`;
  return `; archived ${ofSessions} in ${formatBytes(addedBytes)}`;
}

/** Why some of it is not in the archive, or not yet. */
export function toArchiveNotes(archive: IndexAnswer['archive']): Hint[] {
  const unredactable = archive?.unredactableFiles ?? 0;
  const leftOut =
    unredactable === 0
      ? []
      : [
          `recall: ${formatNumbered(unredactable, 'compressed transcript')} not archived: secrets cannot be taken out of ${unredactable === 1 ? 'it' : 'them'}`,
        ];
  const deleted = archive?.deletedCopies ?? 0;
  const lost =
    deleted === 0
      ? []
      : [
          `recall: ${formatNumbered(deleted, 'copy', 'copies')} of compressed transcripts could not be read, so that secrets could not be taken out: deleted`,
        ];
  return [...toObstacleNotes(archive), ...leftOut, ...lost];
}

function toObstacleNotes(archive: IndexAnswer['archive']): Hint[] {
  const stoppedBy = archive?.stoppedBy ?? null;
  const left = formatNumbered(archive?.pendingFiles ?? 0, 'file');
  switch (stoppedBy?.type) {
    case 'busy':
      return ['recall: another recall is archiving; nothing was archived here'];
    case 'space':
      return [
        hint`recall: only ${formatBytes(stoppedBy.freeBytes)} free on the disk, so ${left} not archived; the index is up to date\n  try: free some space, then ${recall('index')}, or ${recall('archive', 'prune', '--older-than', '<days>')}`,
      ];
    case 'failed':
      return [
        hint`recall: the archive cannot be written (${toPrintableLine(stoppedBy.reason)}), so ${left} not archived; the index is up to date\n  try: fix it, then ${recall('index')}, or another folder with --archive <dir>`,
      ];
    default:
      return [];
  }
}

/** What the user may want to look into, one line each; for stderr. */
export function toIndexNotes({ report, poorYields }: Pick<IndexAnswer, 'report' | 'poorYields'>): Hint[] {
  const notes = poorYields.map(
    ({ program, version }) =>
      `hardly any messages were found in the newest transcripts of ${program}${version === null ? '' : ` ${version}`}`,
  );
  const unknown = Object.keys(report.unknownTypes);
  if (report.skippedLines > 0) notes.push(`${formatNumbered(report.skippedLines, 'line')} could not be read`);
  if (unknown.length > 0)
    notes.push(`${formatNumbered(unknown.length, 'unknown entry type')} (${unknown.join(', ')})`);
  if (report.links.length > 0)
    notes.push(`${formatNumbered(report.links.length, 'symbolic link')} not followed`);
  return notes.length === 0 ? [] : [hint`${toPrintableLine(notes.join('; '))}: see ${recall('doctor')}`];
}

export function toIndexJson({ report, total, agents, tookMs, archive }: IndexAnswer) {
  return {
    schemaVersion: 1,
    files: report.files,
    bytesRead: report.bytesRead,
    sessions: report.touchedSessions.size,
    messages: report.messages,
    fromArchive: report.fromArchive,
    skippedLines: report.skippedLines,
    unknownTypes: report.unknownTypes,
    tookMs: Math.round(tookMs * 10) / 10,
    total: { sessions: total.sessions, messages: total.messages },
    agents: Object.fromEntries(agents.map(({ agent, ...held }) => [agent, held])),
    archive:
      archive === null
        ? null
        : {
            sessions: archive.sessions,
            bytes: archive.bytes,
            addedBytes: archive.addedBytes,
            pendingFiles: archive.pendingFiles,
            unredactableFiles: archive.unredactableFiles,
            deletedCopies: archive.deletedCopies,
            stoppedBy: archive.stoppedBy?.type ?? null,
          },
  };
}
