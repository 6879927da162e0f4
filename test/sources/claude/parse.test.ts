// What each line of a transcript tells, and that no JSON value is too strange for the parser.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionKind } from '../../../src/records.ts';
import {
  findPersonText,
  findToolCalls,
  findToolResults,
  findTypedLine,
  isRecapText,
  parseEntry,
  parseHistoryLine,
} from '../../../src/sources/claude/parse.ts';
import type { JsonObject } from '../../../src/sources/json/json-value.ts';
import type { Entry } from '../../../src/sources/transcript/entry.ts';
import { cutTarget, toToolCall } from '../../../src/sources/transcript/tool-call.ts';
import { toSearchedText } from '../../../src/text/tool-text.ts';
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
        const { message, summary, facts, toolCalls } = entry;
        const said = Object.values(facts ?? {}).filter((fact) => typeof fact === 'string');
        if (message !== null) expect(message.text.trim()).not.toBe('');
        for (const text of [summary?.text ?? 'none', ...said]) expect(text).not.toBe('');
        for (const title of [facts?.customTitle, facts?.agentName, facts?.aiTitle, summary?.text])
          expect(title?.trim()).not.toBe('');
        for (const text of [message?.text, summary?.text, ...said, ...toolCalls.map((call) => call.target)]) {
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
    [{ type: 'custom-title', customTitle: ' Mine ' }, { facts: { customTitle: 'Mine' } }],
    [{ type: 'agent-name', agentName: 'fixer' }, { facts: { agentName: 'fixer' } }],
    [{ type: 'ai-title', aiTitle: 'Fix it' }, { facts: { aiTitle: 'Fix it' } }],
    [{ type: 'ai-title', aiTitle: '  ' }, { facts: null }],
    [
      { type: 'summary', summary: 'S', leafUuid: 'u' },
      { summary: { text: 'S', leafUuid: 'u' }, facts: null },
    ],
    [{ type: 'summary', summary: 'S' }, { summary: null }],
    [{ type: 'last-prompt', lastPrompt: 'go on' }, { facts: { lastPrompt: 'go on' } }],
    [{ type: 'last-prompt', lastPrompt: '<task-notification>x' }, { facts: { lastPrompt: null } }],
    [{ type: 'relocated', relocatedCwd: '/srv' }, { facts: { relocatedCwd: '/srv' } }],
    [{ type: 'continued-in', continuedInSessionId: 'next' }, { facts: { continuedIn: 'next' } }],
    [
      { type: 'system', subtype: 'compact_boundary', uuid: 'u' },
      { facts: { compactionCount: 1 }, uuid: 'u' },
    ],
    [{ type: 'system', subtype: 'turn_duration' }, { facts: null }],
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
    const factsOf = (line: Line) => parse({ type: 'pr-link', ...line }).facts;
    expect(factsOf({ prNumber: 7 })).toEqual({ prNumber: 7, prUrl: null, prRepository: null });
    expect(factsOf({ prUrl: 'https://x', prRepository: 'u/r' })).toEqual({
      ...{ prNumber: null, prUrl: 'https://x', prRepository: 'u/r' },
    });
    expect(factsOf({ prNumber: '7', prUrl: '' })).toEqual({
      prNumber: null,
      prUrl: null,
      prRepository: null,
    });
  });
});

const toToolTarget = (input: JsonObject) => toToolCall(null, 'Tool', input).target;

const fields = [
  ...['file_path', 'notebook_path', 'path', 'command', 'pattern', 'url', 'query', 'description', 'skill'],
  'subagent_type',
];

test.each(fields.map((field, rank) => [field, fields.slice(rank)] as const))(
  '%s goes before what comes after it in the list',
  (field, rest) => {
    const input = Object.fromEntries(rest.toReversed().map((name) => [name, `the ${name}`]));
    expect(toToolTarget(input)).toBe(`the ${field}`);
  },
);

test('an empty or wrongly typed field gives way to the next', () => {
  expect(toToolTarget({ file_path: '', path: 7, command: ['ls'], pattern: 'TODO' })).toBe('TODO');
  expect(toToolTarget({ content: 'x', old_string: 'y' })).toBeNull();
});

test('at most 400 characters of a target are kept, and they are clean', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', size: 'large', minLength: 1 }), (command) => {
      const target = cutTarget(toToolTarget({ command }) ?? '');
      expect(target.length).toBeLessThanOrEqual(400);
      expect(target.isWellFormed()).toBe(true);
      expect(target).not.toContain('\0');
    }),
  );
});

