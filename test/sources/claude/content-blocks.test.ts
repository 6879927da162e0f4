// The blocks of a message: what tools were pointed at, given, and answered.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toToolCalls, toToolResults } from '../../../src/sources/claude/content-blocks.ts';
import type { JsonObject } from '../../../src/sources/json/json-value.ts';
import { cutTarget, toToolCall } from '../../../src/sources/transcript/work-text.ts';
import { toSearchedText } from '../../../src/text/tool-text.ts';

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
  expect(toToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input }])).toEqual([
    {
      id: 't1',
      name: 'Write',
      target: 'src/x.ts',
      input: expect.any(String),
      given: input,
    },
  ]);
  const [call] = toToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input }]);
  expect(toSearchedText(call?.input ?? '')).toBe('src/x.ts\nexport function narwhalHandshake() {}\né');
  expect(toToolCalls([{ type: 'tool_use', id: 't1', name: 'Write', input: 'odd' }])).toMatchObject([
    { target: null, input: '' },
  ]);
  expect(
    toToolCalls([
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
  expect(toToolResults([block])).toEqual([{ id: 't1', isError: false, output }]);
  expect(toToolResults([{ ...block, is_error: true }])).toEqual([{ id: 't1', isError: true, output }]);
});

test('an answer to nothing is none', () => {
  expect(
    toToolResults([
      { type: 'tool_result', content: 'lost' },
      { type: 'text', text: 'x' },
    ]),
  ).toEqual([]);
});
