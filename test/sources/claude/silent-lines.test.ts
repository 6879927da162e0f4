// A line that is passed over by its first bytes is one in which full parsing finds nothing, and reading a whole transcript
// finds the same with and without passing over any.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionKind } from '../../../src/records.ts';
import { parseEntry } from '../../../src/sources/claude/parse.ts';
import { claudeLines } from '../../../src/sources/claude/reader.ts';
import { isSilentLine, silentAttachments, silentTypes } from '../../../src/sources/claude/silent-lines.ts';
import { readTranscript } from '../../../src/sources/transcript/read-transcript.ts';
import { WordForms } from '../../../src/text/words.ts';
import { TempHome } from '../../support/home.ts';
import { choices, writeJson } from '../../support/written-json.ts';

const kinds: readonly SessionKind[] = ['main', 'subagent', 'transcript', 'precompact'];
const types = [
  ...silentTypes,
  'user',
  'assistant',
  'attachment',
  'system',
  'progress',
  'summary',
  'last-prompt',
];
const attachments = [...silentAttachments, 'queued_command', 'file'];

const text = fc.constantFrom('fix the cart', 'a "quoted" word', '/home/u/shop', 'mode', '', 'naïve');
const uuid = fc.constantFrom(null, '00000000-0000-4000-8000-000000000001', 'a"b', 7, { deep: 1 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** In the order in which Claude Code writes its keys; absent ones are left out by JSON.stringify. */
const attachmentFirst = fc.record({
  parentUuid: some(uuid),
  isSidechain: some(fc.constantFrom<unknown>(false, true, 'no', { attachment: { type: 'date' } })),
  agentId: some(fc.constantFrom<unknown>('a674fe25991852893', 7)),
  attachment: some(fc.record({ type: fc.constantFrom(...attachments), prompt: some(text) })),
  type: some(fc.constantFrom(...types)),
  message: some(fc.record({ role: fc.constantFrom('user', 'assistant'), content: text })),
  uuid: some(fc.constantFrom('00000000-0000-4000-8000-000000000002')),
  timestamp: some(fc.constant('2026-11-16T18:33:32.727Z')),
  cwd: some(text),
  sessionId: some(text),
  version: some(fc.constantFrom('2.1.325', '2.1.326')),
});
const typeFirst = fc.record({
  type: fc.constantFrom(...types),
  sessionId: some(text),
  content: some(text),
  message: some(fc.record({ content: text })),
  attachment: some(fc.record({ type: fc.constantFrom(...attachments) })),
  cwd: some(text),
  version: some(fc.constantFrom('2.1.325', '2.1.326')),
  summary: some(text),
  leafUuid: some(text),
  lastPrompt: some(text),
});
const line = fc.oneof(
  attachmentFirst.map((value) => JSON.stringify(value)),
  typeFirst.map((value) => JSON.stringify(value)),
  fc
    .tuple(fc.oneof(attachmentFirst, typeFirst), choices)
    .map(([value, how]) => writeJson(JSON.parse(JSON.stringify(value)), how).replaceAll(/[\r\n]/g, ' ')),
);

const nothing = {
  ...{ uuid: null, sessionId: null, timestamp: null, cwd: null, branch: null, version: null, model: null },
  ...{ message: null, toolCalls: [], toolResults: [], summary: null, facts: null, isUnknownType: false },
};

describe('a line that begins as a silent one', () => {
  test.each([...silentTypes])('%s holds nothing when parsed, and is recognised', (type) => {
    const value = { type, sessionId: 's', cwd: '/home/u', version: '2.1.325', uuid: 'u', message: 'm' };
    expect(isSilentLine(Buffer.from(JSON.stringify(value)))).toBe(true);
    for (const kind of kinds) expect(parseEntry(value, kind)).toMatchObject(nothing);
  });

  test.each([...silentAttachments])('an attachment of kind %s too', (type) => {
    for (const start of [
      { parentUuid: null, isSidechain: false },
      { parentUuid: '00000000-0000-4000-8000-000000000001', isSidechain: false },
      { parentUuid: '00000000-0000-4000-8000-000000000001', isSidechain: true, agentId: 'a674fe25991852893' },
    ]) {
      const value = {
        ...start,
        attachment: { type, text: 'x' },
        type: 'attachment',
        uuid: 'u',
        cwd: '/home/u',
      };
      expect(isSilentLine(Buffer.from(JSON.stringify(value)))).toBe(true);
      for (const kind of kinds) expect(parseEntry(value, kind)).toMatchObject(nothing);
    }
  });

  test('is never one in which parsing finds anything', () => {
    let silent = 0;
    fc.assert(
      fc.property(line, (json) => {
        if (!isSilentLine(Buffer.from(json))) return;
        silent++;
        for (const kind of kinds) expect(parseEntry(JSON.parse(json), kind)).toMatchObject(nothing);
      }),
      { numRuns: 5000 },
    );
    expect(silent).toBeGreaterThan(500);
  });

  test.each([
    ['a type that only begins so', '{"type":"modern","content":"x"}'],
    [
      'a name inside another object',
      '{"parentUuid":{"x":1,"isSidechain":true,"attachment":{"type":"date"}}}',
    ],
    ['a name with escapes', '{"type":"m\\u006fde"}'],
    [
      'a queued prompt',
      '{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command","prompt":"x"}}',
    ],
    ['the beginning of a line', '{"type":"mode'],
    ['nothing', ''],
  ])('%s is not', (_, json) => {
    expect(isSilentLine(Buffer.from(json))).toBe(false);
  });
});

describe('a transcript', () => {
  let home: TempHome;
  beforeAll(() => {
    home = new TempHome();
  });
  afterAll(() => home.remove());

  function read(path: string, kind: SessionKind, isSilent: (line: Buffer) => boolean) {
    const job = {
      path,
      kind,
      sizeBytes: 0,
      fingerprint: null,
      isRedacting: false,
      keepsToolTexts: true,
    } as const;
    const options = { forms: new WordForms(), shouldStop: () => false };
    const from = { bytes: 0, lines: 0, version: null };
    return [...readTranscript({ ...claudeLines, isSilent }, { ...job, from }, options)];
  }

  test('read with silent lines passed over gives what reading every line gives', () => {
    const path = join(home.path, 'transcript.jsonl');
    const end = fc.constantFrom('', '\n', '{"type":"mode","mo', '{"type":"mode"}');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), end, fc.constantFrom(...kinds), (lines, last, kind) => {
        writeFileSync(path, `${lines.join('\n')}\n${last}`);
        expect(read(path, kind, isSilentLine)).toEqual(read(path, kind, () => false));
      }),
      { numRuns: 1000 },
    );
  });
});
