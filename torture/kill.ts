// SIGKILL at random moments of a first index, an update, a rebuild and a repair: whatever is there afterwards is sound,
// and the next run completes it. SIGINT and SIGTERM: it stops within a second, with what is whole committed.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../bench/home/random.ts';
import { putIndex, ruinPageWith } from '../test/support/damage.ts';
import { TempHome, userLine } from '../test/support/home.ts';
import { contentOf } from '../test/support/index-home.ts';
import { changeMadeHome, madePath, writeMadeHome } from '../test/support/made-home.ts';
import { finish, runRecall, startRecall } from '../test/support/program.ts';
import { hasStrace, injecting, withoutStrace } from './faults.ts';
import type { Trials } from './tally.ts';
import { expectComplete, expectContent, expectSound, runQuietly, startOver, undisturbed } from './whole.ts';

/** Comparing takes as long as many kills. */
const comparedEvery = 10;

export async function tortureKill(trials: Trials): Promise<void> {
  await killFirst(trials);
  await killUpdate(trials);
  await killRebuild(trials);
  await killRepair(trials);
  await killRepairAtCalls(trials);
  await stopWhenAsked(trials);
}

async function withMadeHome(seed: number, use: (home: TempHome) => Promise<void>): Promise<void> {
  const home = new TempHome();
  try {
    writeMadeHome(home, new Random(seed, 1));
    await use(home);
  } finally {
    home.remove();
  }
}

export async function killFirst(trials: Trials): Promise<void> {
  await withMadeHome(trials.seed, async (home) => {
    const wholeMs = measureMs(home, ['index']);
    const expected = await contentOf(home);
    await killOften(trials, 'kill: first index', home, ['index'], wholeMs, {
      prepare: (round) => {
        // A fresh start now and then, else a later kill finds most of the work done.
        if (round % 3 === 0) rmSync(dirname(home.indexPath), { recursive: true });
      },
      compare: () => expectComplete(home, expected),
    });
  });
}

export async function killUpdate(trials: Trials): Promise<void> {
  const random = new Random(trials.seed, 2);
  await withMadeHome(trials.seed, async (home) => {
    measureMs(home, ['index']);
    await killOften(trials, 'kill: update', home, ['index'], 230, {
      prepare: (round) => changeMadeHome(home, random, round),
      compare: async () => {
        await expectComplete(home, await undisturbed(home));
        startOver(home, new Random(trials.seed, 1));
      },
    });
  });
}

export async function killRebuild(trials: Trials): Promise<void> {
  await withMadeHome(trials.seed, async (home) => {
    runQuietly(home, ['index']);
    for (const gone of [3, 17]) rmSync(join(home.claudeDir, madePath(gone)));
    const wholeMs = measureMs(home, ['index', '--rebuild']);
    const expected = await contentOf(home);
    await killOften(trials, 'kill: rebuild', home, ['index', '--rebuild'], wholeMs, {
      prepare: () => {},
      compare: () => expectComplete(home, expected),
    });
  });
}

/** Sessions that exist only in the index are still in it, however often their repair was cut short. */
export async function killRepair(trials: Trials): Promise<void> {
  await withMadeHome(trials.seed, async (home) => {
    const gone = [3, 17].map(madePath);
    const { putBack, expectAllSaved, expected, wholeMs } = await damage(home, gone);
    await killOften(trials, 'kill: repair', home, ['doctor', '--repair'], wholeMs, {
      prepare: putBack,
      checkEach: expectAllSaved,
      compare: () => expectComplete(home, expected),
    });
  });
}

/** Right before each of the calls with which a repair puts the new file in the place of the old one. */
export async function killRepairAtCalls({ tally }: Trials): Promise<void> {
  const check = 'kill: repair, at each change of a name';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const home = new TempHome();
  try {
    const { putBack, expectAllSaved } = await damage(home, [
      home.writeSession('gone', [userLine('only here')]),
    ]);
    for (let nth = 1; nth < 30; nth++) {
      putBack();
      const fault = `rename,link,unlink:signal=SIGKILL:when=${nth}`;
      const { code } = runRecall(home, ['doctor', '--repair'], { via: injecting(fault) });
      if (code === 0) return;
      await tally.attempt(check, fault, expectAllSaved);
    }
  } finally {
    home.remove();
  }
}

