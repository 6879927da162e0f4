// The line that shows how far indexing has got.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProgress } from '../../src/render/index-summary.ts';

const all = { filesTotal: 3000, bytesTotal: 1_234_000_000 };
const at = (share: number, elapsedMs: number, columns: number) =>
  formatProgress(
    {
      ...all,
      filesDone: Math.floor(all.filesTotal * share),
      bytesDone: Math.floor(all.bytesTotal * share),
    },
    elapsedMs,
    columns,
  );
const cellsOf = (line: string) => /[█░]+/.exec(line)?.[0].length ?? 0;

test.each([
  [0, 100, 80, 'indexing ░░░░░░░░░░░ 0%  0/3,000 files  0 B of 1.2 GB'],
  [0.5, 9000, 80, 'indexing ██████░░░░░ 50%  1,500/3,000 files  617 MB of 1.2 GB  9 s left'],
  [1, 18_000, 80, 'indexing ███████████ 100%  3,000/3,000 files  1.2 GB of 1.2 GB  0 ms left'],
  [
    0.5,
    9000,
    120,
    `indexing ${'█'.repeat(15)}${'░'.repeat(15)} 50%  1,500/3,000 files  617 MB of 1.2 GB  9 s left  68.6 MB/s`,
  ],
  [0.5, 9000, 40, 'indexing ███░░░ 50%  1,500/3,000 files'],
  [0.5, 9000, 20, 'indexing 50%  1,500'],
])('%d after %d ms in %d columns', (share, elapsedMs, columns, line) => {
  expect(at(share, elapsedMs, columns)).toBe(line);
});

describe('any progress', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const elapsedMs = fc.integer({ min: 0, max: 3_000_000 });
  const columns = fc.integer({ min: 10, max: 200 });

  test('the bar keeps its width, and the line fits', () => {
    fc.assert(
      fc.property(share, share, elapsedMs, elapsedMs, columns, (some, more, early, late, columns) => {
        const [first, then] = [at(some, early, columns), at(more, late, columns)];
        expect(cellsOf(then)).toBe(cellsOf(first));
        expect(first.length).toBeLessThan(columns);
      }),
    );
  });
});
