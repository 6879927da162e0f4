// What setup adds to the settings and removes again, whatever else is in them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editPart, type SetupPart } from '../../src/setup/claude-settings.ts';

const addPart = (part: SetupPart, text: string, path: string) => editPart(part, text, path, false);
const removePart = (part: SetupPart, text: string, path: string) => editPart(part, text, path, true);

const path = '/home/u/.claude/settings.json';
const ourHook = { type: 'command', command: 'recall index --quiet', async: true, timeout: 60 };
const theirHook = { type: 'command', command: 'say done' };
const server = { type: 'stdio', command: 'recall', args: ['mcp'] };
const pretty = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function add(part: SetupPart, text: string): unknown {
  const { verdict, text: after } = addPart(part, text, path);
  expect(verdict).toBe('change');
  return JSON.parse(after);
}

describe('the hook', () => {
  test('into settings without hooks, with other events, with others at the same event', () => {
    const group = { hooks: [ourHook] };
    expect(add('hook', '')).toEqual({ hooks: { SessionEnd: [group] } });
    expect(add('hook', pretty({ model: 'opus' }))).toEqual({ model: 'opus', hooks: { SessionEnd: [group] } });
    const stop = { Stop: [{ hooks: [theirHook] }] };
    expect(add('hook', pretty({ hooks: stop }))).toEqual({ hooks: { ...stop, SessionEnd: [group] } });
    const theirs = { matcher: 'clear', hooks: [theirHook] };
    expect(add('hook', pretty({ hooks: { SessionEnd: [theirs] } }))).toEqual({
      hooks: { SessionEnd: [theirs, group] },
    });
  });

  test('is already there, even if its owner has changed what surrounds it', () => {
    const text = pretty({
      hooks: { SessionEnd: [{ matcher: 'other', hooks: [theirHook, { ...ourHook, timeout: 9 }] }] },
    });
    expect(addPart('hook', text, path)).toEqual({ verdict: 'already', text });
  });

  test('is removed from a group that it shares, and together with a group of its own', () => {
    const shared = { matcher: 'other', hooks: [theirHook, ourHook] };
    const own = { matcher: 'clear', hooks: [ourHook] };
    const { verdict, text } = removePart(
      'hook',
      pretty({ hooks: { SessionEnd: [own, shared] }, model: 'opus' }),
      path,
    );
    expect(verdict).toBe('change');
    expect(text).toBe(
      pretty({ hooks: { SessionEnd: [{ matcher: 'other', hooks: [theirHook] }] }, model: 'opus' }),
    );
  });

  test('is not there to be removed', () => {
    for (const text of ['{}', pretty({ hooks: { SessionEnd: [{ hooks: [theirHook] }, 7, null, {}] } })])
      expect(removePart('hook', text, path)).toEqual({ verdict: 'absent', text });
  });
});

describe('the MCP server', () => {
  test('among others, or as the first', () => {
    const others = { github: { type: 'http', url: 'https://example.com' } };
    expect(add('mcp', pretty({ mcpServers: others, numStartups: 3 }))).toEqual({
      mcpServers: { ...others, recall: server },
      numStartups: 3,
    });
    expect(add('mcp', '{"mcpServers":{}}')).toEqual({ mcpServers: { recall: server } });
  });

  test('a server of one project does not count', () => {
    expect(add('mcp', pretty({ projects: { '/x': { mcpServers: { recall: server } } } }))).toHaveProperty(
      'mcpServers.recall',
    );
  });

  test('is already there as Claude Code itself writes it', () => {
    const text = pretty({
      mcpServers: { recall: { type: 'stdio', command: 'recall', args: ['mcp'], env: {} } },
    });
    expect(addPart('mcp', text, path)).toEqual({ verdict: 'already', text });
  });

  test.each([
    [{ type: 'http', url: 'https://example.com' }],
    [{ command: 'recall', args: ['mcp', '--db', 'x'] }],
    [null],
  ])('another of the same name is left alone: %j', (other) => {
    const text = pretty({ mcpServers: { recall: other } });
    expect(addPart('mcp', text, path)).toEqual({ verdict: 'other', text });
    expect(removePart('mcp', text, path)).toEqual({ verdict: 'other', text });
  });
});

