// How fast and how small, as ratios against yardsticks measured in the same run on the same files. Every trial is a
// process of its own. Usage: npm run bench -- [--trials 5] [--json]

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeHome } from './home/make-home.ts';
import { sizes } from './home/sizes.ts';

interface Measure {
  readonly name: string;
  readonly medianMs: number;
  readonly peakMb: number;
  readonly against: string;
  readonly ratio: number;
}

const program = resolve('dist/recall.cjs');
const work = mkdtempSync(join(tmpdir(), 'recall-bench-'));
const claudeDir = join(work, '.claude');
const db = join(work, 'recall', 'recall.db');
const trials = numberFlag('trials', 5);

function measureAll(): Measure[] {
  const bare = time(['-e', '0']);
  const plain = time(['-e', plainRead, claudeDir]);
  const first = time([program, 'index', '--quiet'], () =>
    rmSync(join(work, 'recall'), { recursive: true, force: true }),
  );
  const unchanged = time([program, 'index', '--quiet']);
  const oneLine = time([program, 'index', '--quiet'], appendLine);
  const rare = time([program, 'search', '--no-refresh', 'redis webhook unicode']);
  const refreshed = time([program, 'search', 'redis webhook unicode']);
  const against = (name: string, of: Trial, by: string, yardstick: Trial): Measure => ({
    ...{ name, medianMs: of.medianMs, peakMb: of.peakMb, against: by },
    ratio: of.medianMs / yardstick.medianMs,
  });
  return [
    against('bare node', bare, 'itself', bare),
    against('read + JSON.parse everything', plain, 'bare node', bare),
    against('first index', first, 'read + JSON.parse', plain),
    against('index, nothing changed', unchanged, 'bare node', bare),
    against('index, one line appended', oneLine, 'nothing changed', unchanged),
    against('search --no-refresh', rare, 'bare node', bare),
    against('search with refresh', refreshed, 'bare node', bare),
  ];
}

interface Trial {
  readonly medianMs: number;
  readonly peakMb: number;
}

function time(args: readonly string[], before: () => void = () => {}): Trial {
  const ms: number[] = [];
  for (let i = 0; i < trials; i++) {
    before();
    const startedAt = performance.now();
    run(args);
    ms.push(performance.now() - startedAt);
  }
  ms.sort((a, b) => a - b);
  before();
  // Once more for its memory, since loading the reporter would lengthen the trials.
  const peakKb = /peak-kb (\d+)/.exec(run(['--import', reportPeak, ...args]))?.[1];
  return { medianMs: ms[Math.floor(ms.length / 2)] ?? 0, peakMb: Number(peakKb ?? 0) / 1024 };
}

/** What the child said on stderr. */
function run(args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: work, RECALL_DB: db, CLAUDE_CONFIG_DIR: claudeDir };
  const child = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`${args.join(' ')}: ${child.stderr}`);
  return child.stderr;
}

const reportPeak = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => process.stderr.write('peak-kb ' + process.resourceUsage().maxRSS + '\\n'))",
)}`;

const plainRead = `
  const fs = require('node:fs'), path = require('node:path'); let n = 0;
  for (const name of fs.readdirSync(process.argv[1], { recursive: true })) {
    if (!name.endsWith('.jsonl')) continue;
    for (const line of fs.readFileSync(path.join(process.argv[1], name), 'utf8').split('\\n')) if (line) n += JSON.parse(line).type.length;
  }`;

function appendLine(): void {
  const file =
    readdirSync(claudeDir, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.jsonl')) ??
    '';
  const line = {
    type: 'user',
    timestamp: new Date(2026, 5, 1).toISOString(),
    message: { content: 'one more line' },
  };
  appendFileSync(join(claudeDir, file), `${JSON.stringify(line)}\n`);
}

function printTable(bytes: number, measures: readonly Measure[]): void {
  const indexMb = statSync(db).size / 1e6;
  console.log(
    `${(bytes / 1e6).toFixed(0)} MB of transcripts, index ${indexMb.toFixed(1)} MB, median of ${trials} trials\n`,
  );
  for (const { name, medianMs, peakMb, against, ratio } of measures) {
    const figures = `${medianMs.toFixed(0).padStart(7)} ms ${peakMb.toFixed(0).padStart(5)} MB`;
    console.log(`${name.padEnd(30)}${figures}   ${ratio.toFixed(2).padStart(6)} × ${against}`);
  }
}

function numberFlag(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

try {
  const { bytes } = makeHome(claudeDir, sizes.small);
  const measures = measureAll();
  if (process.argv.includes('--json')) console.log(JSON.stringify({ bytes, trials, measures }));
  else printTable(bytes, measures);
} finally {
  rmSync(work, { recursive: true, force: true });
}
