// A disk that fills up or fails in the middle of a write, an index that may only be read, a folder that may not be written
// to: the message names the file and the next command, and once there is room the index is whole.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Random } from '../bench/home/random.ts';
import { TempHome, userLine } from '../test/support/home.ts';
import { changeMadeHome, writeMadeHome } from '../test/support/made-home.ts';
import { type Result, type RunOptions, runRecall } from '../test/support/program.ts';
import {
  asOrdinaryUser,
  giveAway,
  hasMounts,
  hasStrace,
  injecting,
  onSmallDisk,
  whyNoRights,
  withoutStrace,
} from './faults.ts';
import type { Trials } from './tally.ts';
import {
  expectComplete,
  expectHelpful,
  expectPlain,
  expectSound,
  runQuietly,
  startOver,
  undisturbed,
} from './whole.ts';

export async function tortureDisk(trials: Trials): Promise<void> {
  await fullDisk(trials);
  await failingWrites(trials);
  await noRights(trials);
}

/** A first index and an update with room for a random part of what they want to write. */
export async function fullDisk({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 41);
  const home = new TempHome();
  try {
    writeMadeHome(home, random);
    runQuietly(home, ['index']);
    const wholeKb = Math.ceil(statSync(home.indexPath).size / 1024);
    const expected = await undisturbed(home);
    for (let i = 0; i < count; i++) {
      const roomKb = 4 + random.below(wholeKb);
      await tally.attempt(
        'disk: file size limit',
        `seed ${seed}, trial ${i}, room for ${roomKb} kB`,
        async () => {
          if (i % 2 === 0) rmSync(dirname(home.indexPath), { recursive: true });
          const args = i % 4 === 3 ? ['index', '--rebuild'] : ['index'];
          const limit = ['sh', '-c', `ulimit -f ${roomKb * 2} && exec "$@"`, 'sh'];
          expectFullOrDone(runRecall(home, args, { via: limit }), home);
          if (roomKb > 100) await expectSound(home);
          await expectComplete(home, expected);
        },
      );
    }
    if (!hasMounts) {
      tally.skip('disk: full', 'no file system can be mounted here');
      return;
    }
    for (let i = 0; i < Math.ceil(count / 4); i++) {
      const roomKb = 40 + random.below(wholeKb * 2);
      // The disk is gone with the process, so what is there after the fault is looked at by another on the same disk.
      await tally.attempt('disk: full', `seed ${seed}, trial ${i}, ${roomKb} kB`, () => {
        const folder = dirname(home.indexPath);
        const via = onSmallDisk(folder, `${roomKb}k`);
        expectFullOrDone(runRecall(home, i % 2 === 0 ? ['index'] : ['search', 'middleware'], { via }), home);
      });
    }
  } finally {
    home.remove();
  }
}

function expectFullOrDone(result: Result, home: TempHome): void {
  if (result.code === 0) expectPlain(result);
  else expectHelpful(result, home.indexPath);
}

/** ENOSPC and EIO at the nth write, sync or resize of the index. */
export async function failingWrites({ tally, seed, count }: Trials): Promise<void> {
  const check = 'disk: a write fails (ENOSPC, EIO)';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 42);
  const home = new TempHome();
  try {
    writeMadeHome(home, random);
    runQuietly(home, ['index']);
    for (let i = 0; i < count; i++) {
      const call = random.pick(['pwrite64', 'pwrite64', 'fdatasync', 'fsync', 'ftruncate']);
      const nth = 1 + (call === 'pwrite64' ? random.below(400) : random.below(4));
      const fault = `${call}:error=${random.pick(['ENOSPC', 'EIO'])}:when=${nth}${random.pick(['', '+'])}`;
      await tally.attempt(check, `seed ${seed}, trial ${i}, ${fault}`, async () => {
        if (i % 3 === 0) rmSync(dirname(home.indexPath), { recursive: true });
        else changeMadeHome(home, random, i);
        const args = i % 3 === 2 ? ['index', '--rebuild'] : ['index'];
        expectFullOrDone(runRecall(home, args, { via: injecting(fault) }), home);
        await expectSound(home);
        await expectComplete(home, await undisturbed(home));
      });
      if (i % 10 === 9) startOver(home, random);
    }
  } finally {
    home.remove();
  }
}

interface Refusal {
  readonly name: string;
  readonly make: (home: TempHome) => void;
  /** What still works. */
  readonly works: readonly (readonly string[])[];
  readonly fails: readonly (readonly string[])[];
}

const reading = [
  ['search', 'okapi'],
  ['search', '--no-refresh', 'okapi'],
  ['open', 'aaaaaaaa'],
];

const refusals: readonly Refusal[] = [
  {
    name: 'the index may only be read',
    make: (home) => chmodSync(home.indexPath, 0o400),
    works: [],
    fails: [
      ['index', '--rebuild'],
      ['forget', 'aaaaaaaa', '--yes'],
    ],
  },
  {
    name: 'the folder may not be written to',
    make: (home) => chmodSync(dirname(home.indexPath), 0o500),
    works: [],
    fails: [
      ['index', '--rebuild'],
      ['forget', 'aaaaaaaa', '--yes'],
    ],
  },
  {
    name: 'the folder may not be entered',
    make: (home) => chmodSync(dirname(home.indexPath), 0o000),
    works: [],
    fails: [...reading, ['index'], ['doctor'], ['doctor', '--repair'], ['forget', 'aaaaaaaa', '--yes']],
  },
  {
    name: 'no folder can be made',
    make: (home) => {
      rmSync(dirname(home.indexPath), { recursive: true });
      chmodSync(home.path, 0o500);
    },
    works: [],
    fails: [...reading, ['index'], ['doctor']],
  },
  {
    name: 'a file in the place of the folder',
    make: (home) => {
      rmSync(dirname(home.indexPath), { recursive: true });
      writeFileSync(dirname(home.indexPath), 'no folder');
    },
    works: [],
    fails: [...reading, ['index'], ['doctor']],
  },
  {
    name: 'a folder in the place of the index',
    make: (home) => {
      rmSync(home.indexPath);
      mkdirSync(home.indexPath);
    },
    works: [],
    fails: [...reading, ['index'], ['doctor'], ['doctor', '--repair']],
  },
  {
    name: 'the transcripts may only be read',
    make: (home) => chmodSync(home.claudeDir, 0o500),
    works: [...reading, ['index'], ['index', '--rebuild'], ['doctor']],
    fails: [],
  },
];

export async function noRights({ tally }: Trials): Promise<void> {
  const check = 'disk: permissions';
  for (const { name, make, works, fails } of refusals) {
    const home = new TempHome();
    try {
      home.writeSession('aaaaaaaa', [userLine('the okapi', { cwd: '/' })]);
      const why = whyNoRights(home);
      if (why !== null) {
        tally.skip(check, why);
        return;
      }
      const run = (args: readonly string[], options: RunOptions = asOrdinaryUser) =>
        runRecall(home, args, options);
      assert.equal(run(['index']).code, 0);
      giveAway(home.path);
      make(home);
      for (const args of fails)
        await tally.attempt(check, `${name}: ${args.join(' ')}`, () =>
          expectHelpful(run(args), home.indexPath),
        );
      for (const args of works)
        await tally.attempt(check, `${name}: ${args.join(' ')}`, () => {
          const result = run(args);
          expectPlain(result);
          assert.ok(result.code === 0 || args[0] === 'open', result.stderr);
        });
    } finally {
      chmodSync(home.path, 0o700);
      home.remove();
    }
  }
}
