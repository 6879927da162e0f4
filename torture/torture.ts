// Long runs that try to break recall. Each kind of fault is a file of its own here; every change passes a short run.
// See options.ts for the flags: npm run torture -- --help

import { execFileSync } from 'node:child_process';
import { tortureArchive } from './archive.ts';
import { tortureDamage } from './damage.ts';
import { tortureDisk } from './disk.ts';
import { tortureFiles } from './files.ts';
import { tortureForget } from './forget.ts';
import { tortureHostile } from './hostile.ts';
import { tortureKill } from './kill.ts';
import { tortureLines } from './lines.ts';
import { type Kind, parseOptions, usage } from './options.ts';
import { torturePrivacy } from './privacy.ts';
import { tortureQueries } from './queries.ts';
import { toFindingText, toTable } from './report.ts';
import { Tally, type Trials } from './tally.ts';
import { tortureTogether } from './together.ts';

const kinds: Readonly<Record<Kind, (trials: Trials) => Promise<void>>> = {
  kill: tortureKill,
  together: tortureTogether,
  files: tortureFiles,
  disk: tortureDisk,
  damage: tortureDamage,
  lines: tortureLines,
  queries: tortureQueries,
  hostile: tortureHostile,
  privacy: torturePrivacy,
  forget: tortureForget,
  archive: tortureArchive,
};

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const { only, seed, counts, data } = parseOptions(process.argv.slice(2));
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  const tally = new Tally((finding) => console.error(toFindingText(finding)));
  for (const kind of only) {
    const count = counts[kind];
    console.error(`torture: ${kind}, ${count.toLocaleString('en')} trials, seed ${seed}`);
    await kinds[kind]({ tally, seed, count, data });
  }
  console.log(`\n${toTable(tally.checks)}\n`);
  console.log(`${tally.findings.length} findings`);
  return tally.findings.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`torture: ${error instanceof Error ? error.stack : error}`);
  process.exitCode = 2;
}
