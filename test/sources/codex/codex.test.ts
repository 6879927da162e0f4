// What only Codex does: most of a rollout is passed over by its first bytes, and rollouts move when they are archived or
// compressed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSilentLine, parseEntry, quietEvents, quietTypes } from '../../../src/sources/codex/reader.ts';
import { codex } from '../../../src/sources/codex/source.ts';
import { newEntry } from '../../../src/sources/transcript/entry.ts';
import { AgentHome, readFixture } from '../../support/agent-home.ts';
import { rowsOf } from '../../support/index-home.ts';

const lines = [...readFixture('codex')]
  .filter(([path]) => path.includes('rollout-') && path.endsWith('.jsonl'))
  .flatMap(([, bytes]) => bytes.toString('utf8').trimEnd().split('\n'));

describe('a line', () => {
  test('that is passed over would have said nothing', () => {
    const types = fc.constantFrom(
      ...quietTypes,
      ...quietEvents,
      'response_item',
      'event_msg',
      'session_meta',
    );
    const made = fc
      .record({ isNumbered: fc.boolean(), type: types, inner: types })
      .map(({ isNumbered, type, inner }) =>
        JSON.stringify({
          ...{ timestamp: '2026-03-05T10:00:00.000Z', ...(isNumbered ? { ordinal: 3 } : {}), type },
          payload: { type: inner, message: 'text', item: { type: 'AgentMessage', content: [] } },
        }),
      );
    fc.assert(
      fc.property(fc.oneof(made, fc.constantFrom(...lines)), (line) => {
        if (!isSilentLine(Buffer.from(line))) return;
        const { type, ...said } = parseEntry(JSON.parse(line), 'main') ?? newEntry('');
        expect(said).toEqual({ ...newEntry(type), type: undefined });
      }),
    );
    expect(lines.filter((line) => isSilentLine(Buffer.from(line))).length).toBeGreaterThan(lines.length / 3);
  });
});

const session = '019cbd2a-7a00-7000-8000-00000000000a';
const day = 'sessions/2026/03/05';
const name = `rollout-2026-03-05T10-00-00-${session}.jsonl`;

describe('a rollout', () => {
  const states = (home: AgentHome) =>
    rowsOf(
      home,
      `select path, is_gone, message_count from session join transcript on transcript.id = transcript_id
      where session.native_id = ?`,
      session,
    );

  test('that is archived, and then compressed, is the same session still', async () => {
    using home = new AgentHome('codex');
    await home.index();
    mkdirSync(join(home.root.path, 'archived_sessions'), { recursive: true });
    renameSync(join(home.root.path, day, name), join(home.root.path, 'archived_sessions', name));
    await home.index();
    expect(await states(home)).toEqual([{ path: `archived_sessions/${name}`, is_gone: 0, message_count: 4 }]);
    if (spawnSync('zstd', ['-q', '--rm', join(home.root.path, 'archived_sessions', name)]).status !== 0)
      return;
    await home.index();
    const path = `archived_sessions/${name}.zst`;
    expect(await states(home)).toEqual([{ path, is_gone: 0, message_count: 4 }]);
  });
});

test('it is resumed by its id, after it was taken out of the archive', () => {
  const target = {
    ...{
      nativeId: session,
      root: '/home/u/.codex',
      path: `${day}/${name}`,
      slug: null,
      relocatedCwd: null,
      originalCwd: null,
      isGone: false,
    },
    ...{ firstCwd: '/home/u/shop', lastCwd: '/home/u/other', project: null, sameIdCount: 0 },
  };
  expect(codex.findDirectory(target)).toBe('/home/u/shop');
  expect(codex.toResumeArgv(target)).toEqual(['codex', 'resume', session]);
  expect(codex.toFirstArgv(target)).toBeNull();
  const archived = { ...target, path: `archived_sessions/${name}` };
  expect(codex.toFirstArgv(archived)).toEqual(['codex', 'unarchive', session]);
  expect(codex.toResumeArgv({ ...target, nativeId: '--help' })).toBeNull();
});

test('it says which session runs a command', () => {
  expect(codex.findRunningSession({ CODEX_THREAD_ID: session })).toEqual({ nativeId: session });
  expect(codex.findRunningSession({})).toBeNull();
});
