// What each line of a transcript tells, and that no JSON value is too strange for the parser.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionKind } from '../../../src/records.ts';
import { parseEntry, toPullRequest } from '../../../src/sources/claude/parse-entry.ts';
import type { Entry } from '../../../src/sources/transcript/entry.ts';
import { assistantLine, type Line, toolUse, userLine } from '../../support/home.ts';

function parse(line: Line, kind: SessionKind = 'main'): Entry {
  const entry = parseEntry(line, kind);
  if (entry === null) throw new Error('no entry');
  return entry;
}

const knownKeys = [
  ...['type', 'uuid', 'sessionId', 'timestamp', 'cwd', 'gitBranch', 'version', 'message', 'content', 'model'],
  ...['isMeta', 'isSidechain', 'isCompactSummary', 'isApiErrorMessage', 'origin', 'kind', 'promptSource'],
  ...['attachment', 'prompt', 'operation', 'subtype', 'summary', 'leafUuid', 'customTitle', 'agentName'],
  ...['aiTitle', 'lastPrompt', 'relocatedCwd', 'continuedInSessionId', 'prNumber', 'prUrl', 'prRepository'],
  ...['tool_name', 'tool_input', 'tool_use_id', 'is_error', 'id', 'name', 'input', 'text', 'file_path'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
];

const knownTypes = [
  ...['user', 'assistant', 'tool_result', 'tool_use', 'attachment', 'queue-operation', 'system', 'summary'],
  ...['custom-title', 'agent-name', 'ai-title', 'last-prompt', 'relocated', 'continued-in', 'pr-link'],
  ...[
    'progress',
    'text',
    'queued_command',
    'enqueue',
    'compact_boundary',
    'human',
    '__proto__',
    'constructor',
  ],
];

/** JSON text of nested objects with the keys that matter and values of any type, `__proto__` as a plain key. */
const { value: oddValue } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...knownTypes).map((word) => JSON.stringify(word)),
    fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\u0000nul \\ud800 lone"', '"<system-reminder>x"', '1e400', '-1', '1700000000.5'),
    fc.json({ maxDepth: 2 }),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...knownKeys), tie('value')), { maxLength: 8 })
    .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
}));

const oddLine = fc
  .tuple(fc.constantFrom(...knownTypes), fc.array(fc.tuple(fc.constantFrom(...knownKeys.slice(1)), oddValue)))
  .map(([type, fields]) => {
    const more = fields.map(([key, value]) => `,${JSON.stringify(key)}:${value}`).join('');
    return JSON.parse(`{"type":${JSON.stringify(type)}${more}}`) as Line;
  });

const sessionKind = fc.constantFrom<SessionKind>('main', 'subagent', 'transcript', 'precompact');
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('any JSON value', () => {
  test('an object gives an entry if it has a type, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), sessionKind, (line, kind) => {
        const hasType = Object.hasOwn(line, 'type') && typeof line.type === 'string' && line.type !== '';
        expect(parseEntry(line as Line, kind) !== null).toBe(hasType);
      }),
    );
  });

  test('known keys with wrong types never throw, and what comes out is clean', () => {
    fc.assert(
      fc.property(oddLine, sessionKind, (line, kind) => {
        const entry = parse(line, kind);
        expect(entry.timestamp ?? '2026-01-01T00:00:00.000Z').toMatch(isoTime);
        const { message, title, toolCalls } = entry;
        if (message !== null) expect(message.text.trim()).not.toBe('');
        if (title !== null) expect(title.text.trim()).not.toBe('');
        for (const text of [message?.text, title?.text, ...toolCalls.map((call) => call.target)]) {
          expect(text?.isWellFormed() ?? true).toBe(true);
          expect(text ?? '').not.toContain('\0');
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a __proto__ key lends no fields', () => {
    const line = JSON.parse('{"type":"user","__proto__":{"uuid":"u","message":{"content":"inherited"}}}');
    expect(parse(line)).toMatchObject({ uuid: null, message: null });
    expect(parseEntry(JSON.parse('{"__proto__":{"type":"user"}}'), 'main')).toBeNull();
  });
});

describe('entries', () => {
  test('the envelope of an entry is read, whatever else it holds', () => {
    const extra = { uuid: 'u1', sessionId: 's1', timestamp: '2026-03-05T10:00:00.000Z', gitBranch: 'dev' };
    expect(parse(userLine('hello', extra))).toMatchObject({
      ...{ type: 'user', uuid: 'u1', sessionId: 's1', timestamp: '2026-03-05T10:00:00.000Z' },
      ...{ cwd: '/home/u/shop', branch: 'dev', version: '2.1.100', isUnknownType: false },
      message: { role: 'user', kind: 'prompt', text: 'hello', isSidechain: false },
    });
  });

  test.each<[SessionKind, boolean, string]>([
    ['main', false, 'prompt'],
    ['main', true, 'task'],
    ['subagent', true, 'task'],
    ['subagent', false, 'task'],
    ['precompact', false, 'prompt'],
  ])('a user entry of a session of kind %s, sidechain %s, is a %s', (kind, isSidechain, expected) => {
    expect(parse(userLine('do it', { isSidechain }), kind).message).toMatchObject({ kind: expected });
  });

  test('an assistant entry gives text, model and tool calls', () => {
    const blocks = [{ type: 'text', text: ' Reading. ' }, toolUse('Read', { file_path: 'a.ts' }, 't1')];
    expect(parse(assistantLine(blocks))).toMatchObject({
      model: 'claude-sonnet-4-5',
      message: { role: 'assistant', kind: 'reply', text: 'Reading.' },
      toolCalls: [{ id: 't1', name: 'Read', target: 'a.ts' }],
    });
  });

  test('a meta entry still gives its tool results', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 't1', is_error: true },
      { type: 'text', text: 'x' },
    ];
    expect(parse(userLine(content, { isMeta: true }))).toMatchObject({
      message: null,
      toolResults: [{ id: 't1', isError: true }],
    });
  });

  test('only is_error: true is a failure', () => {
    const ids = [true, 'true', 1, false, null].map((is_error, i) => ({
      ...{ type: 'tool_result', tool_use_id: `t${i}`, is_error },
    }));
    expect(parse(userLine(ids)).toolResults.map((result) => result.isError)).toEqual([
      ...[true, false, false, false, false],
    ]);
  });
});

