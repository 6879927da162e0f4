import { expect, test } from 'vitest';
import type { Measure } from '../../bench/measure.ts';
import { formatMs, type Report, toJson, toTable } from '../../bench/report.ts';

const unchanged: Measure = {
  id: 'unchanged',
  name: 'nothing changed',
  isProgram: true,
  ms: { median: 61.25, min: 58, max: 70, trials: 3 },
  peakMb: 47.4,
  ratios: [{ yardstick: 'find', ratio: 4.5 }],
};

const size: Measure = {
  id: 'index-size',
  name: 'index, 3 MB',
  isProgram: false,
  ms: null,
  peakMb: null,
  ratios: [{ yardstick: 'text', ratio: 2.4 }],
};

const report: Report = {
  date: '2026-11-16',
  node: '20.20.2',
  cpu: 'Abacus',
  cores: 2,
  program: '0.1.0',
  home: 'large',
  files: 28_000,
  bytes: 4e9,
  messages: 300_000,
  strictness: 'full',
  measures: [unchanged, size],
};

test('a table names the machine, the home and every verdict', () => {
  expect(toTable(report)).toBe(
    [
      '2026-11-16  recall 0.1.0, node 20.20.2, Abacus, 2 cores',
      'large home: 28,000 files, 4000 MB, 300,000 messages',
      '',
      'measure           median          min – max   peak  ratio  yardstick  budget',
      'nothing changed  61.3 ms  58.0 ms – 70.0 ms  47 MB   4.50  × find     ≤ 4     BROKEN',
      'index, 3 MB                                          2.40  × text     ≤ 3     ok',
      '',
    ].join('\n'),
  );
});

test('JSON carries the measures and what is broken', () => {
  const json = JSON.parse(toJson(report)) as Report & { readonly breaches: unknown };
  expect(json.measures).toEqual(report.measures);
  expect(json.breaches).toEqual([{ measure: 'nothing changed', what: '4.50 × find, budget 4' }]);
});

test('long times are shown in seconds', () => {
  expect([9.96, 123.4, 9999, 12_340].map(formatMs)).toEqual(['10.0 ms', '123 ms', '9999 ms', '12.3 s']);
});
