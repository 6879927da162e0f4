// Measures making the index: the whole of it, a first answer before that, nothing to do, and one new line.

import { appendFileSync, rmSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, toFind, toFirstIndex, toRecall, toScript, toSearch } from './commands.ts';
import type { Queries } from './home/queries.ts';
import type { Measure } from './measure.ts';
import { getTimed, type Results, runRounds } from './rounds.ts';
import { median, subtract, toRatio, toSpread } from './statistics.ts';
import { type Place, toIndexPath, toYardstickPath } from './trial.ts';

export function measureFirstIndex(place: Place, scripts: string, rounds: number): Measure[] {
  const made = toYardstickPath(place);
  const removeMade = { before: () => removeDatabase(made) };
  const oneCore = isInstalled('taskset')
    ? [toFirstIndex(place, 'first-index-one-core', ['taskset', '-c', '0'])]
    : [];
  const results = runRounds(
    place,
    [
      toScript(scripts, 'read-and-parse', [place.claudeDir]),
      toScript(scripts, 'plain-way', [place.claudeDir, made], removeMade),
      ...oneCore,
      toFirstIndex(place, 'first-index'),
    ],
    rounds,
  );
  const yardsticks = ['plain-way', 'read-and-parse'];
  return [
    toMeasure(results, 'read-and-parse', 'read + JSON.parse', []),
    toMeasure(results, 'plain-way', 'plain way', ['read-and-parse']),
    toMeasure(results, 'first-index', 'first index', yardsticks, true),
    ...oneCore.map(({ id }) => toMeasure(results, id, 'first index, one core', yardsticks, true)),
  ];
}

const firstAnswerMs = 3000;

/** A search on a home that was never indexed. What it costs is promised in seconds, whatever the home. */
export function measureFirstAnswer(place: Place, queries: Queries, rounds: number): Measure[] {
  const removeFirst = { before: () => removeDatabase(toIndexPath(place)), isLong: true };
  const results = runRounds(
    place,
    [{ ...toSearch('first-answer', queries.common, true), ...removeFirst }],
    rounds,
  );
  const { ms } = getTimed(results, 'first-answer');
  const ratio = median(ms) / firstAnswerMs;
  return [
    {
      ...toMeasure(results, 'first-answer', 'first answer', [], true),
      ratios: [{ yardstick: 'three seconds', ratio }],
    },
  ];
}

/** Only what it does beyond starting up is compared with `find`, which hardly has to start. */
export function measureUnchanged(place: Place, rounds: number): Measure[] {
  const commands = [
    toFind(place),
    toRecall('start-up', ['--version']),
    toRecall('unchanged', ['index', '--quiet']),
  ];
  const results = runRounds(place, commands, rounds);
  const find = getTimed(results, 'find');
  const beyond = subtract(getTimed(results, 'unchanged').ms, getTimed(results, 'start-up').ms);
  return [
    toMeasure(results, 'find', 'find -printf', []),
    toMeasure(results, 'start-up', 'recall --version', [], true),
    {
      ...toMeasure(results, 'unchanged', 'nothing changed', [], true),
      ratios: [{ yardstick: 'find', ratio: toRatio(beyond, find.ms) }],
    },
  ];
}

/** Writes to the transcript and takes it back: only for homes that were made for this. */
export function measureOneLine(place: Place, transcript: string, rounds: number): Measure[] {
  const path = join(place.claudeDir, transcript);
  const { size, atimeMs, mtimeMs } = statSync(path);
  const append = () => appendFileSync(path, `${JSON.stringify(newLine)}\n`);
  const commands = [
    toRecall('unchanged', ['index', '--quiet']),
    toRecall('one-line', ['index', '--quiet'], { before: append }),
  ];
  try {
    const results = runRounds(place, commands, rounds);
    const name = `one line added to ${(size / 1e6).toFixed(0)} MB`;
    return [toMeasure(results, 'one-line', name, ['unchanged'], true)];
  } finally {
    truncateSync(path, size);
    utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
  }
}

const newLine = {
  type: 'user',
  timestamp: '2026-11-01T00:00:00.000Z',
  message: { role: 'user', content: 'one more line' },
};

export function toMeasure(
  results: Results,
  id: string,
  name: string,
  yardsticks: readonly string[],
  isProgram = false,
): Measure {
  const { ms, peakMb } = getTimed(results, id);
  const ratios = yardsticks.map((yardstick) => ({
    yardstick,
    ratio: toRatio(ms, getTimed(results, yardstick).ms),
  }));
  return { id, name, isProgram, ms: toSpread(ms), peakMb, ratios };
}

function removeDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}
