import { describe, expect, test } from 'vitest';
import { sizes } from '../../bench/home/sizes.ts';
import { parseOptions } from '../../bench/options.ts';

describe('parseOptions', () => {
  test('without flags it is the small home, judged loosely', () => {
    const options = parseOptions([]);
    expect(options).toMatchObject({ name: 'small', shape: sizes.small, strictness: 'small', trials: 5 });
  });

  test('a size can be changed, and then has a folder of its own', () => {
    const { name, shape } = parseOptions(['--size', 'medium', '--seed', '9', '--noise', '0.5']);
    expect(name).toBe('medium-seed-9-noise-0.5');
    expect(shape).toEqual({ ...sizes.medium, seed: 9, noise: 0.5 });
  });

  test('groups and growing homes are lists', () => {
    const { only, growth } = parseOptions(['--only', 'search,grep', '--growth', '30000,300000']);
    expect([...only]).toEqual(['search', 'grep']);
    expect(growth).toEqual([30_000, 300_000]);
  });

  test('what makes no sense is said', () => {
    expect(() => parseOptions(['--size', 'huge'])).toThrow('unknown size huge');
    expect(() => parseOptions(['--only', 'everything'])).toThrow('unknown group everything');
    expect(() => parseOptions(['--trials', 'few'])).toThrow('--trials wants a number');
  });
});
