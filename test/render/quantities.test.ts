// Ages in words, which never shrink.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAgo } from '../../src/render/quantities.ts';

const now = new Date('2026-11-16T12:00:00Z');
const day = 86_400_000;
const after = (ageMs: number) => formatAgo(new Date(now.getTime() - ageMs).toISOString(), now);

test.each([
  [30_000, 'just now'],
  [60_000, '1 minute ago'],
  [day, '1 day ago'],
  [13.9 * day, '13 days ago'],
  [14 * day, '2 weeks ago'],
  [59.9 * day, '8 weeks ago'],
  [60 * day, '8 weeks ago'],
  [60.8 * day, '8 weeks ago'],
  [60.9 * day, '2 months ago'],
  [729.9 * day, '23 months ago'],
  [730.2 * day, '23 months ago'],
  [731 * day, '2 years ago'],
])('%d ms: %s', (ageMs, said) => {
  expect(after(ageMs)).toBe(said);
});

test('an older session never seems younger', () => {
  const units = { minute: 1 / 1440, hour: 1 / 24, day: 1, week: 7, month: 30.44, year: 365.25 };
  const toDays = (said: string) => {
    const [, count, unit = ''] = /^(\d+) ([a-z]+?)s? ago$/.exec(said) ?? [];
    return count === undefined ? 0 : Number(count) * units[unit as keyof typeof units];
  };
  const ageMs = fc.integer({ min: 0, max: 4000 * day });
  fc.assert(
    fc.property(ageMs, fc.integer({ min: 0, max: 10 * day }), (ageMs, more) => {
      expect(toDays(after(ageMs + more))).toBeGreaterThanOrEqual(toDays(after(ageMs)));
      expect(after(ageMs)).not.toMatch(/^1 (week|month|year)/);
    }),
    { numRuns: 2000 },
  );
});
