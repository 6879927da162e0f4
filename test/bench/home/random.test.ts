import { expect, test } from 'vitest';
import { Random } from '../../../bench/home/random.ts';

const draw = (random: Random) => Array.from({ length: 5 }, () => random.bits());

test('the same seed and keys give the same numbers', () => {
  expect(draw(new Random(7, 1, 2))).toEqual(draw(new Random(7, 1, 2)));
});

test('another key gives another stream', () => {
  expect(draw(new Random(7, 1))).not.toEqual(draw(new Random(7, 2)));
});

test('uuids look like those of Claude Code', () => {
  expect(new Random(1).uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test('half of log-normal values lie below the median, and the mean is far above it', () => {
  const random = new Random(3);
  const values = Array.from({ length: 20_000 }, () => random.logNormal(100, 1.5));
  const below = values.filter((value) => value < 100).length / values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(below).toBeCloseTo(0.5, 1);
  expect(mean / (100 * Math.exp(1.5 ** 2 / 2))).toBeCloseTo(1, 0);
});

test('geometric counts have their mean', () => {
  const random = new Random(4);
  const total = Array.from({ length: 20_000 }, () => random.geometric(3)).reduce((sum, n) => sum + n, 0);
  expect(total / 20_000).toBeCloseTo(3, 0);
});
