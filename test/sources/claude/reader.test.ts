// Secrets leave a line of a transcript, and nothing else does: it stays JSON, and never becomes longer.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SidecarFile } from '../../../src/records.ts';
import { claudeReader, parseSessionsIndex } from '../../../src/sources/claude/reader.ts';
import { parseCleanupDays } from '../../../src/sources/claude/source.ts';
import { parseJsonObject } from '../../../src/sources/json/json-value.ts';
import { redact } from '../../../src/text/redact.ts';

const clean = (text: string) => String(claudeReader.redactLine?.(Buffer.from(text)));

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

const wrongTypes = [null, 7, '', '  ', true, [], {}, ['text'], { text: 'text' }];

describe('parseJsonObject', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['\uFEFF{"a":1}\r\n', { a: 1 }],
    ['', null],
    ['{"a":', null],
    ['{"a":1}{"b":2}', null],
    ['[{"a":1}]', null],
    ['"text"', null],
    ['null', null],
    ['\0\0\0', null],
  ])('%j', (text, value) => {
    expect(parseJsonObject(text)).toEqual(value);
  });

  test('any text gives an object or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const value = parseJsonObject(text);
        expect(value === null || (typeof value === 'object' && !Array.isArray(value))).toBe(true);
      }),
    );
  });
});

describe('parseSessionsIndex', () => {
  test('a full entry', () => {
    const entry = {
      ...{ sessionId: 's1', fullPath: '/x/s1.jsonl', fileMtime: 1772704800000, firstPrompt: ' hello ' },
      ...{ summary: 'Greeting', customTitle: 'Mine', messageCount: 4, created: '2026-03-05T10:00:00.000Z' },
      ...{ modified: '2026-03-05T11:00:00.000Z', gitBranch: 'dev', projectPath: '/home/u/shop' },
      ...{ isSidechain: false, prNumber: 7, prUrl: 'https://x/7', prRepository: 'u/shop' },
    };
    expect(parseSessionsIndex({ version: 1, originalPath: '/other', entries: [entry] })).toEqual([
      {
        ...{ nativeId: 's1', firstPrompt: 'hello', summary: 'Greeting', customTitle: 'Mine', branch: 'dev' },
        ...{ createdAt: '2026-03-05T10:00:00.000Z', modifiedAt: '2026-03-05T11:00:00.000Z' },
        projectPath: '/home/u/shop',
        ...{ prNumber: 7, prUrl: 'https://x/7', prRepository: 'u/shop' },
      },
    ]);
  });

  test('an entry with nothing but an id takes the folder’s path', () => {
    expect(parseSessionsIndex({ originalPath: '/home/u/shop', entries: [{ sessionId: 's1' }] })).toEqual([
      {
        ...{ nativeId: 's1', firstPrompt: null, summary: null, customTitle: null, branch: null },
        ...{ createdAt: null, modifiedAt: null, projectPath: '/home/u/shop' },
        ...{ prNumber: null, prUrl: null, prRepository: null },
      },
    ]);
  });

  test('the file’s time is used for a missing date of change', () => {
    const [hint] = parseSessionsIndex({ entries: [{ sessionId: 's1', fileMtime: 1772704800000 }] });
    expect(hint?.modifiedAt).toBe('2026-03-05T10:00:00.000Z');
  });

  test('“No prompt” is no prompt', () => {
    const [hint] = parseSessionsIndex({ entries: [{ sessionId: 's1', firstPrompt: 'No prompt' }] });
    expect(hint?.firstPrompt).toBeNull();
  });

  test('sidechains, entries without id and things that are no entries are passed over', () => {
    const entries = [
      { sessionId: 's1', isSidechain: true },
      { summary: 'x' },
      { sessionId: 7 },
      null,
      7,
      'x',
      [],
    ];
    expect(parseSessionsIndex({ entries })).toEqual([]);
  });

  test.each([undefined, ...wrongTypes])('entries: %j is an empty index', (entries) => {
    expect(parseSessionsIndex({ entries })).toEqual([]);
  });

  test('fields of any type never throw', () => {
    const fields = [
      'sessionId',
      'firstPrompt',
      'summary',
      'created',
      'modified',
      'fileMtime',
      'prNumber',
      '__proto__',
    ];
    const entry = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.oneof(entry, fc.jsonValue())), fc.jsonValue(), (entries, originalPath) => {
        for (const hint of parseSessionsIndex({ entries, originalPath })) expect(hint.nativeId).not.toBe('');
      }),
    );
  });
});

describe('other sidecars', () => {
  const parse = (kind: string, value: object) =>
    claudeReader.parseSidecar({ kind } as SidecarFile, JSON.stringify(value));

  test('subagent meta', () => {
    const meta = { agentType: 'Explore', description: 'Find it', toolUseId: 't1', spawnDepth: 1 };
    expect(parse('agent-meta', meta)).toEqual({
      subagentType: 'Explore',
      subagentDescription: 'Find it',
      toolUseId: 't1',
    });
    expect(parse('agent-meta', { name: 'reviewer' })?.subagentDescription).toBe('reviewer');
    for (const value of wrongTypes) {
      const wrong = { agentType: value, description: value, name: value, toolUseId: 7 };
      expect(Object.values(parse('agent-meta', wrong) ?? {})).toEqual([null, null, null]);
    }
  });

  test('custom titles', () => {
    const titleOf = (value: object) => parse('custom-title', value)?.customTitle;
    expect(titleOf({ customTitle: ' Mine\0 ', title: 'x' })).toBe('Mine');
    expect(titleOf({ title: 'Also mine' })).toBe('Also mine');
    for (const value of wrongTypes) expect(titleOf({ customTitle: value })).toBeNull();
  });

  test.each([
    [null, 30],
    [{}, 30],
    [{ cleanupPeriodDays: 90 }, 90],
    [{ cleanupPeriodDays: 0 }, 0],
    [{ cleanupPeriodDays: -1 }, 30],
    [{ cleanupPeriodDays: '90' }, 30],
  ])('settings %j delete after %i days', (settings, days) => {
    expect(parseCleanupDays(settings)).toBe(days);
  });
});
