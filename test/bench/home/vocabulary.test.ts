import { expect, test } from 'vitest';
import { Random } from '../../../bench/home/random.ts';
import { Vocabulary } from '../../../bench/home/vocabulary.ts';

const vocabulary = new Vocabulary(7);

test('there are 30,000 different words, real ones first', () => {
  expect(new Set(vocabulary.words).size).toBe(30_000);
  expect(vocabulary.words.slice(0, 4)).toEqual(['the', 'to', 'and', 'a']);
});

test('few words are used often and most hardly ever', () => {
  const random = new Random(1);
  const counts = new Map<string, number>();
  for (let i = 0; i < 200_000; i++) {
    const word = vocabulary.draw(random);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const share = (word: string) => (counts.get(word) ?? 0) / 200_000;
  expect(share('the')).toBeGreaterThan(0.01);
  expect(share('the')).toBeLessThan(0.05);
  const once = [...counts.values()].filter((count) => count <= 2).length;
  expect(once / counts.size).toBeGreaterThan(0.2);
});

test('another seed makes other words, but the same real ones', () => {
  const other = new Vocabulary(8);
  expect(other.words[0]).toBe('the');
  expect(other.words.at(-1)).not.toBe(vocabulary.words.at(-1));
});