describe('other lines', () => {
  test.each<[Line, Partial<Entry>]>([
    [{ type: 'custom-title', customTitle: ' Mine ' }, { title: { source: 'custom-title', text: 'Mine' } }],
    [{ type: 'agent-name', agentName: 'fixer' }, { title: { source: 'agent-name', text: 'fixer' } }],
    [{ type: 'ai-title', aiTitle: 'Fix it' }, { title: { source: 'ai-title', text: 'Fix it' } }],
    [{ type: 'ai-title', aiTitle: '  ' }, { title: null }],
    [
      { type: 'summary', summary: 'S', leafUuid: 'u' },
      { title: { source: 'summary', text: 'S', leafUuid: 'u' } },
    ],
    [{ type: 'summary', summary: 'S' }, { title: null }],
    [{ type: 'last-prompt', lastPrompt: 'go on' }, { lastPrompt: 'go on' }],
    [{ type: 'last-prompt', lastPrompt: '<task-notification>x' }, { lastPrompt: null }],
    [{ type: 'relocated', relocatedCwd: '/srv' }, { relocatedCwd: '/srv' }],
    [{ type: 'continued-in', continuedInSessionId: 'next' }, { continuedIn: 'next' }],
    [
      { type: 'system', subtype: 'compact_boundary', uuid: 'u' },
      { isCompaction: true, uuid: 'u' },
    ],
    [{ type: 'system', subtype: 'turn_duration' }, { isCompaction: false }],
    [
      { type: 'progress', uuid: 'u', version: '2.1.0' },
      { uuid: null, version: '2.1.0', isUnknownType: false },
    ],
    [
      { type: 'mood-ring', version: '2.1.0' },
      { isUnknownType: true, version: '2.1.0', message: null },
    ],
    [
      { type: 'tool_use', tool_name: 'Read' },
      { isUnknownType: true, toolCalls: [] },
    ],
  ])('%j', (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
  });

  test.each([
    ['a line without type', {}],
    ['an empty type', { type: '' }],
    ['a type that is no string', { type: 7 }],
  ])('%s is no entry', (_, line) => {
    expect(parseEntry(line, 'main')).toBeNull();
  });

  test('a compact export may hold answers and unknown types too', () => {
    expect(parse({ type: 'assistant', content: 'Done.' }, 'transcript').message?.kind).toBe('reply');
    expect(parse({ type: 'tool_use', tool_input: {} }, 'transcript').toolCalls).toEqual([]);
    expect(parse({ type: 'mood-ring' }, 'transcript').isUnknownType).toBe(true);
  });

  test('a pull request is whatever is known of it', () => {
    expect(toPullRequest({ prNumber: 7 })).toEqual({ number: 7, url: null, repository: null });
    expect(toPullRequest({ prUrl: 'https://x', prRepository: 'u/r' })).toEqual({
      ...{ number: null, url: 'https://x', repository: 'u/r' },
    });
    expect(toPullRequest({ prNumber: '7', prUrl: '' })).toBeNull();
  });
});
