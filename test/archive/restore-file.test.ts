// What is written of a copy of which a part is lost: whole lines only, and every one that is left.

import { expect, test } from 'vitest';
import { eachRestoredChunk } from '../../src/archive/restore-file.ts';
import type { Damage, ReadStretch } from '../../src/archive/segments.ts';

const lost = 'lost';

/** The file as it is restored from these segments, of which some are lost. */
function restore(segments: readonly string[], hasLines = true): string {
  let from = 0;
  const stretches = segments.map((text): ReadStretch => {
    const bytes = Buffer.from(text);
    const to = from + bytes.length;
    const stretch = text === lost ? { from, to, damage: { path: 'a.jsonl', reason: lost } } : { from, bytes };
    from = to;
    return stretch;
  });
  const damages: Damage[] = [];
  const chunks = [...eachRestoredChunk(stretches, hasLines, (damage) => damages.push(damage))];
  expect(damages).toHaveLength(segments.filter((text) => text === lost).length);
  return Buffer.concat(chunks).toString();
}

test.each([
  ['between lines', ['{"a":1}\n', lost, '{"c":3}\n{"d":4}\n'], '{"a":1}\n{"c":3}\n{"d":4}\n'],
  ['at the start', [lost, '{"b":2}\n'], '{"b":2}\n'],
  ['at the end', ['{"a":1}\n', lost], '{"a":1}\n'],
  ['with the end of a line', ['{"a":1}\n{"b":', lost, '{"d":4}\n'], '{"a":1}\n{"d":4}\n'],
  ['with the start of a line', ['{"a":1}\n', lost, '"b"}\n{"c":3}\n'], '{"a":1}\n{"c":3}\n'],
  ['with the middle of a line', ['{"a":1}\n{"b":', lost, '"}\n{"c":3}\n'], '{"a":1}\n{"c":3}\n'],
  ['with the start of the last line', ['{"a":1}\n', lost, '"b"}'], '{"a":1}\n'],
  ['before a last line without its newline', ['{"a":1}\n', lost, '{"c":3}'], '{"a":1}\n{"c":3}'],
  [
    'with the start of a line that continues over two segments',
    [lost, 'the middle', ' and the end"}\n{"c":3}\n'],
    '{"c":3}\n',
  ],
  ['before a line that continues over two segments', [lost, '{"b":', '2}\n{"c":3}\n'], '{"b":2}\n{"c":3}\n'],
  [
    'with the start of a line, and the next continues over two segments',
    [lost, 'the end"}\n', '{"c":', '3}\n'],
    '{"c":3}\n',
  ],
  [
    'before a line whose newline is in the next segment',
    [lost, '{"b":2}', '\n{"c":3}\n'],
    '{"b":2}\n{"c":3}\n',
  ],
])('a part that is lost %s takes no more than its lines with it', (_, segments, restored) => {
  expect(restore(segments)).toBe(restored);
});

test('a line that was not finished is not restored', () => {
  expect(restore(['{"a":1}\n{"b":', '"unfini'])).toBe('{"a":1}\n');
  expect(restore(['{"a":1}\n{"b":', '2}'])).toBe('{"a":1}\n{"b":2}');
});

test('of a file without lines everything is restored that is left', () => {
  expect(restore(['one\ntw', lost, 'ee\nfour'], false)).toBe('one\ntwee\nfour');
});
