// The compiled scanner writes on its tape what its twin in plain TypeScript says.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  constant,
  getTapeEnd,
  hashSamples,
  makeRoom,
  memory,
  scan,
  windowAt,
} from '../../../src/sources/json/scanner.ts';
import { type Shape, WantedFields } from '../../../src/sources/json/wanted-fields.ts';
import { choices, writeJson } from '../../support/written-json.ts';
import { type Finding, hashTwin, type Kind, type Scanned, ScannerTwin } from './scanner-twin.ts';

const kinds: Kind[] = [];
for (const [kind, name] of [
  ['plain', 'plainText'],
  ['escaped', 'escapedText'],
  ['seen', 'seenText'],
  ['new', 'newText'],
  ['object', 'objectStart'],
  ['array', 'arrayStart'],
  ['end', 'itemsEnd'],
] as const)
  kinds[constant(name)] = kind;
const findingWords = 4;

function scanCompiled(wanted: WantedFields, line: Buffer): Scanned {
  makeRoom(windowAt + line.length);
  line.copy(memory.bytes, windowAt);
  memory.bytes[windowAt + line.length] = 0x0a;
  const ended = scan(windowAt, windowAt + line.length, wanted.root);
  const outcome =
    ended === constant('whole') ? 'whole' : ended === constant('unusual') ? 'unusual' : 'broken';
  const findings: Finding[] = [];
  const { words } = memory;
  for (let at = constant('tapeAt') / 4; at < getTapeEnd() / 4; at += findingWords) {
    const [head = 0, from = 0, to = 0] = words.subarray(at, at + 3);
    const kind = kinds[head & 0xff] ?? 'other';
    // Of which field an end is, its start says.
    const key = kind === 'end' ? '' : (wanted.keys[head >>> 8] ?? '');
    const isPlace = from !== 0;
    findings.push({ kind, key, from: isPlace ? from - windowAt : 0, to: isPlace ? to - windowAt : 0 });
  }
  return { outcome, findings };
}

/** Both, over several lines: what was seen in one counts in the next. */
function expectSame(shape: Shape, lines: readonly Buffer[]): void {
  const wanted = new WantedFields(shape);
  const twin = new ScannerTwin(shape);
  wanted.load();
  for (const line of lines) {
    const compiled = scanCompiled(wanted, line);
    const plain = twin.scan(line);
    expect(compiled.outcome).toBe(plain.outcome);
    // What is found of a line that is not whole is never used.
    if (plain.outcome === 'whole') expect(compiled.findings).toEqual(plain.findings);
    else return;
  }
}

const key = fc.constantFrom('type', 'text', 'content', 'é', '', '__proto__', 'a b', 'k');
const shape = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3 },
    fc.constant<Shape>(true),
    fc.dictionary(key, tie('shape'), { maxKeys: 4 }) as fc.Arbitrary<Shape>,
  ),
})).shape;
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(
      'user',
      'user',
      'x'.repeat(64),
      'x'.repeat(65),
      'naïve',
      '',
      'a "b"\n',
      true,
      false,
      null,
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(key, fc.string({ maxLength: 5 })), tie('value'), { maxKeys: 5 }),
  ),
})).value;
const plainLine = value.map((each) => Buffer.from(JSON.stringify(each)));
const oddLine = fc.tuple(value, choices).map(([each, how]) => Buffer.from(writeJson(each, how)));
const signs = Buffer.from('{}[]",:\\ \t0129-+.eEutfn/\0\x1f\xc3');
const brokenLine = fc
  .tuple(plainLine, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...signs)), { minLength: 1, maxLength: 3 }))
  .map(([line, edits]) => {
    const bytes = Buffer.from(line);
    for (const [place, sign] of edits) bytes[place % bytes.length] = sign;
    return bytes;
  });

describe('the scanner', () => {
  test.each([
    ['as programs write them', plainLine],
    ['as nobody writes them', oddLine],
    ['with wrong bytes in them', brokenLine],
  ])('finds in lines %s what its twin finds', (_, line) => {
    fc.assert(fc.property(shape, fc.array(line, { minLength: 1, maxLength: 5 }), expectSame), {
      numRuns: 2000,
    });
  });

  test('stops where the tape is full', () => {
    for (const count of [4094, 4095, 4096, 4097, 8189, 8190, 8191, 8192, 9000])
      expectSame({ a: { b: true } }, [Buffer.from(JSON.stringify({ a: Array(count).fill(1) }))]);
  });
});

test('samples have the number that their twin gives them', () => {
  const samplesAt = constant('samplesAt');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.bigInt({ min: 0n, max: 2n ** 40n }), (bytes, seed) => {
      memory.bytes.set(bytes, samplesAt);
      expect(BigInt.asUintN(64, hashSamples(bytes.length, seed))).toBe(hashTwin(Buffer.from(bytes), seed));
    }),
  );
});
