// What was tried as a table, and each finding with what leads to it.

import type { Check, Finding } from './tally.ts';

const heads = ['check', 'tried', 'found', 'time', ''];

export function toTable(checks: ReadonlyMap<string, Check>): string {
  const rows = [heads, ...[...checks].map(([name, check]) => toRow(name, check))];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column === 0 || column === 4;
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

function toRow(name: string, { tried, found, took, note, skipped }: Check): string[] {
  if (skipped !== null) return [name, '–', '–', '–', `not tried: ${skipped}`];
  return [name, tried.toLocaleString('en'), found.toLocaleString('en'), formatSeconds(took), note];
}

function formatSeconds(ms: number): string {
  return ms >= 10_000 ? `${(ms / 1000).toFixed(0)} s` : `${(ms / 1000).toFixed(1)} s`;
}

export function toFindingText({ check, trial, what }: Finding): string {
  return `FOUND ${check}: ${trial}\n  ${what.replaceAll('\n', '\n  ')}`;
}
