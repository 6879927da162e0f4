// Several recalls at once on one index, in many mixtures, while files change: none fails, nothing is lost or doubled.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Random } from '../bench/home/random.ts';
import { TempHome, userLine } from '../test/support/home.ts';
import { rowsOf } from '../test/support/index-home.ts';
import { changeMadeHome, writeMadeHome } from '../test/support/made-home.ts';
import { finish, type Result, startRecall } from '../test/support/program.ts';
import type { Trials } from './tally.ts';
import { expectComplete, expectPlain, runQuietly, startOver, undisturbed } from './whole.ts';

export async function tortureTogether(trials: Trials): Promise<void> {
  await mixtures(trials);
  await fiftySearches(trials);
  await watchAndRebuild(trials);
}

/** What may be said while another recall is at work. */
const waiting =
  /^(another recall( \(process \d+\))? is indexing; waiting for it to finish|recall: another recall is indexing; .*|recall: \d+ files? \([^)]*\) (?:not indexed yet|have to be read again).*|hardly any messages were found .*|\d+ lines? could not .*|\d+ unknown entry type.*|recall: nothing found.*|recall: the index is empty.*|recall: no session .*|recall: (?:the|its) directory .*|recall: the transcript .*|\s+try: .*|indexing .*|)$/;

function expectUndisturbed(result: Result, codes: readonly number[]): void {
  expectPlain(result);
  assert.ok(codes.includes(result.code ?? -1), `exit ${result.code}: ${result.stderr}`);
  for (const line of result.stderr.split('\n')) assert.match(line, waiting);
}

async function expectNothingDoubled(home: TempHome): Promise<void> {
  for (const sql of [
    'select native_id, kind, slug from session group by 1, 2, 3, parent_native_id having count(*) > 1',
    'select session_id, seq from message group by session_id, seq having count(*) > 1',
  ])
    assert.deepEqual(await rowsOf(home, sql), []);
}

const starts: readonly { readonly args: readonly string[]; readonly codes: readonly number[] }[] = [
  { args: ['index'], codes: [0] },
  { args: ['index', '--json'], codes: [0] },
  { args: ['index', '--rebuild'], codes: [0] },
  { args: ['search', 'middleware'], codes: [0, 1] },
  { args: ['search', '--no-refresh', 'getUserById', '--json'], codes: [0, 1] },
  { args: ['doctor'], codes: [0] },
  { args: ['doctor', '--repair'], codes: [0] },
  { args: ['open', 'session-1'], codes: [0, 1] },
  { args: ['forget', 'nobody-knows', '--yes'], codes: [1] },
];

/** Two to six of anything at the same moment, half of the times on no index at all. */
export async function mixtures({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 11);
  const home = new TempHome();
  try {
    writeMadeHome(home, random);
    for (let round = 0; round < count; round++) {
      if (random.chance(0.5)) rmSync(dirname(home.indexPath), { recursive: true, force: true });
      else changeMadeHome(home, random, round);
      const chosen = Array.from({ length: 2 + random.below(5) }, () => random.pick(starts));
      const trial = `seed ${seed}, round ${round}: ${chosen.map(({ args }) => args.join(' ')).join(' | ')}`;
      await tally.attempt('together: mixtures', trial, async () => {
        const results = await Promise.all(chosen.map(({ args }) => finish(startRecall(home, args))));
        for (const [i, result] of results.entries()) expectUndisturbed(result, chosen[i]?.codes ?? []);
        await expectComplete(home, await undisturbed(home));
        await expectNothingDoubled(home);
      });
      if (round % 10 === 9) startOver(home, random);
    }
  } finally {
    home.remove();
  }
}

/** Fifty searches, ten at a time, while one indexer rebuilds and another follows: each finds what was there before. */
export async function fiftySearches({ tally, seed, count }: Trials): Promise<void> {
  const home = new TempHome();
  try {
    writeMadeHome(home, new Random(seed, 12));
    home.writeSession('okapi-session', [userLine('where does the okapi live')]);
    runQuietly(home, ['index']);
    for (let round = 0; round < Math.max(1, Math.ceil(count / 10)); round++) {
      await tally.attempt('together: fifty searches', `seed ${seed}, round ${round}`, async () => {
        const indexers = [['index', '--rebuild'], ['index']].map((args) => finish(startRecall(home, args)));
        for (let i = 0; i < 5; i++) {
          const searches = Array.from({ length: 10 }, (_, n) =>
            finish(
              startRecall(home, ['search', '--json', 'okapi', ...(n % 2 === 0 ? ['--no-refresh'] : [])]),
            ),
          );
          for (const result of await Promise.all(searches)) {
            expectUndisturbed(result, [0]);
            const ids = (JSON.parse(result.stdout) as { hits: { id: string }[] }).hits.map((hit) => hit.id);
            assert.deepEqual(ids, ['okapi-session']);
          }
        }
        for (const result of await Promise.all(indexers)) expectUndisturbed(result, [0]);
        await expectComplete(home, await undisturbed(home));
      });
      tally.count('together: fifty searches', 49);
    }
  } finally {
    home.remove();
  }
}

/** One watches, others rebuild and update, files change all the while. */
export async function watchAndRebuild({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 13);
  const home = new TempHome();
  try {
    writeMadeHome(home, random);
    await tally.attempt('together: watch and rebuild', `seed ${seed}`, async () => {
      const watcher = startRecall(home, ['index', '--watch']);
      const watched = finish(watcher);
      try {
        for (let round = 0; round < count; round++) {
          changeMadeHome(home, random, round);
          const args = random.chance(0.5) ? ['index', '--rebuild'] : ['index'];
          expectUndisturbed(await finish(startRecall(home, args)), [0]);
        }
      } finally {
        watcher.kill('SIGTERM');
      }
      const { code, stderr } = await watched;
      assert.equal(code, 143, stderr);
      expectPlain({ code, stdout: '', stderr });
      await expectComplete(home, await undisturbed(home));
      await expectNothingDoubled(home);
    });
    tally.count('together: watch and rebuild', count - 1);
  } finally {
    home.remove();
  }
}
