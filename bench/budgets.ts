// What the program may cost, as ratios, and whether it kept to that.

import type { Measure } from './measure.ts';

export interface Budget {
  readonly measure: string;
  readonly yardstick: string;
  /** At most so many times the yardstick, for homes of the size it was promised for. */
  readonly full: number;
  /**
   * The same for the small home, where starting up is most of every measure and machines of others are noisy: about
   * twice what is measured there, so that a program twice or three times as slow is noticed.
   */
  readonly small: number;
}

/** Which of the two holds; only that of memory where a home is made of extremes. */
export type Strictness = 'full' | 'small' | 'memory';

/** Searching is promised for 60,000 and for 1,000,000 messages, so of the growing homes only these are judged, and always fully. */
const searchBudgets = ['one', 'two', 'three', 'common', 'question'].flatMap((words) => {
  const yardstick = 'bare-node';
  const isMuch = words === 'common' || words === 'question';
  const [full, small, million] = isMuch ? [4.5, 8, 5.5] : [3.5, 5, 3.5];
  return [
    { measure: `search-${words}`, yardstick, full, small },
    { measure: `search-${words}-60000`, yardstick, full, small: full },
    { measure: `search-${words}-1000000`, yardstick, full: million, small: million },
  ];
});

export const budgets: readonly Budget[] = [
  { measure: 'first-index', yardstick: 'plain-way', full: 0.85, small: 5 },
  { measure: 'first-index-one-core', yardstick: 'plain-way', full: 1.35, small: 8 },
  { measure: 'first-answer', yardstick: 'three seconds', full: 1, small: 1.5 },
  { measure: 'unchanged', yardstick: 'find', full: 4, small: 25 },
  { measure: 'one-line', yardstick: 'unchanged', full: 1.6, small: 2.5 },
  // Every file is flushed to the disk, which brotli alone does not do.
  { measure: 'archive', yardstick: 'brotli-alone', full: 3, small: 6 },
  // Text that was made up repeats itself less than real transcripts, of which it takes 0.14.
  { measure: 'archive-size', yardstick: 'transcripts', full: 0.22, small: 0.3 },
  { measure: 'unchanged-archived', yardstick: 'unchanged', full: 1.1, small: 1.5 },
  ...searchBudgets,
  { measure: 'refreshed-rare', yardstick: 'bare-node', full: 4.5, small: 6 },
  // At most twice as much more.
  { measure: 'refreshed-rare', yardstick: 'search-rare', full: 3, small: 4 },
  { measure: 'refreshed-common', yardstick: 'search-common', full: 3, small: 4 },
  { measure: 'index-size', yardstick: 'transcripts', full: 0.25, small: 0.5 },
  { measure: 'index-size', yardstick: 'text', full: 3, small: 8 },
];

/** Whatever the home. */
export const memoryBudgetMb = 250;

export interface Breach {
  readonly measure: string;
  readonly what: string;
}

export function findBudget(measure: string, yardstick: string, strictness: Strictness): number | undefined {
  if (strictness === 'memory') return undefined;
  return budgets.find((budget) => budget.measure === measure && budget.yardstick === yardstick)?.[strictness];
}

/** A ratio that could not be measured keeps no budget. */
export function isKept(ratio: number, budget: number): boolean {
  return ratio <= budget;
}

export function findBreaches(measures: readonly Measure[], strictness: Strictness): Breach[] {
  return measures.flatMap(({ id, name, isProgram, peakMb, ratios }) => {
    const breaches: Breach[] = [];
    for (const { yardstick, ratio } of ratios) {
      const budget = findBudget(id, yardstick, strictness);
      if (budget !== undefined && !isKept(ratio, budget))
        breaches.push({ measure: name, what: `${ratio.toFixed(2)} × ${yardstick}, budget ${budget}` });
    }
    if (isProgram && peakMb !== null && peakMb > memoryBudgetMb)
      breaches.push({ measure: name, what: `${peakMb.toFixed(0)} MB resident, budget ${memoryBudgetMb}` });
    return breaches;
  });
}