describe('a file that cannot be edited', () => {
  test.each([
    ['hook', '{"a": 1,}', 'not JSON'],
    ['hook', '{\n  // mine\n}', 'not JSON'],
    ['mcp', '{"a"', 'not JSON'],
    ['mcp', '[]', 'not an object'],
    ['mcp', 'null', 'not an object'],
    ['mcp', '{"mcpServers":[]}', '"mcpServers" is not an object'],
    ['hook', '{"hooks":"none"}', '"hooks" is not an object'],
    ['hook', '{"hooks":{"SessionEnd":{}}}', '"SessionEnd" is not a list'],
  ] as const)('%s, %j: says which and why', (part, text, reason) => {
    for (const edit of [addPart, removePart]) {
      expect(() => edit(part, text, path)).toThrow(`${path} was not changed: `);
      expect(() => edit(part, text, path)).toThrow(reason);
    }
  });
});

test('a key that occurs twice is refused: it is not clear which one counts', () => {
  const twice = '{"hooks":{"Stop":[]},"hooks":{"SessionEnd":[{"hooks":[]}]}}';
  expect(() => addPart('hook', twice, path)).toThrow('the key "hooks" occurs twice in one object');
  const inGroup = `{"hooks":{"SessionEnd":[{"hooks":[1],"hooks":[1,${JSON.stringify(ourHook)}]}]}}`;
  expect(() => removePart('hook', inGroup, path)).toThrow('the key "hooks" occurs twice in one object');
  expect(addPart('mcp', twice, path).verdict).toBe('change');
});

test('a byte order mark stays where it is', () => {
  const text = `\ufeff${pretty({ model: 'opus' })}`;
  const { text: added } = addPart('hook', text, path);
  expect(added.startsWith('\ufeff{\n  "model"')).toBe(true);
  expect(removePart('hook', added, path).text).toBe(text);
});

const filled = { minKeys: 1, noNullPrototype: true } as const;
const hooks = fc.record(
  {
    Stop: fc.array(fc.jsonValue(), { minLength: 1 }),
    SessionEnd: fc.array(fc.jsonValue(), { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const settings = fc
  .record(
    {
      model: fc.string(),
      hooks: hooks.filter((each) => Object.keys(each).length > 0),
      mcpServers: fc.dictionary(fc.string(), fc.jsonValue(), filled).filter((each) => !('recall' in each)),
      permissions: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .filter((each) => Object.keys(each).length > 0);

test.each(['mcp', 'hook'] as const)(
  '%s: added once, then nothing to do; removed, and all is as before',
  (part) => {
    fc.assert(
      fc.property(
        settings,
        fc.constantFrom(undefined, 2, 4, '\t'),
        fc.boolean(),
        (value, indent, isWindows) => {
          const written = JSON.stringify(value, null, indent);
          const text = isWindows ? written.replaceAll('\n', '\r\n') : written;
          const added = addPart(part, text, path);
          expect(added.verdict).toBe('change');
          expect(addPart(part, added.text, path)).toEqual({ verdict: 'already', text: added.text });
          expect(removePart(part, added.text, path)).toEqual({ verdict: 'change', text });
          expect(removePart(part, text, path)).toEqual({ verdict: 'absent', text });
        },
      ),
    );
  },
);

// The hook ran twice at the end of every session.
test('with the plugin enabled, no second hook is added', () => {
  const enabled = JSON.stringify({ enabledPlugins: { 'recall@tools': true } });
  expect(addPart('hook', enabled, 'settings.json')).toEqual({ verdict: 'plugin', text: enabled });
  for (const plugins of [{ 'recall@tools': false }, { 'other@tools': true }, ['recall@tools']])
    expect(addPart('hook', JSON.stringify({ enabledPlugins: plugins }), 'settings.json').verdict).toBe(
      'change',
    );
});
