import { expect, test } from 'vitest';
import { toPeakMb } from '../../bench/trial.ts';

test('threads report the same process, whose highest figure counts', () => {
  expect(toPeakMb('7 1024\n7 4096\n7 2048\n')).toBe(4);
});

test('processes add up', () => {
  expect(toPeakMb('7 1024\n8 2048\n')).toBe(3);
});

test('what is not node reports nothing', () => {
  expect(toPeakMb('')).toBeNull();
});
