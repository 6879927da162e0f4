// The archive as a page for people and as JSON for scripts: what is kept, what is not, what will be deleted soon.

import type { ArchiveOffer, ArchiveStatus } from '../api/archive/status.ts';
import type { VerifyReport } from '../archive/session-copies.ts';
import { type Hint, hint, recall, toHintText } from '../hints.ts';
import { toPrintableLine } from '../text/printable.ts';
import { chooseColors } from './colors.ts';
import { formatTable, hang } from './columns.ts';
import { formatBytes, formatCount, formatNumbered } from './quantities.ts';
import { type SessionLineOptions, shortenId, shortenPath } from './sessions.ts';

const maxExpiring = 10;
const leastProjects = 3;
/** Beside the lines before it and its rows: an empty line, its head, how many more there are, a hint and the prompt. */
const linesAroundTable = 5;

/** `height` is that of the terminal: as many projects are shown as fit, in a pipe all. */
export function formatArchivePage(
  status: ArchiveStatus,
  options: SessionLineOptions,
  height = Number.POSITIVE_INFINITY,
): string {
  const { columns, useColor, homeDir } = options;
  const colors = chooseColors(useColor);
  const lines = [
    `archive    ${shortenPath(toPrintableLine(status.path), homeDir)}: ${status.isOn ? 'on' : 'off'}`,
    `kept       ${formatNumbered(status.sessions, 'session')}, ${formatRatio(status)}`,
    `not kept   ${formatUnkept(status)}`,
    ...formatExpiring(status),
  ].flatMap((line) => hang(line, line.slice(0, 11), columns));
  const rows = status.projects
    .slice(0, Math.max(leastProjects, height - lines.length - linesAroundTable))
    .map(({ project, sessions, bytes, transcriptBytes }) => [
      project === null ? '(unknown)' : shortenPath(toPrintableLine(project), homeDir),
      formatCount(sessions),
      formatBytes(transcriptBytes),
      formatBytes(bytes),
    ]);
  const table = formatTable(
    [
      { title: 'project', paint: colors.bold },
      { title: 'sessions', side: 'right' },
      { title: 'transcripts', side: 'right' },
      { title: 'kept in', side: 'right' },
    ],
    rows,
    { width: columns, isPath: true },
  );
  const more = status.projects.length - rows.length;
  if (rows.length > 0) lines.push('', ...table);
  if (more > 0) lines.push(`and ${formatNumbered(more, 'more project')}`);
  return lines.join('\n');
}

export function findArchiveHint({ isOn, pending, bytes }: ArchiveStatus): Hint | null {
  if (!isOn && bytes === 0) return hint`to keep a copy of every transcript: ${recall('archive', 'on')}`;
  if (!isOn) return hint`nothing new is kept; to turn it on: ${recall('archive', 'on')}`;
  return pending > 0 ? hint`to keep the rest: ${recall('index')}` : null;
}

export function formatRatio({ bytes, transcriptBytes }: ArchiveStatus): string {
  if (bytes === 0) return 'nothing yet';
  const ratio = (transcriptBytes / bytes).toFixed(1);
  return `${formatBytes(transcriptBytes)} in ${formatBytes(bytes)} (${ratio} to 1)`;
}

function formatUnkept({ pending, unkeepable }: ArchiveStatus): string {
  const never = unkeepable.map(
    ({ program, sessions }) => `${formatNumbered(sessions, 'session')} of ${program}, which cannot be kept`,
  );
  const all = [...(pending === 0 ? [] : [formatNumbered(pending, 'session')]), ...never];
  return all.length === 0 ? 'none: all that is on disk is kept' : all.join('; ');
}

function formatExpiring({ expiringSoon, expiryDays }: ArchiveStatus): string[] {
  if (expiringSoon.length === 0) return [`expiring   nothing within ${expiryDays} days`];
  const isKept = expiringSoon.filter((session) => session.isKept).length;
  const shown = expiringSoon.slice(0, maxExpiring).map(({ id, title, deletedOn, isKept: kept }) => {
    const name = toPrintableLine(title ?? '') || '(untitled)';
    return `           ${deletedOn}  ${shortenId(id)}  ${kept ? 'kept' : 'NOT KEPT'}  ${name}`;
  });
  const more = expiringSoon.length - shown.length;
  return [
    `expiring   ${formatNumbered(expiringSoon.length, 'session')} within ${expiryDays} days, ${isKept === expiringSoon.length ? 'all' : formatCount(isKept)} kept`,
    ...shown,
    ...(more > 0 ? [`           and ${formatCount(more)} more`] : []),
  ];
}

export function toArchiveJson({ expiryDays: _, ...status }: ArchiveStatus): object {
  return { schemaVersion: 2, ...status, isOn: status.isOn === true };
}

export function formatOfferQuestion({ path, aboutBytes }: ArchiveOffer, homeDir: string): string {
  const where = shortenPath(toPrintableLine(path), homeDir);
  return `Keep a compressed copy of every transcript in ${where} (about ${formatBytes(aboutBytes)}), so that sessions which an agent deletes can be resumed? Transcripts may contain secrets. [Y/n] `;
}

export function formatVerifyReport(
  { files, segments, bytes, damages }: VerifyReport,
  givenFlags: string,
): string[] {
  const checked = `${formatNumbered(files, 'file')} in ${formatNumbered(segments, 'segment')}, ${formatBytes(bytes)}`;
  if (damages.length === 0) return [`checked ${checked}: everything matches its checksum`];
  const next = hint`delete what is damaged, then: ${recall('index')}; it keeps again what is still on disk`;
  return [
    `checked ${checked}: ${formatNumbered(damages.length, 'damaged segment')}`,
    ...damages.flatMap(({ path, reason, file }) => [
      `✗ ${toPrintableLine(path)}: ${reason}`,
      `    of ${toPrintableLine(file)}`,
    ]),
    `  → ${toHintText(next, givenFlags)}`,
  ];
}
