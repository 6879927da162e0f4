// A short run of one kind of torture: the same trials as in a long one, only fewer.

import { expect } from 'vitest';
import { Tally, type Trials } from '../../torture/tally.ts';

export async function expectNothingFound(
  torture: (trials: Trials) => Promise<void>,
  count: number,
): Promise<Tally> {
  const tally = new Tally();
  await torture({ tally, seed: 42, count, data: [] });
  expect(tally.findings).toEqual([]);
  expect(tally.checks.size).toBeGreaterThan(0);
  for (const { tried, skipped } of tally.checks.values()) expect(tried > 0 || skipped !== null).toBe(true);
  return tally;
}
