// Tool calls folded into conversations: copies once, subagents with their session, in any order.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countFiles, foldTouches, preferWhole } from '../../src/api/file-history.ts';
import type { Touch } from '../../src/store/read/activity.ts';
import type { SessionInfo } from '../../src/store/word-index.ts';
import { hit } from '../render/made-hits.ts';

function info(id: number, given: Partial<SessionInfo> = {}): SessionInfo {
  return { ...hit({}).session, id, ownerId: id, conversationId: id, modifiedAt: `2026-10-0${id}`, ...given };
}
const infosOf = (...infos: SessionInfo[]) => new Map(infos.map((each) => [each.id, each]));
const touch = (sessionId: number, tool: string, calls: number, path = '/p/a.ts'): Touch => ({
  sessionId,
  tool,
  calls,
  path,
});
const agent = (id: number, ownerId: number, given: Partial<SessionInfo> = {}) =>
  info(id, { kind: 'subagent', ownerId, ...given });

describe('foldTouches', () => {
  test('the newest first, with the tools of each', () => {
    const touches = [
      touch(1, 'Read', 3),
      touch(1, 'Edit', 4),
      touch(2, 'Write', 1),
      touch(2, 'Read', 1, '/p/b.ts'),
    ];
    const folded = foldTouches(touches, infosOf(info(1), info(2)));
    expect(folded.map(({ session, tools, subagentCalls }) => [session.id, tools, subagentCalls])).toEqual([
      [
        2,
        [
          { name: 'Read', calls: 1 },
          { name: 'Write', calls: 1 },
        ],
        0,
      ],
      [
        1,
        [
          { name: 'Edit', calls: 4 },
          { name: 'Read', calls: 3 },
        ],
        0,
      ],
    ]);
    expect(folded[0]?.files.map((file) => file.path)).toEqual(['/p/a.ts', '/p/b.ts']);
    expect(countFiles(folded)).toEqual([
      {
        path: '/p/a.ts',
        sessions: 2,
        tools: [
          { name: 'Edit', calls: 4 },
          { name: 'Read', calls: 3 },
          { name: 'Write', calls: 1 },
        ],
      },
      { path: '/p/b.ts', sessions: 1, tools: [{ name: 'Read', calls: 1 }] },
    ]);
  });

  test('the newest copy that touched it', () => {
    const infos = infosOf(info(1), info(2, { conversationId: 1 }), info(3, { conversationId: 1 }));
    const folded = foldTouches([touch(1, 'Read', 3), touch(2, 'Read', 5)], infos);
    expect(folded.map(({ session, tools }) => [session.id, tools])).toEqual([
      [2, [{ name: 'Read', calls: 5 }]],
    ]);
  });

  test('a fork shows everything that was done, under the copy that did most of it', () => {
    const infos = infosOf(info(1), info(2, { conversationId: 1 }), info(3, { conversationId: 1 }));
    const touches = [touch(1, 'Write', 1), touch(1, 'Edit', 2), touch(2, 'Write', 1), touch(3, 'Read', 1)];
    expect(foldTouches(touches, infos)).toMatchObject([
      {
        session: { id: 1 },
        tools: [
          { name: 'Edit', calls: 2 },
          { name: 'Read', calls: 1 },
          { name: 'Write', calls: 1 },
        ],
      },
    ]);
  });

  test('subagents count for their session, copies of a subagent once, even under a fork', () => {
    const infos = infosOf(
      info(1),
      info(2, { conversationId: 1 }),
      agent(3, 1),
      agent(4, 2, { conversationId: 3 }),
      agent(5, 1),
    );
    const touches = [
      touch(1, 'Edit', 2),
      touch(2, 'Edit', 2),
      touch(3, 'Read', 4),
      touch(4, 'Read', 4),
      touch(5, 'Read', 1),
    ];
    const [only, ...others] = foldTouches(touches, infos);
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      session: { id: 2 },
      tools: [
        { name: 'Read', calls: 5 },
        { name: 'Edit', calls: 2 },
      ],
      subagentCalls: 5,
    });
  });

  test('a subagent alone is shown as its session; so is a saved history', () => {
    const history = info(4, { kind: 'precompact', ownerId: 1 });
    const infos = infosOf(info(1), info(2), agent(3, 2), history);
    expect(foldTouches([touch(3, 'Read', 1)], infos)[0]).toMatchObject({
      session: { id: 2 },
      subagentCalls: 1,
    });
    expect(foldTouches([touch(4, 'Read', 7)], infos)[0]).toMatchObject({
      session: { id: 1 },
      subagentCalls: 0,
    });
    expect(foldTouches([touch(4, 'Read', 7), touch(1, 'Read', 2)], infos)[0]?.tools).toEqual([
      { name: 'Read', calls: 7 },
    ]);
  });

  test('does not depend on the order of the calls', () => {
    const infos = infosOf(
      info(1),
      info(2, { conversationId: 1 }),
      info(3),
      agent(4, 1),
      agent(5, 3),
      info(6, { kind: 'precompact', ownerId: 3 }),
    );
    const some = fc.uniqueArray(
      fc.record({
        sessionId: fc.integer({ min: 1, max: 6 }),
        tool: fc.constantFrom('Read', 'Edit'),
        path: fc.constantFrom('/p/a.ts', '/p/b.ts'),
        calls: fc.integer({ min: 1, max: 9 }),
      }),
      { selector: ({ sessionId, tool, path }) => `${sessionId} ${tool} ${path}` },
    );
    fc.assert(
      fc.property(some, (touches) => {
        const folded = foldTouches(touches, infos);
        expect(foldTouches([...touches].reverse(), infos)).toEqual(folded);
        expect(folded.length).toBeLessThanOrEqual(2);
        const all = (each: readonly { calls: number }[]) => each.reduce((sum, { calls }) => sum + calls, 0);
        for (const { tools, files, subagentCalls } of folded) {
          expect(all(files.flatMap((file) => file.tools))).toBe(all(tools));
          expect(subagentCalls).toBeLessThanOrEqual(all(tools));
        }
      }),
    );
  });
});

test('an absolute path means itself and what is below; the end of other paths only if there is none', () => {
  const paths = ['/src/a.ts', '/home/u/src/a.ts', '/src'];
  const touches = paths.map((path) => touch(1, 'Read', 1, path));
  const kept = (path: string) => preferWhole(touches, path).map((each) => each.path);
  expect(kept('/src')).toEqual(['/src/a.ts', '/src']);
  expect(kept('/src/a.ts')).toEqual(['/src/a.ts']);
  expect(kept('/u/src/a.ts')).toEqual(paths);
  expect(preferWhole([touch(1, 'Read', 1, 'src/a.ts'), ...touches], '/')).toEqual(touches);
});

test('a partial path matches the end of any path, or exactly what a tool was given', () => {
  const touches = [touch(1, 'Read', 1, 'src/a.ts'), touch(2, 'Edit', 1, '/home/u/src/a.ts')];
  expect(preferWhole(touches, 'src/a.ts')).toEqual(touches);
});
