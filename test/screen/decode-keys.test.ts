// Bytes as terminals send them, whole and in pieces.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Key, KeyDecoder } from '../../src/screen/decode-keys.ts';

function decode(...chunks: readonly (string | Uint8Array)[]): string[] {
  const decoder = new KeyDecoder();
  const keys = chunks.flatMap((chunk) =>
    decoder.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
  );
  return [...keys, ...decoder.flush()].map(toName);
}

function toName(key: Key): string {
  return key.type === 'key' ? key.name : key.type === 'paste' ? `paste(${key.text})` : `“${key.text}”`;
}

describe('keys', () => {
  test.each([
    ['a', ['“a”']],
    ['aé数', ['“a”', '“é”', '“数”']],
    ['\r', ['enter']],
    ['\n', ['enter']],
    ['\t', ['tab']],
    ['\x1b[Z', ['shift-tab']],
    ['\x7f', ['backspace']],
    ['\x10\x0e', ['ctrl-p', 'ctrl-n']],
    ['\x1b[A\x1b[B\x1b[C\x1b[D', ['up', 'down', 'right', 'left']],
    ['\x1bOA\x1bOH\x1bOP', ['up', 'home', 'f1']],
    ['\x1b[5~\x1b[6~\x1b[1~\x1b[4~\x1b[3~', ['page-up', 'page-down', 'home', 'end', 'delete']],
    ['\x1b[1;2A\x1b[1;3B\x1b[1;5C', ['shift-up', 'alt-down', 'ctrl-right']],
    ['\x1bb\x1bf\x1b1\x1b\x7f', ['alt-b', 'alt-f', 'alt-1', 'alt-backspace']],
    ['\x1b\x1b[A', ['alt-up']],
    ['\x1b', ['esc']],
    ['\x1b\x1b', ['esc', 'esc']],
    ['\x1b[112;5u\x1b[27;5;112~\x1b[97u', ['ctrl-p', 'ctrl-p', '“a”']],
    ['\x1b]', ['alt-]']],
    // Focus, mouse, an answer about colours, a device report, a C1 control: no keys.
    ['\x1b[I\x1b[<0;3;4M\x1b]11;rgb:0/0/0\x07\x1bP1$r\x1b\\\x1b[?62;c\u009b', []],
    ['\x1b[200~two\nlines \x1b[A\x1b[201~x', ['paste(two\nlines \x1b[A)', '“x”']],
  ])('%j', (input, expected) => {
    expect(decode(input)).toEqual(expected);
  });

  test('a paste may take many reads, and a pause in it does not end it', () => {
    const decoder = new KeyDecoder();
    const keys = ['\x1b[20', '0~some', ' text\x1b[2', '01~'].flatMap((chunk) => [
      ...decoder.feed(Buffer.from(chunk)),
      ...(chunk === '0~some' ? decoder.flush() : []),
    ]);
    expect(keys.map(toName)).toEqual(['paste(some text)']);
    expect(decoder.isWaiting).toBe(false);
  });

  test('Esc waits for what may follow it, and only then', () => {
    const decoder = new KeyDecoder();
    expect(decoder.feed(Buffer.from('\x1b'))).toEqual([]);
    expect(decoder.isWaiting).toBe(true);
    expect(decoder.feed(Buffer.from('[A')).map(toName)).toEqual(['up']);
    expect(decoder.isWaiting).toBe(false);
  });
});

test('any division of the bytes gives the same keys, and any bytes are accepted', () => {
  const piece = fc.constantFrom(
    'a',
    '数',
    '\x1b[A',
    '\x1b[1;5C',
    '\x1bOB',
    '\x1bb',
    '\r',
    '\x1b[200~x\x1b[201~',
  );
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat(), { maxLength: 8 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
      expect(decode(...chunks)).toEqual(decode(bytes));
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (chunks) => {
      for (const name of decode(...chunks)) expect(name).not.toMatch(/^“[\x00-\x1f\x7f-\x9f]/);
    }),
  );
});