test('a call is given all its strings, also those that are not its target', () => {
  const input = {
    file_path: 'src/x.ts',
    content: 'export function narwhalHandshake() {}',
    flags: { deep: ['é'] },
  };
  expect(findToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input }])).toEqual([
    {
      id: 't1',
      name: 'Write',
      target: 'src/x.ts',
      input: expect.any(String),
      given: input,
    },
  ]);
  const [call] = findToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input }]);
  expect(toSearchedText(call?.input ?? '')).toBe('src/x.ts\nexport function narwhalHandshake() {}\né');
  expect(findToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input: 'odd' }])).toMatchObject([
    { target: null, input: '' },
  ]);
  expect(
    findToolCalls([
      { type: 'text', name: 'Write', input },
      { type: 'tool_use', input },
    ]),
  ).toEqual([]);
});

test.each<[unknown, string]>([
  ['all in one string', 'all in one string'],
  [
    [
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ],
    'first\nsecond',
  ],
  [
    [
      { type: 'image', source: { data: 'iVBORw0KGgo' } },
      { type: 'text', text: 'a caption' },
    ],
    'a caption',
  ],
  [[{ type: 'tool_reference', tool_name: 'Bash' }], ''],
  [undefined, ''],
  [7, ''],
  [[['nested']], ''],
])('an answer of %j says %j', (content, output) => {
  const block = { type: 'tool_result', tool_use_id: 't1', content } as JsonObject;
  expect(findToolResults([block])).toEqual([{ id: 't1', isError: false, output }]);
  expect(findToolResults([{ ...block, is_error: true }])).toEqual([{ id: 't1', isError: true, output }]);
});

test('an answer to nothing is none', () => {
  expect(
    findToolResults([
      { type: 'tool_result', content: 'lost' },
      { type: 'text', text: 'x' },
    ]),
  ).toEqual([]);
});

const reminder = '<system-reminder>never mind</system-reminder>';

