import { expect, test } from 'vitest';
import { median, subtract, toRatio, toSpread } from '../../bench/statistics.ts';

test('the median is the middle value, or the mean of the two middle ones', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([1, 2, 4, 100])).toBe(3);
  expect(median([])).toBeNaN();
});

test('a spread says the middle, the ends and how many', () => {
  expect(toSpread([30, 10, 20])).toEqual({ median: 20, min: 10, max: 30, trials: 3 });
});

test('a ratio compares what ran in the same round', () => {
  // The machine was ten times slower in the second round, for both.
  expect(toRatio([20, 200, 20], [10, 100, 10])).toBe(2);
});

test('one outlier on one side does not decide a ratio', () => {
  expect(toRatio([20, 20, 900], [10, 10, 10])).toBe(2);
});

test('what is left after start-up is never negative', () => {
  expect(subtract([50, 40], [45, 45])).toEqual([5, 0]);
});
