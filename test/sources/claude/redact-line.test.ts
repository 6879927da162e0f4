// Secrets leave a line of a transcript, and nothing else does: it stays JSON, and never becomes longer.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactLine } from '../../../src/sources/claude/redact-line.ts';
import { redact } from '../../../src/text/redact.ts';

const clean = (text: string) => redactLine(Buffer.from(text)).toString();

const secrets = [
  `ghp_${'a1B2'.repeat(9)}`,
  'https://u:abc@host/x',
  `-----BEGIN RSA PRIVATE KEY-----\n${'Ab12'.repeat(16)}\n-----END RSA PRIVATE KEY-----`,
  `Authorization: Bearer ${'x1'.repeat(10)}`,
];

describe('a line', () => {
  test('without a secret is not touched, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        for (const line of [JSON.stringify({ value }), text])
          expect(clean(line)).toBe(redact(line) === line ? line : clean(line));
      }),
    );
  });

  test('with secrets anywhere is still JSON, is not longer, and holds none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom(...secrets)), { maxLength: 5 }),
        fc.constantFrom(...secrets),
        (parts, secret) => {
          const line = JSON.stringify({
            a: [parts.join(' ')],
            n: 12345678901234567890n.toString(),
            b: { c: secret },
          });
          const after = clean(line);
          expect(Buffer.byteLength(after)).toBeLessThanOrEqual(Buffer.byteLength(line));
          const value = JSON.parse(after);
          for (const text of [after, ...(value.a ?? []), value.b?.c ?? '']) expect(redact(text)).toBe(text);
        },
      ),
    );
  });

  test('a label and its secret may be a key and its string; an escape may hide a secret', () => {
    const key = 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY00';
    expect(clean(JSON.stringify({ aws_secret_access_key: key }))).not.toContain(key);
    const token = secrets[0] ?? '';
    const hidden = `{"a":"\\u0067${token.slice(1)}"}`;
    expect(JSON.parse(hidden).a).toBe(token);
    expect(JSON.parse(clean(hidden)).a).toBe('[redacted github-token]');
  });
});
