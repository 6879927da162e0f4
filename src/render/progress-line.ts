// One line that shows how far indexing has got: a bar with files, bytes, time left and rate, as much of it as fits.
// Pure; the command decides where and how often to show it.

import type { Progress, UpgradeProgress } from '../api/host.ts';
import { formatBytes, formatCount, formatDuration } from './quantities.ts';

const barCells = { least: 5, wanted: 8, most: 30 } as const;

/** The greatest widths of bytes, rate and time left, so that the space reserved for them does not change. */
const widest = { bytes: '99.9 MB'.length, rate: '99.9 MB/s'.length, left: '59:59 min left'.length } as const;

export function toProgressLine(
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
    [leftMs === null ? '' : `${formatDuration(leftMs)} left`, widest.left],
    [`${formatBytes(rate)}/s`, widest.rate],
  ];
  // Counts the space reserved for each fact, not its current width, so that the bar and the facts do not jump.
  const cells = () =>
    columns - 2 - label.length - facts.reduce((sum, fact) => sum + fact[1], 2 * (facts.length - 1));
  while (facts.length > 2 && cells() < barCells.wanted) facts.pop();
  const text = facts
    .map((fact) => fact[0])
    .filter((fact) => fact !== '')
    .join('  ');
  const bar = cells() < barCells.least ? '' : `${toBar(share, Math.min(barCells.most, cells()))} `;
  return `${label}${bar}${text}`.slice(0, Math.max(0, columns - 1));
}

function toBar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}

export function toUpgradeLine({ what, done, total }: UpgradeProgress): string {
  return `upgrading the ${what} of the index: ${Math.floor((100 * done) / Math.max(1, total))}%`;
}
