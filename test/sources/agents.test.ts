// What holds for every agent beside Claude Code: what is found in its fixture, that nothing injected is, that it does not
// matter in how many steps its files came to be, and that broken input costs only itself.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { hasChanges, lookAtRoots } from '../../src/indexing/look.ts';
import { type AgentName, agents } from '../../src/records.ts';
import { getSource } from '../../src/sources/index.ts';
import { realAgents } from '../e2e/real-agents.ts';
import { AgentHome, describeIndex, injected, readFixture } from '../support/agent-home.ts';
import { rowsOf, withStore } from '../support/index-home.ts';
import { type ReadSoFar, TranscriptReader } from '../support/read-agent.ts';

const others = agents.filter((agent) => agent !== 'claude');

test('restored is only into agents whose program was seen to accept it', () => {
  for (const agent of agents)
    expect([agent, getSource(agent).files !== null]).toEqual([
      agent,
      (realAgents[agent]?.store ?? null) !== null,
    ]);
});

describe.each(others)('%s in the index', (agent) => {
  const home = new AgentHome(agent);
  afterAll(() => home.remove());

  test('what is found', async () => {
    const report = await home.index();
    expect(report.failures).toEqual([]);
    await expect(await describeIndex(home)).toMatchFileSnapshot(`../../fixtures/agents/${agent}.found.txt`);
  });

  test('nothing injected is found by any word', async () => {
    expect([...readFixture(agent).values()].some((bytes) => bytes.includes(injected))).toBe(true);
    for (const table of ['message', 'tool_call', 'session', 'work']) {
      const rows = await rowsOf(
        home,
        `select rowid from ${table}_fts where ${table}_fts match '${injected}'`,
      );
      expect([table, rows]).toEqual([table, []]);
    }
  });

  test('a second look finds nothing new, and what is deleted stays, marked', async () => {
    const again = await home.index();
    expect([again.hasChanges, again.bytesRead]).toEqual([false, 0]);
    const texts = () => rowsOf<{ text: string }>(home, 'select text from message order by text');
    const before = await texts();
    rmSync(home.root.path, { recursive: true });
    mkdirSync(home.root.path);
    await home.index();
    expect(await texts()).toEqual(before);
    expect(await rowsOf(home, 'select native_id from session where is_gone = 0')).toEqual([]);
  });
});

test.each([
  ['gemini', 'tmp/shop/chats/session-2026-03-05T10-00-0a0b0c0d.json'],
  ['cline', 'data/sessions/1772704800000_aaaaa/1772704800000_aaaaa.messages.json'],
] as const)(
  'a file of %s without messages is named, and not taken for an empty session',
  async (agent, path) => {
    using home = new AgentHome(agent, false);
    const full = join(home.root.path, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, '{"history":[{"role":"user","parts":[{"text":"How do swifts sleep?"}]}]}');
    await home.index();
    expect(await rowsOf(home, 'select skipped_lines from transcript')).toEqual([{ skipped_lines: 1 }]);
  },
);

/** Other stores are never half written, and have tests of their own. */
const inLines = others.filter((agent) => linesOf(agent).length > 0);

describe.each(inLines)('the lines of %s', (agent) => {
  const home = new AgentHome(agent);
  afterAll(() => home.remove());

  test('are read the same wherever the file is cut', async () => {
    const reader = await TranscriptReader.load(agent, home.root.path);
    const paths = reader.discover().filter((path) => path.endsWith('.jsonl'));
    const files = readFixture(agent);
    fc.assert(
      fc.property(
        fc.constantFrom(...paths),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
        (path, cuts) => {
          const bytes = files.get(path) ?? Buffer.alloc(0);
          let read: ReadSoFar | undefined;
          for (const cut of [...cuts.toSorted((a, b) => a - b), 1]) {
            writeFileSync(join(home.root.path, path), bytes.subarray(0, Math.round(cut * bytes.length)));
            read = reader.read(path, withoutTorn(read, bytes));
          }
          expect(read).toEqual(reader.read(path));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('are all found, whatever stands between them', async () => {
    const reader = await TranscriptReader.load(agent, home.root.path);
    const files = [...readFixture(agent)].filter(
      ([path]) => reader.discover().includes(path) && path.endsWith('.jsonl'),
    );
    const textsOf = (path: string) =>
      reader.read(path).messages.map((message) => (message as { text: string }).text);
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(hostileLine(agent), { minLength: 1, maxLength: 6 }),
        ([path, bytes], hostile) => {
          writeFileSync(join(home.root.path, path), bytes);
          const texts = textsOf(path);
          const lines = bytes.toString('utf8').split('\n');
          const mixed = lines.flatMap((line, i) =>
            i === 0 ? [line] : [hostile[i % hostile.length] ?? '', line],
          );
          writeFileSync(join(home.root.path, path), mixed.join('\n'));
          expect(textsOf(path)).toEqual(expect.arrayContaining(texts));
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** A last line that was whole though it had no newline: the indexer reads such a file again from its start. */
function withoutTorn(read: ReadSoFar | undefined, bytes: Buffer): ReadSoFar | undefined {
  if (read === undefined) return undefined;
  const isTerminated = read.from.bytes === 0 || bytes[read.from.bytes - 1] === 10;
  return isTerminated ? read : undefined;
}

function linesOf(agent: AgentName): string[] {
  return [...readFixture(agent)]
    .filter(([path]) => path.endsWith('.jsonl'))
    .flatMap(([, bytes]) => bytes.toString('utf8').split('\n'));
}

/** Lines of the fixture with something else in the place of a value, torn lines, and what is no line at all. */
function hostileLine(agent: AgentName): fc.Arbitrary<string> {
  const real = linesOf(agent).filter(
    (line) => line.startsWith('{') && line.endsWith('}') && line.length < 5000,
  );
  const wrong = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.constant([]),
    fc.constant({}),
    fc.constant(['x', {}]),
  );
  const spoiled = fc.tuple(fc.constantFrom(...real), fc.nat(40), wrong).map(([line, nth, value]) => {
    let count = 0;
    // Never an id: the same message with another text would take the place of the first.
    return JSON.stringify(JSON.parse(line), (key, inner: unknown) =>
      key !== '' && count++ === nth ? value : key === 'id' || key === 'uuid' ? `other-${inner}` : inner,
    );
  });
  const torn = fc.tuple(fc.constantFrom(...real), fc.double({ min: 0.1, max: 0.9, noNaN: true }));
  return fc.oneof(
    spoiled,
    torn.map(([line, part]) => line.slice(0, Math.floor(line.length * part))),
    fc.constantFrom(
      '',
      '[1]',
      'null',
      '{"type":',
      '\u0000',
      '{"type":"__proto__","payload":{"__proto__":[]}}',
    ),
    fc.json(),
  );
}

test.each(others)(
  'a folder of %s without a session is looked at once, and then left alone',
  async (agent) => {
    using home = new AgentHome(agent, false);
    mkdirSync(home.root.path);
    await home.index();
    await withStore(home, ({ db }) => {
      const look = { trustFolders: true, nowMs: Date.now(), rebuild: false };
      expect(hasChanges(lookAtRoots(db, [home.root], look))).toBe(false);
    });
  },
);
