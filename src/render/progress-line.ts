// One line that says how far indexing has come: a bar with files, bytes, rate and time left on a terminal, the
// same as plain words elsewhere. Pure; who shows it, where and how often is the command's business.

import type { Progress } from '../indexing/report.ts';
import { formatBytes, formatCount, formatDuration } from './quantities.ts';

export function toProgressLine(progress: Progress, elapsedMs: number, columns: number): string {
  const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
  const share = bytesTotal === 0 ? (filesTotal === 0 ? 1 : filesDone / filesTotal) : bytesDone / bytesTotal;
  const rate = elapsedMs === 0 ? 0 : (bytesDone / elapsedMs) * 1000;
  const leftMs = share === 0 ? null : (elapsedMs / share) * (1 - share);
  const facts = [
    `${Math.floor(share * 100)}%`,
    `${formatCount(filesDone)}/${formatCount(filesTotal)} files`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
    `${formatBytes(rate)}/s`,
    leftMs === null ? '' : `${formatDuration(leftMs)} left`,
  ].filter((fact) => fact !== '');
  const label = 'indexing ';
  // On a narrow terminal the last facts go first.
  while (facts.length > 2 && label.length + facts.join('  ').length > columns - 1) facts.pop();
  const text = facts.join('  ');
  const room = Math.min(30, columns - label.length - text.length - 4);
  return room < 5
    ? `${label}${text}`.slice(0, Math.max(0, columns - 1))
    : `${label}${toBar(share, room)} ${text}`;
}

function toBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}
