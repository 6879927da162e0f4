// recall files as a user or a script runs it: which paths are meant, which calls count, numbers for open.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, type Line, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
const shop = () => join(home.path, 'shop');
const idOf = (name: string) => `${name}-0000-4000-8000-000000000001`;

beforeAll(() => {
  home = new TempHome();
  mkdirSync(join(shop(), 'src'), { recursive: true });
  const write = (name: string, minute: number, calls: readonly Line[], cwd = shop()) =>
    home.writeSession(
      idOf(name),
      [
        userLine(`prompt of ${name}`, { cwd, timestamp: at(minute) }),
        assistantLine('on it', { cwd, timestamp: at(minute) }),
        ...calls.map((call) => assistantLine([call], { cwd, timestamp: at(minute) })),
      ],
      cwd.replace(/[^A-Za-z0-9]/g, '-'),
    );
  const auth = join(shop(), 'src/auth.ts');
  write('aaaa0001', 1, [
    ...[1, 2, 3].map(() => toolUse('Read', { file_path: auth })),
    ...[1, 2].map(() => toolUse('Edit', { file_path: auth })),
    toolUse('Bash', { command: `cat ${auth}` }),
    toolUse('Grep', { pattern: '/auth.ts' }),
  ]);
  write('bbbb0001', 2, [toolUse('Read', { file_path: auth }), toolUse('Read', { file_path: `${auth}x` })]);
  write('cccc0001', 3, [toolUse('Write', { file_path: '/srv/blog/src/auth.ts' })], '/srv/blog');
  write('dddd0001', 4, [toolUse('Bash', { command: `sed -i s/a/b/ ${auth}` })]);
  home.writeSession(
    idOf('eeee0001'),
    [
      userLine('prompt of eeee0001', { cwd: shop(), timestamp: at(5) }),
      assistantLine([toolUse('Edit', { file_path: auth }, 'toolu_failed')], {
        cwd: shop(),
        timestamp: at(5),
      }),
      userLine([toolResult('toolu_failed', true)], { cwd: shop(), timestamp: at(5) }),
    ],
    shop().replace(/[^A-Za-z0-9]/g, '-'),
  );
  home.write(
    `projects/${shop().replace(/[^A-Za-z0-9]/g, '-')}/${idOf('bbbb0001')}/subagents/agent-a1.jsonl`,
    [
      userLine('look at it', { cwd: shop(), timestamp: at(2), isSidechain: true, agentId: 'a1' }),
      assistantLine([toolUse('Edit', { file_path: auth })], {
        cwd: shop(),
        timestamp: at(2),
        isSidechain: true,
      }),
      assistantLine('looked', { cwd: shop(), timestamp: at(2), isSidechain: true }),
    ],
  );
  home.write('projects/C--x/ffff0001-0000-4000-8000-000000000001.jsonl', [
    userLine('prompt of ffff0001', { cwd: 'C:\\x', timestamp: at(0) }),
    assistantLine([toolUse('Read', { file_path: 'C:\\x\\lib\\pool.ts' })], {
      cwd: 'C:\\x',
      timestamp: at(0),
    }),
  ]);
});
afterAll(() => home.remove());

function filesJson(args: string[], cwd = home.path) {
  const { stdout, code } = runRecall(home, ['files', '--json', ...args], { cwd });
  return { code, ...JSON.parse(stdout) };
}
const found = (args: string[], cwd?: string) =>
  filesJson(args, cwd).sessions.map((session: { id: string }) => session.id.slice(0, 8));

