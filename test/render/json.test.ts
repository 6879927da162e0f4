// JSON is text that a terminal may show: what could act on it, or hide in it, is written as an escape.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonText } from '../../src/render/json.ts';

const hidden = '\u{e0041}\u{e007f}\u{e0000}\u202e\u200b\u009b\u00ad\ufeff';

test('what is invisible is escaped, as two units where it takes two', () => {
  expect(toJsonText('\u{e0041}')).toBe('"\\udb40\\udc41"');
  expect(toJsonText(hidden)).toMatch(/^"(?:\\u[0-9a-f]{4})+"$/);
});

test('any text says the same when it is read again', () => {
  const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...hidden)));
  fc.assert(fc.property(text, (parts) => JSON.parse(toJsonText(parts.join(''))) === parts.join('')));
});