/** Indexes the home, deletes some transcripts and ruins a page of the index. */
async function damage(home: TempHome, gone: readonly string[]) {
  home.writeSession('whole', [userLine('the okapi stays')]);
  runQuietly(home, ['index']);
  for (const path of gone) rmSync(join(home.claudeDir, path));
  runQuietly(home, ['index']);
  ruinPageWith(home.indexPath, 'the okapi stays');
  const damaged = readFileSync(home.indexPath);
  const wholeMs = measureMs(home, ['doctor', '--repair']);
  const expected = await contentOf(home);
  const folder = dirname(home.indexPath);
  const isLeft = (name: string) => name.includes('.damaged-') || name.includes('.repair');
  return {
    wholeMs,
    expected,
    putBack: () => {
      for (const name of readdirSync(folder).filter(isLeft)) rmSync(join(folder, name));
      putIndex(home.indexPath, damaged);
    },
    // Half repaired it is still damaged; what counts is that the next repair has everything.
    expectAllSaved: async () => {
      assert.equal(runRecall(home, ['doctor', '--repair']).code, 0);
      runQuietly(home, ['index']);
      await expectContent(home, expected);
    },
  };
}

interface Killing {
  /** Done before each run. */
  readonly prepare: (round: number) => void;
  /** What must hold after every kill; that the index is sound when not given. */
  readonly checkEach?: () => Promise<void>;
  /** What must hold when another run has completed it. */
  readonly compare: () => Promise<void>;
}

/**
 * Runs and kills until enough kills came before the end of a run. One that came too late brings the next ones
 * forward, because how long a run takes depends on what else the machine does.
 */
async function killOften(
  { tally, seed, count }: Trials,
  check: string,
  home: TempHome,
  args: readonly string[],
  wholeMs: number,
  { prepare, checkEach, compare }: Killing,
): Promise<void> {
  const random = new Random(seed, 3);
  const earliestMs = 50;
  let latestMs = Math.max(wholeMs, 2 * earliestMs);
  let landed = 0;
  for (let round = 0; landed < count && round < 4 * count; round++) {
    prepare(round);
    const afterMs = earliestMs + random.fraction() * (latestMs - earliestMs);
    const child = startRecall(home, args);
    const result = finish(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    await result;
    clearTimeout(timer);
    if (child.signalCode !== 'SIGKILL') {
      latestMs = Math.max(latestMs * 0.9, 2 * earliestMs);
      continue;
    }
    landed++;
    const trial = `seed ${seed}, round ${round}, killed after ${afterMs.toFixed(0)} ms`;
    await tally.attempt(check, trial, checkEach ?? (() => expectSound(home)));
    if (landed % comparedEvery === 0 || landed === count)
      await tally.attempt(`${check}, completed`, trial, compare);
  }
  if (landed < count) tally.find(check, `seed ${seed}`, `only ${landed} of ${count} kills came in time`);
}

/** How long a whole run of this takes here, so that the kills fall inside it. */
function measureMs(home: TempHome, args: readonly string[]): number {
  const startedAt = performance.now();
  runQuietly(home, args);
  return performance.now() - startedAt;
}

export async function stopWhenAsked({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 4);
  await withMadeHome(seed, async (home) => {
    const expected = await undisturbed(home);
    for (let i = 0; i < Math.max(2, Math.ceil(count / 10)); i++) {
      const [signal, exitCode] = i % 2 === 0 ? (['SIGINT', 130] as const) : (['SIGTERM', 143] as const);
      const args = i % 4 < 2 && i > 0 ? ['index', '--rebuild'] : ['index'];
      if (i > 0 && args.length === 1) rmSync(dirname(home.indexPath), { recursive: true });
      const pauseMs = i < 2 ? 0 : random.below(200);
      await tally.attempt('stop: SIGINT, SIGTERM', `seed ${seed}, ${signal} ${pauseMs} ms in`, async () => {
        const child = startRecall(home, args);
        const result = finish(child);
        await untilIndexing(home);
        await sleep(pauseMs);
        const askedAt = performance.now();
        // Done already, when it was quicker than that.
        if (!child.kill(signal) || child.exitCode !== null) return;
        const { code, stdout, stderr } = await result;
        if (code !== 0)
          assert.deepEqual({ code, stdout, stderr }, { code: exitCode, stdout: '', stderr: '' });
        const tookMs = performance.now() - askedAt;
        assert.ok(tookMs < 5000, `took ${tookMs.toFixed(0)} ms to stop`);
        await expectSound(home);
        await expectComplete(home, expected);
      });
    }
  });
}

/** Waits until the log of the index has grown by the first rows. */
async function untilIndexing({ indexPath }: TempHome): Promise<void> {
  for (let i = 0; i < 2000; i++) {
    try {
      if (statSync(`${indexPath}-wal`).size > 1024 * 1024) return;
    } catch {
      // Not made yet.
    }
    await sleep(5);
  }
  throw new Error('the indexer wrote nothing');
}