describe('recall files', () => {
  test('field by field, newest first', () => {
    const { code, ...all } = filesJson(['auth.ts']);
    expect(code).toBe(0);
    const auth = join(shop(), 'src/auth.ts');
    expect(all).toMatchObject({
      schemaVersion: 2,
      path: 'auth.ts',
      total: 3,
      freshness: { refreshed: true, pendingFiles: 0 },
      files: [
        {
          path: auth,
          sessions: 2,
          tools: [
            { name: 'Read', calls: 4 },
            { name: 'Edit', calls: 3 },
          ],
        },
        { path: '/srv/blog/src/auth.ts', sessions: 1, tools: [{ name: 'Write', calls: 1 }] },
      ],
    });
    expect(all.sessions.map((session: { id: string }) => session.id)).toEqual(
      ['cccc0001', 'bbbb0001', 'aaaa0001'].map(idOf),
    );
    const tools = [
      { name: 'Edit', calls: 1 },
      { name: 'Read', calls: 1 },
    ];
    expect(all.sessions[1]).toMatchObject({
      rank: 2,
      tools,
      subagentCalls: 1,
      files: [{ path: auth, tools }],
    });
  });

  test('the end of a path, an absolute one, a relative one, a directory', () => {
    expect(found(['src/auth.ts'])).toEqual(['cccc0001', 'bbbb0001', 'aaaa0001']);
    expect(found(['/srv/blog/src/auth.ts'])).toEqual(['cccc0001']);
    expect(found(['./auth.ts'], join(shop(), 'src'))).toEqual(['bbbb0001', 'aaaa0001']);
    expect(found(['../shop/src/auth.ts'], shop())).toEqual(['bbbb0001', 'aaaa0001']);
    expect(found(['~/shop/src/auth.ts'])).toEqual(['bbbb0001', 'aaaa0001']);
    expect(found(['.'], shop())).toEqual(['bbbb0001', 'aaaa0001']);
    expect(found(['src/'])).toEqual(['cccc0001', 'bbbb0001', 'aaaa0001']);
    expect(found(['uth.ts'])).toEqual([]);
    expect(found(['lib/pool.ts'])).toEqual(['ffff0001']);
    expect(found(['lib\\pool.ts'])).toEqual(['ffff0001']);
    expect(found(['C:\\x\\lib\\pool.ts'])).toEqual(['ffff0001']);
  });

  // Below `/` was looked for as below `//`, and `C:\` as the end of a path.
  test('the root, and a drive', () => {
    expect(found(['/'])).toEqual(['cccc0001', 'bbbb0001', 'aaaa0001']);
    expect(found(['C:\\'])).toEqual(['ffff0001']);
    expect(found(['C:/'])).toEqual(['ffff0001']);
  });

  test('only those that changed it, of a project, or of a period', () => {
    expect(filesJson(['auth.ts', '--changed']).files[0].tools).toEqual([{ name: 'Edit', calls: 3 }]);
    expect(found(['auth.ts', '--changed', '--project', 'blog'])).toEqual(['cccc0001']);
    expect(found(['auth.tsx', '--changed'])).toEqual([]);
    expect(found(['auth.ts', '--since', '2026-03-05T10:03'])).toEqual(['cccc0001']);
    expect(found(['auth.ts', '--until', '2026-03-05T10:01'])).toEqual(['aaaa0001']);
    expect(filesJson(['auth.ts', '--limit', '1'])).toMatchObject({ total: 3, sessions: [{ rank: 1 }] });
  });

  test('a page for people, and numbers for open', () => {
    const { stdout } = runRecall(home, ['files', '~/shop/src/auth.ts']);
    expect(stdout).toMatch(/^~\/shop\/src\/auth\.ts\n\n 1 prompt of bbbb0001\n/);
    expect(stdout).toContain('   Edit ×1, Read ×1 (1 by subagents)\n');
    expect(stdout).toContain('   Read ×3, Edit ×2\n');
    expect(JSON.parse(runRecall(home, ['open', '2', '--json']).stdout).id).toBe(idOf('aaaa0001'));
    expect(runRecall(home, ['files', 'auth.ts']).stdout).toMatch(/^2 files\n/);
  });

  test('nothing found: exit 1 and what to try', () => {
    const { code, stdout, stderr } = runRecall(home, ['files', 'src/nope.ts']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /no session read or changed src\/nope\.ts in .*\n {2}try: only the name: recall files nope\.ts/,
    );
    expect(runRecall(home, ['files', 'nope.ts']).stderr).toContain('try: recall search nope.ts');
    expect(filesJson(['nope.ts'])).toMatchObject({ code: 1, total: 0, files: [], sessions: [] });
    expect(runRecall(home, ['files', 'auth.ts', '--limit', 'all']).code).toBe(2);
    expect(runRecall(home, ['files', '']).code).toBe(2);
  });
});
