// What Claude Code 2.1.326 does to sessions, as it was seen to: branches, moves, work trees, the background, tags.

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantLine, type Line, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const [a, b] = [1, 2].map((n) => `${'ab'[n - 1]?.repeat(8)}-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
];

let home: TempHome;
let shop = '';
let other = '';
beforeEach(() => {
  home = new TempHome();
  [shop, other] = ['shop', 'other'].map((name) => join(home.path, name)) as [string, string];
  for (const directory of [shop, other]) mkdirSync(directory);
});
afterEach(() => home.remove());

const toSlug = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');
const run = (...args: string[]) => runRecall(home, args, { cwd: home.path });
const json = (...args: string[]) => JSON.parse(run(...args, '--json').stdout);

const said = (cwd: string, more: Line = {}): Line[] => [
  userLine('why does the zebra queue stall', { cwd, uuid: 'u1', gitBranch: 'main', ...more }),
  assistantLine([{ type: 'text', text: 'The lock.' }], { cwd, uuid: 'u2', gitBranch: 'main', ...more }),
];

test('a branch that a person named is listed beside its origin, and says where it comes from', () => {
  const copied = { forkedFrom: { sessionId: a, messageUuid: 'u1' }, sessionId: b };
  home.writeSession(a, said(shop, { sessionId: a }), toSlug(shop));
  home.writeSession(
    b,
    [...said(shop, copied), userLine('with redis', { cwd: shop, uuid: 'u3' })],
    toSlug(shop),
  );
  expect(json('list').sessions).toMatchObject([{ id: b, copies: 1 }]);
  home.write(`projects/${toSlug(shop)}/${b}/custom-title.json`, { customTitle: 'queue with redis' });
  const { sessions } = json('list');
  expect(sessions).toHaveLength(2);
  expect(sessions).toContainEqual(expect.objectContaining({ id: a, copies: 0 }));
  expect(sessions).toContainEqual(expect.objectContaining({ id: b, copies: 0, branchedFrom: a }));
  expect(run('list').stdout).toContain('branched from aaaaaaaa');
  expect(run('show', b).stdout).toMatch(new RegExp(`branched from +${a}`));
  expect(json('search', 'redis').hits).toMatchObject([{ id: b, title: 'queue with redis' }]);
});

test('after /cd project, branch and counts are those of the new place', () => {
  home.writeSession(a, said(shop, { sessionId: a }), toSlug(shop));
  run('index', '--no-archive');
  const [from, to] = [shop, other].map((cwd) => join(home.claudeDir, 'projects', toSlug(cwd)));
  mkdirSync(to as string);
  renameSync(`${from}/${a}.jsonl`, `${to}/${a}.jsonl`);
  home.append(`projects/${toSlug(other)}/${a}.jsonl`, [
    { type: 'relocated', sessionId: a, relocatedCwd: other },
    userLine('and here', { cwd: other, uuid: 'u4', gitBranch: 'next', sessionId: a }),
  ]);
  run('index', '--no-archive');
  expect(json('list').sessions).toMatchObject([
    { id: a, project: other, branch: 'next', copies: 0, messageCount: 3, resume: { cwd: other } },
  ]);
  const { projects } = json('projects');
  expect(projects).toMatchObject([{ path: other, sessions: 1, messages: 3 }]);
  expect(projects).toHaveLength(1);
  expect(json('list', '--project', shop).sessions).toEqual([]);
});

test('a session of a removed work tree is resumed where the work tree was made', () => {
  const tree = join(shop, '.claude', 'worktrees', 'fix');
  mkdirSync(tree, { recursive: true });
  const state = { originalCwd: shop, worktreePath: tree, worktreeName: 'fix' };
  home.writeSession(
    a,
    [...said(tree), { type: 'worktree-state', worktreeSession: state, sessionId: a }],
    toSlug(tree),
  );
  expect(run('open', a).stdout).toBe(`cd '${tree}' && claude -r ${a}\n`);
  rmSync(tree, { recursive: true });
  const { stdout, stderr } = run('open', a);
  expect(stdout).toBe(`cd '${shop}' && claude -r ${a}\n`);
  expect(stderr).toBe('');
});

test('nothing speaks against resuming a background session: claude -r attaches to it', () => {
  home.writeSession(a, said(shop), toSlug(shop));
  const open = { pid: process.pid, sessionId: a, cwd: shop };
  home.write(`sessions/${process.pid}.json`, { ...open, kind: 'interactive' });
  expect(run('open', a).stderr).toContain('two programs would write');
  home.write(`sessions/${process.pid}.json`, { ...open, kind: 'bg' });
  expect(run('open', a).stderr).toBe('');
  expect(json('list').sessions).toMatchObject([{ id: a, running: true }]);
  expect(run('list').stdout).toContain('running');
});

test('a tag is found, and no longer once it was taken away', () => {
  const path = home.writeSession(
    a,
    [...said(shop), { type: 'tag', tag: 'pelican', sessionId: a }],
    toSlug(shop),
  );
  expect(json('search', 'pelican').hits).toMatchObject([{ id: a }]);
  home.append(path, [{ type: 'tag', tag: '', sessionId: a }]);
  expect(json('search', 'pelican').hits).toEqual([]);
});
