// The bench's results as a table for people and as JSON for machines.

import { findBreaches, findBudget, isKept, memoryBudgetMb, type Strictness } from './budgets.ts';
import type { Measure } from './measure.ts';

export interface Report {
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  readonly program: string;
  readonly home: string;
  readonly files: number;
  readonly bytes: number;
  readonly messages: number;
  readonly strictness: Strictness;
  readonly measures: readonly Measure[];
}

const heads = ['measure', 'median', 'min – max', 'peak', 'ratio', 'yardstick', 'budget', ''];

export function toJson(report: Report): string {
  const { measures, strictness } = report;
  return JSON.stringify({ ...report, breaches: findBreaches(measures, strictness) }, null, 2);
}

export function toTable(report: Report): string {
  const rows = [heads, ...report.measures.flatMap((measure) => toRows(measure, report.strictness))];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  // Names to the left, figures to the right.
  const isName = (column: number) => column === 0 || column >= 5;
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (isName(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${toHeader(report)}\n\n${lines.join('\n')}\n`;
}

function toHeader({ date, program, node, cpu, cores, home, files, bytes, messages }: Report): string {
  const size = `${files.toLocaleString('en')} files, ${(bytes / 1e6).toFixed(0)} MB`;
  return [
    `${date}  recall ${program}, node ${node}, ${cpu}, ${cores} cores`,
    `${home} home: ${size}, ${messages.toLocaleString('en')} messages`,
  ].join('\n');
}

/** One row for each yardstick; only the first repeats what is measured. */
function toRows(measure: Measure, strictness: Strictness): string[][] {
  const { name, ms, peakMb, ratios, isProgram } = measure;
  const isHeavy = isProgram && (peakMb ?? 0) > memoryBudgetMb;
  const figures = [
    name,
    ms === null ? '' : formatMs(ms.median),
    ms === null ? '' : `${formatMs(ms.min)} – ${formatMs(ms.max)}`,
    peakMb === null ? '' : `${peakMb.toFixed(0)} MB${isHeavy ? '!' : ''}`,
  ];
  if (ratios.length === 0) return [[...figures, '', '', '', '']];
  return ratios.map(({ yardstick, ratio }, i) => {
    const budget = findBudget(measure.id, yardstick, strictness);
    const verdict = budget === undefined ? [] : [`≤ ${budget}`, isKept(ratio, budget) ? 'ok' : 'BROKEN'];
    const shown = i === 0 ? figures : figures.map(() => '');
    return [...shown, formatRatio(ratio), `× ${yardstick}`, verdict[0] ?? '', verdict[1] ?? ''];
  });
}

export function formatMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;
}

function formatRatio(ratio: number): string {
  return ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2);
}
