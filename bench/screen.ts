// How the interactive screen feels, as counts and ratios: the real program on a pseudo-terminal, beside `recall list` and beside the
// same searches in this process.
//   node scripts/run-ts.mjs bench/screen.ts [--messages 60000] [--dir <folder>] [--json]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openRecall } from '../src/library.ts';
import { keepHome } from './home/keep-home.ts';
import { toGrowthHome } from './options.ts';
import { median } from './statistics.ts';
import { size, TimedTerminal } from './terminal.ts';

const program = resolve('dist/recall.cjs');
const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '60000' },
    dir: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const work = mkdtempSync(join(tmpdir(), 'recall-screen-'));
try {
  await main();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const { name, shape } = toGrowthHome(Number(values.messages));
  const folder = join(values.dir ?? join(work, 'homes'), name);
  mkdirSync(folder, { recursive: true });
  const home = keepHome(folder, shape);
  const db = join(work, 'recall.db');
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: work, TERM: 'xterm', TZ: 'UTC', LANG: 'C.UTF-8' },
    ...{ RECALL_DB: db, CLAUDE_CONFIG_DIR: home.claudeDir },
  };
  const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { env, cwd: work });
  run('index', '--quiet');
  const { selective, common } = home.facts.queries;
  const queries = [...selective, common.split(' ').slice(0, 2).join(' ')];
  const report = {
    messages: Number(values.messages),
    ...(await measureFirstPaint(env)),
    ...(await measureKeys(env, db, home.claudeDir, queries)),
    ...(await measureBurst(env)),
    ...(await measureIdle(env)),
  };
  console.log(values.json ? JSON.stringify(report) : toTable(report));
}

function open(env: Record<string, string>): TimedTerminal {
  return new TimedTerminal(`'${process.execPath}' '${program}'`, env, work);
}

/** From starting the program to its first frame, and `recall list` from start to end on the same kind of terminal. */
async function measureFirstPaint(env: Record<string, string>) {
  const paints: number[] = [];
  const lists: number[] = [];
  for (let i = 0; i < 9; i++) {
    const terminal = open(env);
    await terminal.untilPainted();
    paints.push((terminal.painted[0]?.atMs ?? 0) - terminal.startedAtMs);
    await terminal.untilQuiet();
    await terminal.close();
    const startedAtMs = performance.now();
    spawnSync('script', ['-qfec', `exec '${process.execPath}' '${program}' list`, '/dev/null'], {
      env,
      cwd: work,
    });
    lists.push(performance.now() - startedAtMs);
  }
  const ratio = median(paints.map((ms, i) => ms / (lists[i] ?? Number.NaN)));
  return { firstPaintMs: median(paints), listMs: median(lists), firstPaintOfList: ratio };
}

/** A person types each query; a result is painted when another row than the first changes. */
async function measureKeys(
  env: Record<string, string>,
  db: string,
  claudeDir: string,
  queries: readonly string[],
) {
  const recall = openRecall({ db, claudeDirs: [claudeDir], cwd: work, env });
  const terminal = open(env);
  await terminal.untilPainted();
  await terminal.untilQuiet(1500);
  const shown: number[] = [];
  const painted: number[] = [];
  const searched: number[] = [];
  const bytes: number[] = [];
  for (const query of queries) {
    for (const [i, key] of [...query].entries()) {
      const atMs = terminal.type(key);
      await terminal.untilQuiet();
      const frames = terminal.since(atMs);
      const result = frames.find(({ rows }) => rows.some((row) => row > 1));
      shown.push((frames[0]?.atMs ?? Number.NaN) - atMs);
      bytes.push(frames.reduce((sum, frame) => sum + frame.bytes, 0));
      const startedAtMs = performance.now();
      const typed = query.slice(0, i + 1);
      await recall.search({ query: typed, limit: 50, isTyping: true }, { refresh: false });
      // A key that changes nothing paints nothing.
      if (result !== undefined) painted.push(result.atMs - atMs);
      if (result !== undefined) searched.push(performance.now() - startedAtMs);
    }
    terminal.type('\x15');
    await terminal.untilQuiet();
  }
  const { peakMb } = terminal.readUse();
  await terminal.close();
  recall.close();
  return {
    keys: shown.length,
    keyShownP50: quantile(shown, 0.5),
    keyShownP95: quantile(shown, 0.95),
    resultP50: quantile(painted, 0.5),
    resultP95: quantile(painted, 0.95),
    searchP50: quantile(searched, 0.5),
    searchP95: quantile(searched, 0.95),
    resultOfSearch: median(painted.map((ms, i) => ms / (searched[i] ?? Number.NaN))),
    screensPerKeyMax: Math.max(...bytes) / (size.columns * size.rows),
    peakMb,
  };
}

/** Forty keys as fast as they can be sent one by one. */
async function measureBurst(env: Record<string, string>) {
  const terminal = open(env);
  await terminal.untilPainted();
  await terminal.untilQuiet(1500);
  const from = performance.now();
  for (const key of 'the quick search for a file in every test') {
    terminal.type(key);
    await sleep(2);
  }
  const lastKeyMs = performance.now();
  await terminal.untilQuiet(3000);
  const frames = terminal.since(from);
  const results = frames.filter(({ rows }) => rows.includes(2));
  const echo = frames.filter(({ rows }) => rows.includes(1)).at(-1);
  await terminal.close();
  return { burstSearches: results.length, burstShownMs: Math.max(0, (echo?.atMs ?? Number.NaN) - lastKeyMs) };
}

async function measureIdle(env: Record<string, string>) {
  const terminal = open(env);
  await terminal.untilPainted();
  await terminal.untilQuiet(2500);
  const before = terminal.readUse();
  await sleep(3000);
  const after = terminal.readUse();
  await terminal.close();
  return { idleCpuMsPerSecond: (after.cpuMs - before.cpuMs) / 3 };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function toTable(report: Readonly<Record<string, number>>): string {
  return Object.entries(report)
    .map(([name, value]) => `${name.padEnd(22)} ${Number.isInteger(value) ? value : value.toFixed(2)}`)
    .join('\n');
}
