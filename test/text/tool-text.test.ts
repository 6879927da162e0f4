// What is stored of a tool text gives each reader its view, comes back as it was packed, and loses its secrets wherever it was cut.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToolText, toInputText } from '../../src/sources/transcript/tool-call.ts';
import { redactToolText } from '../../src/store/upkeep/privacy.ts';
import {
  packTexts,
  toSearchedText,
  toShownText,
  unpackTexts,
  withoutMarks,
} from '../../src/text/tool-text.ts';

describe('what a tool was given', () => {
  const stored = toInputText({ limit: 5, path: '/a', edits: [{ old: 'x\ny', all: true }], last: 'z' });

  test('is shown with names and searched without them', () => {
    expect(toShownText(stored)).toBe('limit: 5\npath: /a\nedits[0].old:\nx\ny\nedits[0].all: true\nlast: z');
    expect(toSearchedText(stored)).toBe('/a\nx\ny\nz');
  });

  test('cannot make marks of its own', () => {
    const text = toInputText({ 'na\fme': 'a\fb\vc\x1dd\0e', other: 'f' });
    expect(toSearchedText(text)).toBe('a b c d e\nf');
    expect(toShownText(text)).toBe('na me: a b c d e\nother: f');
  });

  test('of which some was left out says how much, and is searched by what was found there', () => {
    const words = (count: number) => 'plain words '.repeat(count);
    const cut = cutToolText(
      toInputText({ path: '/a', content: `${words(700)}get_user\n${words(700)}` }),
      false,
    );
    expect(toShownText(cut)).toMatch(
      /^path: \/a\ncontent:\nplain words [\s\S]*\n… \d+ characters left out …\n[\s\S]*plain words $/,
    );
    expect(toShownText(cut)).not.toContain('get_user');
    expect(toShownText(cut, true)).toContain('get_user');
    expect(toSearchedText(cut)).toContain('get_user');
    expect(toSearchedText(cut)).not.toContain('left out');
  });
});

test('texts come back as they were packed, each line in one piece', () => {
  const placed = fc.record({
    nth: fc.nat(63),
    isOutput: fc.boolean(),
    text: fc.string({ unit: 'grapheme', size: 'large', maxLength: 9000 }).map(withoutMarks),
  });
  const lines = fc.array(fc.array(placed, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
  fc.assert(
    fc.property(lines, (all) => {
      const texts = all.flatMap((line, i) => line.map((text) => ({ ...text, seq: i + 1 })));
      const packed = packTexts(texts);
      expect(packed.flatMap(({ packed }) => unpackTexts(packed))).toEqual(texts);
      const ends = packed.map(({ lastSeq }) => lastSeq);
      expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
      for (const [i, { packed: bytes }] of packed.entries())
        for (const { seq } of unpackTexts(bytes)) {
          expect(seq).toBeGreaterThan(ends[i - 1] ?? 0);
          expect(seq).toBeLessThanOrEqual(ends[i] ?? 0);
        }
    }),
    { numRuns: 50 },
  );
});

describe('without secrets', () => {
  const body = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW3xY5zQ7';
  const key = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(4, 'x').repeat(16)).join('\n');
  const secrets = {
    token: `ghp_${body}`,
    key: `-----BEGIN RSA PRIVATE KEY-----\n${key}\n-----END RSA PRIVATE KEY-----`,
  };

  test.each(Object.entries(secrets))('%s: nothing of it is left, wherever the text was cut', (_, secret) => {
    for (let before = 0; before < 2200; before += 7) {
      const whole = `${'w '.repeat(before / 2)}${secret} ${'v '.repeat(1300 - before / 4)}`;
      const clean = redactToolText(cutToolText(whole, true));
      const left = (secret.match(/[^\s-]{16}/g) ?? []).filter((piece) => clean.includes(piece));
      expect([before, left]).toEqual([before, []]);
    }
  });

  test('a secret that its name gives away goes too', () => {
    const stored = toInputText({
      a: 'x',
      headers: { Authorization: 'Bearer zebrazebrazebra4711tokenvalue' },
    });
    expect(toShownText(redactToolText(stored))).toBe(
      'a: x\nheaders.Authorization: Bearer [redacted authorization]',
    );
  });
});
