// Killed at any moment, the indexer leaves an index that the next run completes to the same result as an
// undisturbed run. The kills themselves are in torture/, which runs longer.

import { test } from 'vitest';
import {
  killFirst,
  killRebuild,
  killRepair,
  killRepairAtCalls,
  killUpdate,
  stopWhenAsked,
} from '../../torture/kill.ts';
import type { Trials } from '../../torture/tally.ts';
import { expectNothingFound } from '../support/short-torture.ts';

const count = Number(process.env.RECALL_TEST_KILLS ?? 3);

test.each<[string, (trials: Trials) => Promise<void>, number]>([
  ['kill -9 during the first index', killFirst, count],
  ['kill -9 while taking in what was appended and rewritten', killUpdate, count],
  ['kill -9 during a rebuild, which keeps what is gone', killRebuild, count],
  ['kill -9 during a repair, which keeps what is gone', killRepair, 1],
  ['kill -9 at each change of a name in a repair', killRepairAtCalls, 1],
  ['asked to stop, it does so within a second and leaves the rest for the next run', stopWhenAsked, 2],
])('%s', async (_, torture, times) => {
  await expectNothingFound(torture, times);
});
