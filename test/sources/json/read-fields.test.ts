// Reading a few fields gives what parsing everything gives, cut down, and refuses what parsing refuses.

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FieldReader } from '../../../src/sources/json/read-fields.ts';
import type { Shape } from '../../../src/sources/json/wanted-fields.ts';
import { choices, writeJson } from '../../support/written-json.ts';

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The same as a reader does, in plain code. */
function project(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : project(item, shape)));
  if (shape === true || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const wanted = Object.hasOwn(shape, key) ? shape[key] : undefined;
      return wanted === undefined ? [] : [[key, project(inner, wanted)]];
    }),
  );
}

function expectSame(reader: FieldReader, shape: Shape, line: Buffer): void {
  const parsed = parse(line);
  const expected = parsed === undefined ? undefined : project(parsed, shape);
  const read = reader.read(line);
  // Not toEqual, for which an own `constructor` or `__proto__` is more than a key.
  if (!isDeepStrictEqual(read, expected)) expect(read).toBe(expected);
}

const key = fc.oneof(
  fc.constantFrom(
    'type',
    'text',
    'content',
    'é',
    '',
    '__proto__',
    'constructor',
    'length',
    'a"b\\',
    '\u{1f600}',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const { value } = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\udc00\ud800', 'x\0y', '/', 'user', 'assistant', 'é', '\ufeff'),
    fc.constantFrom(true, false, null, -0, 0, 1e21, 1e-7, -12.5, Number.POSITIVE_INFINITY),
    fc.double({ noNaN: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((fields) => Object.fromEntries(fields)),
}));
// At most 5 + 25 + 125 + 625 fields in 156 objects: the scanner's tables hold that many.
const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant<Shape>(true),
    fc
      .array(fc.tuple(key, tie('shape')), { maxLength: 5 })
      .map((fields): Shape => Object.fromEntries(fields)),
  ),
}));
const text = fc.tuple(value, choices).map(([value, choices]) => writeJson(value, choices));

/** A line as a splitter cuts it: out of the middle of a buffer that goes on. */
function amid(before: string, line: Buffer, after: string): Buffer {
  const bytes = Buffer.concat([Buffer.from(before), line, Buffer.from(after)]);
  const start = Buffer.byteLength(before);
  return bytes.subarray(start, start + line.length);
}

/** The bytes as the value of a field that nobody wants. */
function amidField(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from('{"unwanted":'), value, Buffer.from(',"a":1}')]);
}

const telling = Buffer.from('{}[]",:\\ \t\n\r0129-+.eEutfnbr/a\0\x1f\x7f');
const byte = fc.oneof(
  fc.constantFrom(...telling, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff),
  fc.integer({ min: 0, max: 255 }),
);
const edits = fc.array(fc.tuple(fc.constantFrom('set', 'insert', 'delete', 'cut'), fc.nat(), byte), {
  maxLength: 3,
});

function edit(bytes: Buffer, edits: readonly (readonly [string, number, number])[]): Buffer {
  const list = [...bytes];
  for (const [how, place, byte] of edits) {
    const at = place % (list.length + 1);
    if (how === 'set') list[at] = byte;
    else if (how === 'insert') list.splice(at, 0, byte);
    else list.splice(at, how === 'delete' ? 1 : list.length);
  }
  return Buffer.from(list);
}