describe('findPersonText', () => {
  test.each([
    ['plain words', 'plain words'],
    ['  trimmed \n', 'trimmed'],
    ['why is <div> here', 'why is <div> here'],
    ['a < b && b > c', 'a < b && b > c'],
    [`${reminder}\nhello`, 'hello'],
    [`hello ${reminder} world ${reminder}`, 'hello  world'],
    ['see <ide_selection>lines 1 to 3</ide_selection> fix this', 'see  fix this'],
    ['<ide_opened_file>a.ts</ide_opened_file>\nexplain', 'explain'],
    ['<local-command-stdout>done</local-command-stdout> typed after', 'typed after'],
    ['the word Caveat: in the middle', 'the word Caveat: in the middle'],
    ['<system-reminders> is no wrapper', '<system-reminders> is no wrapper'],
  ])('%j is a prompt: %j', (raw, text) => {
    expect(findPersonText(raw)).toEqual({ kind: 'prompt', text });
  });

  test.each([
    '',
    ' \n ',
    reminder,
    `${reminder}${reminder}\n`,
    '<system-reminder>not closed',
    `${reminder}<local-command-stderr>not closed`,
    '<local-command-caveat>Caveat: the messages below</local-command-caveat>',
    '<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>',
    '<command-message>init is analyzing</command-message>\n<command-name>/init</command-name>',
    '<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>',
    '<bash-input> </bash-input>',
    '<task-notification>done</task-notification> Read the output file',
    'Caveat: The messages below were generated by the user',
    '[Request interrupted by user for tool use]',
    '[SUGGESTION MODE: suggest what comes next]',
    'Base directory for this skill: /skills/pdf',
    `${reminder}[Request interrupted by user]`,
  ])('%j is nobody’s', (raw) => {
    expect(findPersonText(raw)).toBeNull();
  });

  test.each([
    ['<command-name>/fix</command-name> <command-args>issue 42</command-args>', 'command', 'issue 42'],
    ['<command-args>not closed', 'command', 'not closed'],
    ['<command-message>x</command-message><command-args>two\nlines</command-args>', 'command', 'two\nlines'],
    ['<bash-input>ls -l | wc</bash-input>', 'shell', 'ls -l | wc'],
    ['<bash-input>ls</bash-input><bash-stdout>a b</bash-stdout>', 'shell', 'ls'],
  ])('%j holds a typed %s', (raw, kind, text) => {
    expect(findPersonText(raw)).toEqual({ kind, text });
  });

  test.each([
    ...['system-reminder', 'local-command-caveat', 'local-command-stdout', 'local-command-stderr'],
    ...['task-notification', 'bash-stdout', 'bash-stderr', 'command-name', 'command-message'],
    ...['command-contents', 'ide_opened_file', 'ide_selection', 'ide_diagnostics', 'user-prompt-submit-hook'],
  ])('<%s> is cut out of a prompt', (tag) => {
    expect(findPersonText(`before <${tag}>never\nmind</${tag}>after`)?.text).toBe('before after');
  });

  const tag = fc.constantFrom('system-reminder', 'command-args', 'bash-input', 'task-notification', 'div');
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name}>`),
    fc.string({ maxLength: 5 }),
  );

  test('any text gives trimmed words or nothing', () => {
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (raw) => {
          const typed = findPersonText(raw);
          if (typed !== null) expect(typed.text).toBe(typed.text.trim() || 'empty');
        },
      ),
    );
  });

  test('words without any angle bracket come through whole', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9 ,.!?'"]*$/), (words) => {
        expect(findPersonText(`${words} ${reminder}`)).toEqual({ kind: 'prompt', text: words.trim() });
      }),
    );
  });

  test.each(['<system-reminder>', '</system-reminder>', '<', reminder, '<command-args>'])(
    'a megabyte of %s takes no time to speak of',
    (unit) => {
      const raw = `x ${unit.repeat(1_000_000 / unit.length)}`;
      const start = performance.now();
      findPersonText(raw);
      findPersonText(raw.slice(2));
      expect(performance.now() - start).toBeLessThan(2000);
    },
  );
});

describe('findTypedLine', () => {
  test.each([
    ['/clear', null],
    ['/model  ', null],
    ['/commit fix the cart', { kind: 'command', text: 'fix the cart' }],
    ['/plugin:do-it two\nlines', { kind: 'command', text: 'two\nlines' }],
    ['/home/u/shop/a.ts is broken', { kind: 'prompt', text: '/home/u/shop/a.ts is broken' }],
    ['// a comment', { kind: 'prompt', text: '// a comment' }],
    ['just words', { kind: 'prompt', text: 'just words' }],
    ['', null],
  ])('%j', (raw, typed) => {
    expect(findTypedLine(raw)).toEqual(typed);
  });
});

test('a recap is known by how it opens', () => {
  expect(isRecapText('This session is being continued from a previous conversation that ran out')).toBe(true);
  expect(isRecapText('Was this session is being continued from a previous conversation?')).toBe(false);
});

const pasted = {
  '1': { id: 1, type: 'text', content: 'line 1\nline 2' },
  '2': { id: 2, contentHash: 'abc' },
};

describe('parseHistoryLine', () => {
  test('a line of today', () => {
    const line = { display: ' fix it ', timestamp: 1772704800000, project: '/home/u/shop', sessionId: 's1' };
    expect(parseHistoryLine(line)).toEqual({
      ...{ kind: 'prompt', text: 'fix it', nativeId: 's1', project: '/home/u/shop' },
      timestamp: '2026-03-05T10:00:00.000Z',
    });
  });

  test('an old line names no session', () => {
    expect(parseHistoryLine({ display: 'fix it', project: '/p' })).toEqual({
      ...{ kind: 'prompt', text: 'fix it', nativeId: null, project: '/p', timestamp: null },
    });
  });

  test.each([
    ['/clear', null],
    ['/review the cart', 'the cart'],
    ['see [Pasted text #1 +2 lines] and [Pasted text #1]', 'see line 1\nline 2 and line 1\nline 2'],
    ['see [Pasted text #2 +1 line]', 'see [Pasted text #2 +1 line]'],
    ['see [Pasted text #9]', 'see [Pasted text #9]'],
    ['see [Image #1]', 'see [Image #1]'],
    ['', null],
    ['nul\0 gone', 'nul gone'],
  ])('%j', (display, text) => {
    expect(parseHistoryLine({ display, pastedContents: pasted })?.text ?? null).toBe(text);
  });

  test('what was pasted is not put in without end', () => {
    const display = '[Pasted text #1]'.repeat(100);
    const pastedContents = { 1: { content: 'x'.repeat(1_000_000) } };
    const text = parseHistoryLine({ display, pastedContents })?.text ?? '';
    expect(text.length).toBeLessThan(4_010_000);
    expect(text.endsWith('[Pasted text #1]')).toBe(true);
  });

  test('pasted text is put in as it is', () => {
    const line = { display: '[Pasted text #1]', pastedContents: { '1': { content: 'costs $& and $1' } } };
    expect(parseHistoryLine(line)?.text).toBe('costs $& and $1');
  });

  test('any fields give a prompt or nothing', () => {
    const fields = ['display', 'pastedContents', 'timestamp', 'project', 'sessionId', '__proto__'];
    const display = fc.constantFrom('[Pasted text #1]', 'words', '/x', '[Pasted text #__proto__]');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), fc.oneof(display, fc.jsonValue())), (line) => {
        const prompt = parseHistoryLine(line);
        if (prompt !== null) expect(prompt.text.trim()).not.toBe('');
      }),
    );
  });
});
