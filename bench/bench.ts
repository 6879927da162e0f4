// How fast and how small, as ratios against yardsticks measured in the same minute on the same files. Every trial is a
// process of its own. See options.ts for the flags: npm run bench -- --help

import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findBreaches } from './budgets.ts';
import { buildYardsticks } from './build-yardsticks.ts';
import { toRecall } from './commands.ts';
import { type Home, keepHome } from './home/keep-home.ts';
import type { Queries } from './home/queries.ts';
import type { HomeShape } from './home/sizes.ts';
import type { Measure } from './measure.ts';
import { measureArchive } from './measure-archive.ts';
import { measureEngines } from './measure-engines.ts';
import { measureFirstAnswer, measureFirstIndex, measureOneLine, measureUnchanged } from './measure-index.ts';
import {
  measureGrep,
  measureGrowth,
  measureRefreshed,
  measureSearch,
  toGrowthPlace,
} from './measure-search.ts';
import { type Group, type Options, parseOptions, toGrowthHome, usage } from './options.ts';
import { readIndex, readQueries, toSizeMeasure } from './read-index.ts';
import { type Report, toJson, toTable } from './report.ts';
import { type Place, runTrial, toIndexPath, toYardstickPath } from './trial.ts';

/** Measures of a fraction of a second are taken so many times as often. */
const shortFactor = 3;

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const options = parseOptions(process.argv.slice(2));
  const work = mkdtempSync(join(tmpdir(), 'recall-bench-'));
  const scripts = await buildYardsticks();
  try {
    const report = measureAll(options, work, scripts);
    if (report === null) return 0;
    console.log(options.json ? toJson(report) : toTable(report));
    return options.check ? sayBreaches(report) : 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
    rmSync(scripts, { recursive: true, force: true });
  }
}

function measureAll(options: Options, work: string, scripts: string): Report | null {
  const home = options.home === null ? openHome(options, work, options.name, options.shape) : null;
  if (options.makeOnly) {
    console.log(JSON.stringify(home?.facts ?? null, null, 2));
    return null;
  }
  const place: Place = { work, claudeDir: home?.claudeDir ?? resolve(options.home ?? '') };
  const { measures, index } = measureHome(options, place, home, scripts);
  for (const messages of options.growth) {
    const { name, shape } = toGrowthHome(messages);
    const grown = openHome(options, work, name, shape);
    say(`search among ${messages} messages`);
    const growthPlace = toGrowthPlace(work, grown.claudeDir, messages);
    measures.push(...measureGrowth(growthPlace, grown.facts.queries, messages, options.trials * shortFactor));
    rmSync(growthPlace.work, { recursive: true });
  }
  return { ...toSurroundings(options, place, home), messages: index.messages, measures };
}

function openHome({ dir }: Options, work: string, name: string, shape: HomeShape): Home {
  const folder = join(dir ?? join(work, 'homes'), name);
  mkdirSync(folder, { recursive: true });
  say(`home ${name}`);
  return keepHome(folder, shape);
}

function measureHome(options: Options, place: Place, home: Home | null, scripts: string) {
  const { only, trials } = options;
  const rounds = trials * shortFactor;
  const long = home?.facts.longTranscript ?? null;
  const measures: Measure[] = [];
  const run = (group: Group, measure: () => Measure[]) => {
    if (!only.has(group)) return;
    say(group);
    measures.push(...measure());
  };
  run('index', () => measureFirstIndex(place, scripts, trials));
  if (!only.has('index')) runTrial(place, toRecall('index', ['index', '--quiet']), false);
  // Before anything is added to it.
  const index = readIndex(toIndexPath(place));
  const bytes = home?.facts.bytes ?? countFiles(place.claudeDir).bytes;
  measures.push(toSizeMeasure(index, bytes, toYardstickPath(place)));
  const queries = toQueries(home, place);
  run('unchanged', () => measureUnchanged(place, rounds));
  run('archive', () => measureArchive(place, scripts, bytes, trials, rounds));
  run('search', () => measureSearch(place, queries, rounds));
  run('refresh', () => measureRefreshed(place, queries, rounds));
  run('grep', () => measureGrep(place, queries, trials));
  run('engines', () => measureEngines(place, queries, trials));
  // Last, because afterwards the index is ahead of the transcripts, or only begun.
  if (long !== null) run('append', () => measureOneLine(place, long, rounds));
  run('answer', () => measureFirstAnswer(place, queries, trials));
  return { measures, index };
}

function toQueries(home: Home | null, place: Place): Queries {
  const made = home?.facts.queries;
  return made === undefined || made.selective.length === 0 ? readQueries(toIndexPath(place)) : made;
}

function toSurroundings(options: Options, place: Place, home: Home | null) {
  const version = runTrial(place, toRecall('version', ['--version']), false).stdout.trim();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    cpu: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    program: version,
    home: home === null ? 'real' : options.name,
    strictness: options.strictness,
    ...(home?.facts ?? countFiles(place.claudeDir)),
  };
}

function countFiles(claudeDir: string): { readonly files: number; readonly bytes: number } {
  const names = readdirSync(join(claudeDir, 'projects'), { recursive: true, encoding: 'utf8' });
  const stats = names
    .map((name) => statSync(join(claudeDir, 'projects', name)))
    .filter((stat) => stat.isFile());
  return { files: stats.length, bytes: stats.reduce((sum, stat) => sum + stat.size, 0) };
}

function sayBreaches({ measures, strictness }: Report): number {
  const breaches = findBreaches(measures, strictness);
  for (const { measure, what } of breaches) console.error(`broken: ${measure}: ${what}`);
  return breaches.length === 0 ? 0 : 1;
}

function say(what: string): void {
  console.error(`bench: ${what}`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