describe('FieldReader', () => {
  test('any JSON, however written, gives what is wanted of it and nothing else', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), shape, (texts, shape) => {
        const reader = new FieldReader(shape);
        for (const text of texts) expectSame(reader, shape, amid('"', Buffer.from(text), '"]}0'));
      }),
      { numRuns: 2000 },
    );
  });

  test('fields of a known shape are found among others', () => {
    const shape: Shape = {
      type: true,
      content: { type: true, text: true },
      '': { length: true },
    };
    const reader = new FieldReader(shape);
    const known = fc.dictionary(fc.constantFrom('type', 'text', 'content', '', 'length'), value);
    const line = known.chain((inner) =>
      fc.dictionary(key, fc.oneof(value, fc.constant(inner), fc.constant([inner, [inner], 'x', inner]))),
    );
    fc.assert(
      fc.property(line, choices, (line, choices) => {
        expectSame(reader, shape, Buffer.from(writeJson(line, choices)));
      }),
      { numRuns: 1000 },
    );
  });

  test('what JSON.parse refuses is refused, and nothing else', () => {
    const shape: Shape = { type: true, content: { text: true } };
    const reader = new FieldReader(shape);
    fc.assert(
      fc.property(text, edits, (text, edits) => {
        expectSame(reader, shape, amid('{', edit(Buffer.from(text), edits), '"}'));
      }),
      { numRuns: 5000 },
    );
  });

  test('any bytes at all', () => {
    const all = new FieldReader(true);
    const none = new FieldReader({});
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (bytes) => {
        const [plain, quoted] = [Buffer.from(bytes), Buffer.from([0x22, ...bytes, 0x22])];
        for (const line of [plain, quoted, amidField(plain), amidField(quoted)]) {
          expectSame(all, true, line);
          expectSame(none, {}, line);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ...[
      '',
      ' ',
      '0',
      '-0',
      '-',
      '01',
      '-01',
      '1.',
      '.5',
      '1.5e',
      '1e+',
      '1e+5',
      '1E-05',
      '1e999',
      '-1e999',
      '+1',
    ],
    ...[
      '123456789012345678901234567890',
      '0x10',
      '1 2',
      'true',
      'tru',
      'trues',
      'nul',
      'null ',
      'NaN',
      'undefined',
    ],
    ...[
      '""',
      '"',
      '"\\"',
      '"\\u00e"',
      '"\\u00eg"',
      '"\\uD83D\\ude00"',
      '"\\ud800"',
      '"\\x41"',
      '"\t"',
      '"\x7f"',
    ],
    ...['[]', '[', ']', '[,]', '[1,]', '[1 2]', '[1}', '{}', '{', '{]', '{,}', '{"a"}', '{"a":}', '{"a":1,}'],
    ...[
      '{"a":1 "b":2}',
      '{a:1}',
      "{'a':1}",
      '{"a":1}}',
      '{"a":1}{"a":1}',
      '{"a":1,"a":2}',
      '\ufeff{}',
      '{}\0',
      '\u00a0{}',
    ],
    ...[
      '{"\\u0061":{"\\u0062":1}}',
      '{"a":{"b":1},"\\u0061":3}',
      '{"__proto__":{"b":1}}',
      '{"a":[{"b":1,"c":2},[{"c":1}],3]}',
    ],
  ])('%j', (text) => {
    const proto = Object.fromEntries([['__proto__', true as const]]);
    for (const shape of [true, {}, { a: true }, { a: { b: true } }, proto] satisfies Shape[]) {
      expectSame(new FieldReader(shape), shape, Buffer.from(text));
      expectSame(new FieldReader(shape), shape, amidField(Buffer.from(text)));
    }
  });

  test('a string that only looks like one seen before is read anew', () => {
    const reader = new FieldReader({ a: true });
    // 16 times, so that all of them are looked for in the same place.
    const lines = ['c3a9', 'e9', '65', 'efbfbd', 'ff', 'fffd'].map((hex) =>
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex.repeat(16), 'hex'), Buffer.from('"}')]),
    );
    for (const line of [...lines, ...lines.toReversed()]) expectSame(reader, { a: true }, line);
  });

  test('a wanted __proto__ is a key like any other', () => {
    const shape = Object.fromEntries([['__proto__', true as const]]);
    const object = new FieldReader(shape).read(Buffer.from('{"__proto__":{"type":"user"}}')) as object;
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.hasOwn(object, '__proto__')).toBe(true);
  });

  test('more than the tables hold is refused, not read wrongly', () => {
    const wide = (count: number, inner: Shape, name = 'k'): Shape =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, inner]));
    expect(() => new FieldReader(wide(899, true))).not.toThrow();
    expect(() => new FieldReader(wide(900, true))).toThrow(/too large/);
    expect(() => new FieldReader(wide(200, {}))).toThrow(/too large/);
    expect(() => new FieldReader(wide(70, true, 'k'.repeat(1000)))).toThrow(/too large/);
  });

  test.each([
    ['wanted', (items: string) => `{"a":"x","b":[${items}],"c":"y"}`],
    ['of which some is wanted', (items: string) => `{"a":"x","d":[${items}],"c":"y"}`],
    ['under a key with an escape', (items: string) => `{"a":"x","\\u0062":[${items}],"c":"y"}`],
  ])('a value of too many values, %s, costs its line and nothing else', (_, toLine) => {
    const shape: Shape = { a: true, b: true, c: true, d: { e: true } };
    const reader = new FieldReader(shape);
    const read = (items: string) => reader.read(Buffer.from(toLine(items)));
    expect(() => read(`${'{},'.repeat(400_000)}{}`)).toThrow(RangeError);
    // Neither what is text nor what nobody wants is counted, and what was seen before stays known.
    const text = JSON.stringify('[{,'.repeat(400_000));
    expectSame(reader, shape, Buffer.from(toLine(text)));
    expectSame(reader, shape, Buffer.from(`{"a":"x","z":[${'{},'.repeat(400_000)}{}],"c":"y"}`));
  });

  test('a million brackets are no trouble, closed or not', () => {
    const depth = 1_000_000;
    const arrays = '['.repeat(depth);
    const objects = '{"a":'.repeat(depth);
    const reader = new FieldReader({ b: { c: true } });
    expect(reader.read(Buffer.from(arrays))).toBeUndefined();
    expect(reader.read(Buffer.from(objects))).toBeUndefined();
    expect(reader.read(Buffer.from(`{"a":${arrays}${']'.repeat(depth)},"b":1}`))).toEqual({ b: 1 });
    expect(reader.read(Buffer.from(`{"a":${objects}0${'}'.repeat(depth)},"b":2}`))).toEqual({ b: 2 });
    expect(() => reader.read(Buffer.from(`{"b":${arrays}${']'.repeat(depth)}}`))).toThrow(RangeError);
    expect(reader.read(Buffer.from(`{"b":${arrays}${']'.repeat(depth - 1)}}`))).toBeUndefined();
    expect(reader.read(Buffer.from(`${arrays}${']'.repeat(depth - 1)}}`))).toBeUndefined();
  });

  test('a wanted string may be megabytes long', () => {
    for (const part of ['plain ', 'naïve 😀 ', 'two\nlines "quoted" ']) {
      const text = part.repeat(300_000);
      const line = Buffer.from(JSON.stringify({ skipped: text, text }));
      expect((new FieldReader({ text: true }).read(line) as { text: string }).text === text).toBe(true);
    }
  });
});
