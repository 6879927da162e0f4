// What holds of every agent whose files are kept: each file belongs to a session or to none, whatever its name, and a line
// without its secrets is still a line.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadTools } from '../../src/indexing/reader.ts';
import { type AgentName, agents } from '../../src/records.ts';
import { getSource } from '../../src/sources/index.ts';
import type { SessionFiles } from '../../src/sources/source.ts';
import { realAgents } from '../e2e/real-agents.ts';
import { readFixture } from '../support/agent-home.ts';

const keeping = agents.filter((agent) => getSource(agent).files !== null && agent !== 'claude');
const filesOf = (agent: AgentName) => getSource(agent).files as SessionFiles;

test('only where the real program was seen to take a session back', () => {
  const tried = agents.filter((agent) => (realAgents[agent]?.store ?? null) !== null);
  expect(keeping).toEqual(tried.filter((agent) => agent !== 'claude'));
});

describe.each(keeping)('the files of %s', (agent) => {
  const files = filesOf(agent);
  const paths = [...readFixture(agent).keys()];

  test('that hold a session belong to one, by their names', () => {
    const owned = paths.map((path) => [path, files.findOwner(path)] as const);
    for (const [path, owner] of owned)
      if (files.findMeaning(path)?.transcript) expect([path, owner]).toEqual([path, expect.any(String)]);
    const owners = new Set(owned.flatMap(([, owner]) => owner ?? []));
    expect(owners.size).toBeGreaterThan(1);
    expect(new Set([...owners].map(files.toOwner))).toEqual(owners);
  });

  test('of a session itself are named as it is when only its name is known', () => {
    const extra = agent === 'gemini' ? ['tmp/shop/chats/session-2026-03-05T11-00-deadbeef.jsonl'] : [];
    for (const path of [...paths, ...extra]) {
      const { transcript = null } = files.findMeaning(path) ?? {};
      if (transcript !== null && transcript.parentNativeId === null)
        expect([path, files.toOwner(transcript.nativeId)]).toEqual([path, files.findOwner(path)]);
    }
  });

  test('have a form, and a former path is one of the same session', () => {
    for (const path of paths) {
      expect(['lines', 'text', 'packed']).toContain(files.findForm(path));
      expect(files.toFormerPaths(path)[0]).toBe(path);
      const owners = files.toFormerPaths(path).map((each) => files.findOwner(each));
      if (files.findMeaning(path)?.transcript) expect(new Set(owners).size).toBe(1);
    }
  });

  test('of any name are asked about without harm, and stay in their store', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '..',
        '.',
        '',
        '__proto__',
        'chats',
        'subagents',
        'rollout-2026-03-05T10-00-00-x.jsonl',
      ),
    );
    const path = fc.oneof(
      fc.array(name, { maxLength: 6 }).map((names) => names.join('/')),
      fc.tuple(fc.constantFrom(...paths), name).map(([known, more]) => `${known}/${more}`),
    );
    fc.assert(
      fc.property(path, (any) => {
        const owner = files.findOwner(any);
        files.findForm(any);
        for (const former of files.toFormerPaths(any)) expect(typeof former).toBe('string');
        const folder = files.toFolder(any, owner ?? 'x');
        if (owner !== null && folder !== null && !owner.includes('/'))
          expect(folder.split('/')[0]).toBe(any.split('/')[0]);
      }),
      { numRuns: 300 },
    );
  });
});

const secret = `ghp_${'a1B2'.repeat(9)}`;

describe.each(keeping)('a line of %s', (agent) => {
  const lines = [...readFixture(agent)]
    .filter(([path]) => /messages\.json$|\.jsonl$/.test(path))
    // A session that is one value is one line.
    .flatMap(([path, bytes]) =>
      path.endsWith('.json') ? [bytes.toString('utf8')] : bytes.toString('utf8').split('\n'),
    )
    .map((line) => line.trim())
    .filter((line) => line.startsWith('{') && line.endsWith('}'));

  test('with a secret anywhere is a line without it, not longer, with its id and its type', async () => {
    const { redactLine } = await getSource(agent).loadReader([], loadTools);
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(60), (line, nth) => {
        let count = 0;
        const keeps = new Set(['id', 'uuid', 'type', 'sessionId', 'timestamp', 'ordinal']);
        const pasted = JSON.stringify(JSON.parse(line), (key, value: unknown) =>
          typeof value === 'string' && !keeps.has(key) && count++ === nth ? `${value} ${secret}` : value,
        );
        const before = Buffer.from(pasted);
        const after = redactLine?.(before) ?? Buffer.alloc(0);
        expect(after.length).toBeLessThanOrEqual(before.length);
        expect(after.includes(secret)).toBe(false);
        const [was, is] = [JSON.parse(pasted), JSON.parse(after.toString())];
        for (const key of keeps) expect(is[key]).toEqual(was[key]);
        if (!pasted.includes(secret)) expect(after.equals(before)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

test('what the model thought is left out where it holds a secret, because it is signed', async () => {
  const clean = async (agent: AgentName, line: object) => {
    const { redactLine } = await getSource(agent).loadReader([], loadTools);
    return JSON.parse(redactLine?.(Buffer.from(JSON.stringify(line))).toString() ?? '');
  };
  const thought = `the token is ${secret}`;
  const reasoning = { type: 'reasoning', summary: [{ text: thought }], encrypted_content: 'gAAA' };
  expect(await clean('codex', { ordinal: 3, type: 'response_item', payload: reasoning })).toEqual({
    ...{ ordinal: 3, type: 'response_item' },
    payload: { type: 'other' },
  });
  const block = { type: 'thinking', thinking: thought, thinkingSignature: 'x' };
  expect(await clean('pi', { type: 'message', message: { content: [block] } })).toEqual({
    ...{ type: 'message', message: { content: [{ type: 'text', text: '[redacted]' }] } },
  });
  const parts = [{ text: thought, thought: true }, { text: 'Done.' }];
  expect(await clean('qwen', { message: { parts } })).toEqual({ message: { parts: [{ text: 'Done.' }] } });
  const data = { content: 'Done.', reasoningText: thought, reasoningOpaque: 'x' };
  expect(await clean('copilot', { type: 'assistant.message', data })).toEqual({
    ...{ type: 'assistant.message', data: { content: 'Done.' } },
  });
});
