// Secrets leave what was read from JSON, also those that only the name of a field marks as one.

import { expect, test } from 'vitest';
import { redactObject } from '../../../src/sources/json/redact.ts';

test('a secret is taken out by itself or by its name, and the marker may be longer than it', () => {
  const key = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY00';
  const value = { env: [{ AWS_SECRET_ACCESS_KEY: key, n: 1 }], url: 'ab://u:abc@h', none: null };
  expect(redactObject(value)).toEqual({
    env: [{ AWS_SECRET_ACCESS_KEY: '[redacted aws-secret-key]', n: 1 }],
    url: 'ab://u:[redacted url-password]@h',
    none: null,
  });
  expect(redactObject({ [`ghp_${'a1B2'.repeat(9)}`]: 'x' })).toEqual({ '[redacted github-token]': 'x' });
});

test('what holds none is the same object, and what is too deep to be written again is left out', () => {
  const plain = { text: 'quote " and \\ and \u0001' };
  expect(redactObject(plain)).toBe(plain);
  let nested: Record<string, unknown> = {};
  for (let n = 0; n < 100_000; n++) nested = { nested };
  expect(redactObject(nested)).toEqual({});
});
