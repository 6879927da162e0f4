import { describe, expect, test } from 'vitest';
import { findBreaches, findBudget, isKept, memoryBudgetMb } from '../../bench/budgets.ts';
import type { Measure } from '../../bench/measure.ts';

function toFirstIndex(ratio: number, peakMb = 100): Measure {
  const ratios = [{ yardstick: 'plain-way', ratio }];
  return { id: 'first-index', name: 'first index', isProgram: true, ms: null, peakMb, ratios };
}

describe('findBreaches', () => {
  test('a measure within its budget is no breach', () => {
    expect(findBreaches([toFirstIndex(0.85)], 'full')).toEqual([]);
  });

  test('a measure beyond its budget is named with its ratio', () => {
    expect(findBreaches([toFirstIndex(0.86)], 'full')).toEqual([
      { measure: 'first index', what: '0.86 × plain-way, budget 0.85' },
    ]);
  });

  test('small homes are judged less strictly', () => {
    expect(findBreaches([toFirstIndex(3)], 'small')).toEqual([]);
  });

  test('memory counts whatever the home, but only of the program', () => {
    const heavy = toFirstIndex(1, memoryBudgetMb + 1);
    expect(findBreaches([heavy], 'memory')).toHaveLength(1);
    expect(findBreaches([{ ...heavy, isProgram: false }], 'memory')).toEqual([]);
  });

  test('a home of extremes has no other budget', () => {
    expect(findBreaches([toFirstIndex(99)], 'memory')).toEqual([]);
  });
});

test('a ratio that could not be measured keeps no budget', () => {
  expect(isKept(Number.NaN, 1.5)).toBe(false);
});

test('searching is judged at 60,000 messages and at a million, and not between', () => {
  expect(findBudget('search-two-60000', 'bare-node', 'full')).toBe(3.5);
  expect(findBudget('search-common-1000000', 'bare-node', 'full')).toBe(5.5);
  expect(findBudget('search-two-300000', 'bare-node', 'full')).toBeUndefined();
});
