// Entry ids as numbers.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashUuid } from '../src/batch.ts';

const max = 2 ** 48;

describe('hashUuid', () => {
  test('a uuid is its last 12 digits', () => {
    expect(hashUuid('01234567-89ab-4cde-8f01-23456789abcd')).toBe(0x23456789abcd);
    expect(hashUuid('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe(max - 1);
    expect(hashUuid('00000000-0000-0000-0000-000000000000')).toBe(0);
  });

  test('uuids in capitals are the same', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(hashUuid(uuid.toUpperCase())).toBe(hashUuid(uuid));
      }),
    );
  });

  test('other uuids have other numbers', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 50, selector: (uuid) => uuid.slice(-12) }),
        (uuids) => {
          expect(new Set(uuids.map(hashUuid)).size).toBe(uuids.length);
        },
      ),
    );
  });

  test('any string is a whole number below 2^48, the same each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const hash = hashUuid(id);
        expect(Number.isInteger(hash) && hash >= 0 && hash < max).toBe(true);
        expect(hashUuid(id)).toBe(hash);
      }),
    );
  });

  test('ids that are no uuids rarely share a number', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => `entry-${i}`);
    expect(new Set(ids.map(hashUuid)).size).toBe(ids.length);
    expect(hashUuid('ab')).not.toBe(hashUuid('ba'));
  });
});
