// One trial: a child process with a home and an index of its own, its time, and the most memory it held.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where trials run: a folder that is thrown away, and the transcripts they look at. */
export interface Place {
  readonly work: string;
  readonly claudeDir: string;
}

export interface Command {
  /** Names it among the commands of its rounds. */
  readonly id: string;
  readonly argv: readonly string[];
  /** Done before each trial, outside the clock. */
  readonly before?: () => void;
  /** Exit codes that are no failure; 0 when not given. */
  readonly statuses?: readonly number[];
  /** Takes seconds, so that watching its memory does not disturb the clock. */
  readonly isLong?: boolean;
}

export interface Trial {
  readonly ms: number;
  /** Null when it was not watched. */
  readonly peakMb: number | null;
  readonly stdout: string;
}

export function toIndexPath({ work }: Place): string {
  return join(work, 'recall', 'recall.db');
}

/** The index that the plain way makes. */
export function toYardstickPath({ work }: Place): string {
  return join(work, 'yardstick.db');
}

export function runTrial(place: Place, command: Command, watchMemory: boolean): Trial {
  command.before?.();
  const peakFile = join(place.work, 'peak.txt');
  writeFileSync(peakFile, '');
  const env = { ...toEnvironment(place), ...(watchMemory ? toWatch(place.work, peakFile) : {}) };
  const [file = '', ...args] = command.argv;
  const startedAt = performance.now();
  const child = spawnSync(file, args, { cwd: place.work, env, encoding: 'utf8', maxBuffer: 1e9 });
  const ms = performance.now() - startedAt;
  if (child.error !== undefined) throw child.error;
  if (!(command.statuses ?? [0]).includes(child.status ?? -1))
    throw new Error(`${command.argv.join(' ')}: exit code ${child.status}: ${child.stderr.slice(0, 2000)}`);
  const peakMb = watchMemory ? toPeakMb(readFileSync(peakFile, 'utf8')) : null;
  rmSync(peakFile);
  return { ms, peakMb, stdout: child.stdout };
}

/** Only what a program needs to start, and nothing of the home of whoever runs the bench. */
function toEnvironment(place: Place): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: place.work,
    TZ: 'UTC',
    RECALL_DB: toIndexPath(place),
    CLAUDE_CONFIG_DIR: place.claudeDir,
  };
}

/** Node loads this into the trial; threads load it too, and report the same process. */
const reportPeak = `
  const { appendFileSync } = require('node:fs');
  process.on('exit', () => {
    const line = process.pid + ' ' + process.resourceUsage().maxRSS + '\\n';
    appendFileSync(process.env.BENCH_PEAK_FILE, line);
  });`;

function toWatch(work: string, peakFile: string): Record<string, string> {
  const preload = join(work, 'report-peak.cjs');
  writeFileSync(preload, reportPeak);
  return { NODE_OPTIONS: `--require "${preload}"`, BENCH_PEAK_FILE: peakFile };
}

/** The peaks of all processes together, each in kilobytes. */
export function toPeakMb(report: string): number | null {
  const peaks = new Map<string, number>();
  for (const [, pid = '', kilobytes] of report.matchAll(/^(\d+) (\d+)$/gm))
    peaks.set(pid, Math.max(peaks.get(pid) ?? 0, Number(kilobytes)));
  if (peaks.size === 0) return null;
  return [...peaks.values()].reduce((sum, peak) => sum + peak, 0) / 1024;
}
