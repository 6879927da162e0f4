// Fields of JSON of unknown shape.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isTrue,
  numberField,
  objectField,
  stringField,
  toCleanText,
  toExcerpt,
  toTimestamp,
} from '../../../src/sources/json/json-value.ts';

test('a wrong type is a missing field', () => {
  const object = {
    text: 'x',
    empty: '',
    number: 7,
    nan: Number.NaN,
    yes: true,
    list: [1],
    object: {},
    nil: null,
  };
  const keys = Object.keys(object);
  expect(keys.filter((key) => stringField(object, key) !== null)).toEqual(['text']);
  expect(keys.filter((key) => numberField(object, key) !== null)).toEqual(['number']);
  expect(keys.filter((key) => objectField(object, key) !== null)).toEqual(['object']);
  expect(keys.filter((key) => isTrue(object, key))).toEqual(['yes']);
});

test('what every object inherits is not a field', () => {
  expect(objectField({}, '__proto__')).toBeNull();
  expect(objectField(Object.create({ a: {} }), 'a')).toBeNull();
});

describe('toTimestamp', () => {
  test.each([
    ['2026-03-05T10:00:00.000Z', '2026-03-05T10:00:00.000Z'],
    ['2026-03-05T10:00:00Z', '2026-03-05T10:00:00.000Z'],
    ['2026-03-05T11:00:00.5+01:00', '2026-03-05T10:00:00.500Z'],
    ['2026-03-05', '2026-03-05T00:00:00.000Z'],
    [1772704800000, '2026-03-05T10:00:00.000Z'],
    [1772704800, '2026-03-05T10:00:00.000Z'],
    [1772704800.25, '2026-03-05T10:00:00.250Z'],
    ['2026-13-05T10:00:00.000Z', null],
    ['2026-03-05T25:00:00.000Z', null],
    ['yesterday', null],
    ['', null],
    [0, null],
    [-5, null],
    [1e300, null],
    [Number.NaN, null],
    [null, null],
    [{}, null],
  ])('%j is %s', (value, expected) => {
    expect(toTimestamp(value)).toBe(expected);
  });

  test('any value gives a sortable time or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.double(), fc.date().map(String)), (value) => {
        expect(toTimestamp(value) ?? '2026-03-05T10:00:00.000Z').toMatch(
          /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
        );
      }),
    );
  });
});

test('clean text has no NUL and no half characters, and is otherwise the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const clean = toCleanText(`${text}\ud800\0`);
      expect(clean.isWellFormed()).toBe(true);
      expect(clean).toBe(`${text.replaceAll('\0', '').toWellFormed()}\ufffd`);
    }),
  );
});

test('an excerpt is the beginning, within its limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
      const excerpt = toExcerpt(text, limit);
      expect(excerpt.length).toBeLessThanOrEqual(limit);
      expect(excerpt.isWellFormed()).toBe(true);
      if (text.length <= limit) expect(excerpt).toBe(text);
    }),
  );
});
