// The result of `recall index`, as one line for people and one object for scripts, and the line that shows its progress.

import type { IndexAnswer } from '../api/upkeep/update.ts';
import { type Hint, hint, recall } from '../hints.ts';
import type { Progress } from '../records.ts';
import type { UpgradeProgress } from '../store/open/open-store.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatBytes, formatCount, formatDuration, formatNumbered } from './quantities.ts';

const changes = ['new', 'grown', 'rewritten', 'gone', 'failed'] as const;

export function formatIndexSummary({ report, total, tookMs, archive, hub }: IndexAnswer): string {
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
  const each = total.agents.map(({ agent, sessions }) => `${agent} ${formatCount(sessions)}`);
  const split = each.length > 1 ? ` (${each.join(', ')})` : '';
  return `${did}${fromArchive} in ${formatDuration(tookMs)}; the index holds ${holds}${split}${formatArchivePart(archive)}${formatHubPart(hub)}`;
}

/** Where the hub could not be reached, `recall hub` says so. */
function formatHubPart(hub: IndexAnswer['hub']): string {
  const [sent, received] = [hub?.pushed?.sessions ?? 0, hub?.pulled?.sessions ?? 0];
  const did = [
    ...(sent === 0 ? [] : [`sent ${formatNumbered(sent, 'session')}`]),
    ...(received === 0 ? [] : [`received ${formatNumbered(received, 'session')}`]),
  ];
  return did.length === 0 ? '' : `; ${did.join(', ')}`;
}

function formatArchivePart(archive: IndexAnswer['archive']): string {
  if (archive === null) return '';
  const { sessions, bytes, addedBytes } = archive;
  if (sessions === 0)
    return archive.stoppedBy === null && archive.unredactableFiles === 0 ? '; all of it is archived' : '';
  const ofSessions = `${formatBytes(bytes)} of ${formatNumbered(sessions, 'session')}`;
  return `; archived ${ofSessions} in ${formatBytes(addedBytes)}`;
}

export function formatArchiveNotes(archive: IndexAnswer['archive']): Hint[] {
  if (archive === null) return [];
  const { stoppedBy, pendingFiles, unredactableFiles, deletedCopies } = archive;
  const left = formatNumbered(pendingFiles, 'file');
  const notes: Hint[] = [];
  if (stoppedBy?.type === 'busy')
    notes.push('recall: another recall is archiving; nothing was archived here');
  if (stoppedBy?.type === 'space')
    notes.push(
      hint`recall: only ${formatBytes(stoppedBy.freeBytes)} free on the disk, so ${left} not archived; the index is up to date\n  try: free some space, then ${recall('index')}, or ${recall('archive', 'prune', '--older-than', '<days>')}`,
    );
  if (stoppedBy?.type === 'failed')
    notes.push(
      hint`recall: the archive cannot be written (${toPrintableLine(stoppedBy.reason)}), so ${pendingFiles === 0 ? 'nothing was' : `${left} not`} archived; the index is up to date\n  try: fix it, then ${recall('index')}, or another folder with --archive <dir>`,
    );
  if (unredactableFiles > 0)
    notes.push(
      `recall: ${formatNumbered(unredactableFiles, 'compressed transcript')} not archived: secrets cannot be taken out of ${unredactableFiles === 1 ? 'it' : 'them'}`,
    );
  if (deletedCopies > 0)
    notes.push(
      `recall: ${formatNumbered(deletedCopies, 'copy', 'copies')} of compressed transcripts could not be read, so that secrets could not be taken out: deleted`,
    );
  return notes;
}

export function formatIndexNotes({ report, poorYields }: Pick<IndexAnswer, 'report' | 'poorYields'>): Hint[] {
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

export function toIndexJson({ report, touched, total, tookMs, archive, hub }: IndexAnswer) {
  return {
    schemaVersion: 2,
    files: report.files,
    bytesRead: report.bytesRead,
    sessions: touched,
    messages: report.messages,
    fromArchive: report.fromArchive,
    skippedLines: report.skippedLines,
    unknownTypes: report.unknownTypes,
    tookMs: Math.round(tookMs * 10) / 10,
    total: { sessions: total.sessions, messages: total.messages },
    agents: Object.fromEntries(total.agents.map(({ agent, ...held }) => [agent, held])),
    archive: archive && {
      sessions: archive.sessions,
      bytes: archive.bytes,
      addedBytes: archive.addedBytes,
      pendingFiles: archive.pendingFiles,
      unredactableFiles: archive.unredactableFiles,
      deletedCopies: archive.deletedCopies,
      stoppedBy: archive.stoppedBy?.type ?? null,
    },
    hub: hub && {
      sent: hub.pushed?.sessions ?? 0,
      received: hub.pulled?.sessions ?? 0,
      obstacle: hub.obstacle,
    },
  };
}

const barCells = { least: 5, wanted: 8, most: 30 } as const;

/** The greatest widths of bytes, rate and time left, so that the space reserved for them does not change. */
const widest = { bytes: '99.9 MB'.length, rate: '99.9 MB/s'.length, left: '59:59 min left'.length } as const;

export function formatProgress(
  progress: Progress,
  elapsedMs: number,
  columns: number,
  label = 'indexing ',
): string {
  const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
  const share = bytesTotal === 0 ? (filesTotal === 0 ? 1 : filesDone / filesTotal) : bytesDone / bytesTotal;
  const rate = elapsedMs === 0 ? 0 : (bytesDone / elapsedMs) * 1000;
  const leftMs = share === 0 ? null : (elapsedMs / share) * (1 - share);
  const [allFiles, allBytes] = [`/${formatCount(filesTotal)} files`, ` of ${formatBytes(bytesTotal)}`];
  const facts: [text: string, columns: number][] = [
    [`${Math.floor(share * 100)}%`, 4],
    [`${formatCount(filesDone)}${allFiles}`, formatCount(filesTotal).length + allFiles.length],
    [`${formatBytes(bytesDone)}${allBytes}`, widest.bytes + allBytes.length],
    [
      leftMs === null
        ? ''
        : `${formatDuration(leftMs < 60_000 ? Math.ceil(leftMs / 1000) * 1000 : leftMs).replace('.0 s', ' s')} left`,
      widest.left,
    ],
    [`${formatBytes(rate)}/s`, widest.rate],
  ];
  // Counts the space reserved for each fact, not its current width, so that the bar and the facts do not jump.
  const cells = () =>
    columns - 2 - label.length - facts.reduce((sum, fact) => sum + fact[1], 2 * (facts.length - 1));
  while (facts.length > 2 && cells() < barCells.wanted) facts.pop();
  const text = facts.flatMap(([fact]) => (fact === '' ? [] : [fact])).join('  ');
  const width = Math.min(barCells.most, cells());
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  const bar = width < barCells.least ? '' : `${'█'.repeat(filled)}${'░'.repeat(width - filled)} `;
  return `${label}${bar}${text}`.slice(0, Math.max(0, columns - 1));
}

export function formatUpgrade({ what, done, total }: UpgradeProgress): string {
  return `upgrading the ${what} of the index: ${Math.floor((100 * done) / Math.max(1, total))}%`;
}
