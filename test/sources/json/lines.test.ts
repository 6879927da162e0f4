// Bytes to lines, wherever the chunks begin and end, and lines to values.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter, maxLineBytes, parseLine } from '../../../src/sources/json/lines.ts';

const tooLong = '(too long)';

interface Split {
  readonly lines: readonly string[];
  readonly completeBytes: number;
  readonly rest: string;
}

/** Puts the chunks, in pieces where they do not fit, where the splitter wants them; what stood there before is spoilt. */
function split(chunks: readonly Buffer[], limit?: number): Split {
  const lines: string[] = [];
  const sink = {
    onLine: (line: Buffer) => lines.push(line.toString('latin1')),
    onTooLong: () => lines.push(tooLong),
  };
  const splitter = new LineSplitter(sink, limit);
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const room = splitter.room().fill('#');
      const bytes = chunk.copy(room, 0, from);
      splitter.push(bytes);
      from += bytes;
    }
  }
  return { lines, completeBytes: splitter.completeBytes, rest: splitter.rest().toString('latin1') };
}

/** The same, in plain code. */
function splitPlainly(bytes: Buffer, limit: number): Split {
  const parts = bytes.toString('latin1').split('\n');
  const rest = parts.pop() ?? '';
  return {
    lines: parts.map((part) => (part.length > limit ? tooLong : part)),
    completeBytes: bytes.length - rest.length,
    rest: rest.length > limit ? '' : rest,
  };
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, i) => bytes.subarray(from, cuts[i] ?? bytes.length));
}

const byte = fc.oneof(
  { weight: 3, arbitrary: fc.constant(10) },
  { weight: 7, arbitrary: fc.integer({ min: 0, max: 255 }) },
);
const bytes = fc.array(byte, { maxLength: 80 }).map((list) => Buffer.from(list));
const places = fc.array(fc.nat(80), { maxLength: 10 });

describe('LineSplitter', () => {
  test('any chunk boundaries give the same lines', () => {
    fc.assert(
      fc.property(bytes, places, (bytes, places) => {
        expect(split(cutAt(bytes, places))).toEqual(splitPlainly(bytes, maxLineBytes));
      }),
      { numRuns: 500 },
    );
  });

  test('lines over the limit are passed over and reported in their place', () => {
    fc.assert(
      fc.property(bytes, places, fc.integer({ min: 0, max: 6 }), (bytes, places, limit) => {
        expect(split(cutAt(bytes, places), limit)).toEqual(splitPlainly(bytes, limit));
      }),
      { numRuns: 500 },
    );
  });

  test('a line of exactly the limit is read', () => {
    expect(split([Buffer.from('1234\n12345\n')], 4).lines).toEqual(['1234', tooLong]);
  });

  test('what is left over after a too long line is forgotten when the line ends', () => {
    const chunks = ['123', '456', '789\nab', 'c\n'].map((text) => Buffer.from(text));
    expect(split(chunks, 5)).toEqual({ lines: [tooLong, 'abc'], completeBytes: 14, rest: '' });
  });

  test('an unfinished line that is too long is not given out', () => {
    expect(split([Buffer.from('ok\n123'), Buffer.from('456')], 5)).toEqual({
      ...{ lines: ['ok'], completeBytes: 3, rest: '' },
    });
  });

  test('without a limit, lines of many megabytes are read', () => {
    const line = Buffer.alloc(maxLineBytes, 'x');
    expect(split([line, Buffer.from('\n')]).lines).toEqual([line.toString('latin1')]);
    expect(split([line, Buffer.from('x\n')]).lines).toEqual([tooLong]);
  });
});

describe('parseLine', () => {
  const parse = (text: string) => parseLine(Buffer.from(text));

  test('any JSON is read, and what is not JSON is undefined', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parse(json)).toEqual(JSON.parse(json));
      }),
    );
    for (const text of ['', ' ', '{', '{"a":1}}', '{"a":1}{"a":1}', 'NaN', '"\\x41"', '{}\0'])
      expect(parse(text)).toBeUndefined();
  });

  test('a byte order mark before it is passed over, and another one is not', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 });
    expect(parse('\ufeff\ufeff{"a":1}')).toBeUndefined();
  });

  test('bytes that are not UTF-8 do not cost the line', () => {
    const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]);
    expect(parseLine(line)).toEqual({ a: '\ufffd\ufffd' });
  });

  test('a __proto__ is a key like any other', () => {
    const object = parse('{"__proto__":{"type":"user"}}') as object;
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.hasOwn(object, '__proto__')).toBe(true);
  });

  test('too many values cost their line; what is text is not counted', () => {
    const items = `${'{},'.repeat(400_000)}{}`;
    expect(() => parse(`{"a":[${items}]}`)).toThrow(RangeError);
    expect(() => parse(`{"a":"x","unrelated":{"b":[${items}]}}`)).toThrow('made of more than 200000 values');
    const text = '[{,\\"'.repeat(400_000);
    expect(parse(JSON.stringify({ text }))).toEqual({ text });
    const few = Array.from({ length: 90_000 }, () => ({}));
    expect(parse(JSON.stringify(few))).toEqual(few);
  });

  test('a million brackets are no trouble, closed or not', () => {
    const arrays = '['.repeat(1_000_000);
    expect(() => parse(arrays)).toThrow(RangeError);
    expect(() => parse(`${arrays}${']'.repeat(1_000_000)}`)).toThrow(RangeError);
    expect(() => parse('{"a":'.repeat(1_000_000))).toThrow(RangeError);
    const deep = `${'['.repeat(190_000)}${']'.repeat(190_000)}`;
    expect(Array.isArray(parse(deep))).toBe(true);
    expect(parse(deep.slice(0, -1))).toBeUndefined();
  });

  test('a string may be megabytes long', () => {
    for (const part of ['plain ', 'naïve 😀 ', 'two\nlines "quoted" ']) {
      const text = part.repeat(300_000);
      expect((parse(JSON.stringify({ text })) as { text: string }).text === text).toBe(true);
    }
  });
});
