// recall projects as a user or a script runs it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
const shop = () => join(home.path, 'shop');

beforeAll(() => {
  home = new TempHome();
  mkdirSync(shop());
  const write = (id: string, cwd: string, day: string, count: number) =>
    home.writeSession(
      `${id}-0000-4000-8000-000000000001`,
      Array.from({ length: count }, (_, i) =>
        (i % 2 === 0 ? userLine : assistantLine)(`${id} says ${i}`, { cwd, timestamp: at(i, day) }),
      ),
      cwd.replace(/[^A-Za-z0-9]/g, '-'),
    );
  write('aaaa0001', shop(), '2026-03-01', 2);
  write('aaaa0002', shop(), '2026-03-03', 4);
  write('bbbb0001', '/nowhere/shop-old', '2026-03-09', 3);
  write('cccc0001', '/nowhere/blog', '2026-03-02', 40);
});
afterAll(() => home.remove());

function projectsJson(args: string[] = [], cwd = home.path) {
  const { stdout, code } = runRecall(home, ['projects', '--json', ...args], { cwd });
  return { code, ...JSON.parse(stdout) };
}
const pathsOf = (args: string[], cwd?: string) =>
  projectsJson(args, cwd).projects.map((project: { path: string }) => project.path.split('/').at(-1));

describe('recall projects', () => {
  test('field by field', () => {
    const { projects, ...rest } = projectsJson();
    expect(rest).toEqual({ code: 0, schemaVersion: 3, total: 3 });
    expect(projects[1]).toEqual({
      path: shop(),
      exists: true,
      sessions: 2,
      subagents: 0,
      messages: 6,
      lastUsedAt: '2026-03-03T10:03:00.000Z',
      textChars: 6 * 'aaaa0001 says 0'.length,
      diskBytes: expect.any(Number),
    });
    expect(projects[0]).toMatchObject({ path: '/nowhere/shop-old', exists: false });
  });

  test('last used first, or in the requested order', () => {
    expect(pathsOf([])).toEqual(['shop-old', 'shop', 'blog']);
    expect(pathsOf(['--sort', 'sessions'])).toEqual(['shop', 'shop-old', 'blog']);
    expect(pathsOf(['--sort', 'messages'])).toEqual(['blog', 'shop', 'shop-old']);
    expect(pathsOf(['--sort', 'size'])).toEqual(['blog', 'shop', 'shop-old']);
    expect(pathsOf(['--sort', 'name', '/nowhere'])).toEqual(['blog', 'shop-old']);
    expect(pathsOf(['--limit', '1'])).toEqual(['shop-old']);
  });

  test('only those that match', () => {
    expect(pathsOf(['shop'])).toEqual(['shop']);
    expect(pathsOf(['sho'])).toEqual(['shop-old', 'shop']);
    expect(pathsOf(['.'], shop())).toEqual(['shop']);
    expect(pathsOf(['/nowhere'])).toEqual(['shop-old', 'blog']);
  });

  test('a directory that is gone is marked', () => {
    const { stdout } = runRecall(home, ['projects']);
    expect(stdout).toMatch(/shop-old .* gone /);
    expect(stdout).toMatch(/^~\/shop (?!.*gone)/m);
  });

  test('nothing found: exit 1; an invalid order: exit 2', () => {
    const { code, stdout, stderr } = runRecall(home, ['projects', 'nothing-like-it']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/no project matching nothing-like-it in 4 sessions.*\n {2}try: recall projects/);
    mkdirSync(join(home.path, 'empty'));
    const here = runRecall(home, ['projects', '.'], { cwd: join(home.path, 'empty') });
    expect(here.stderr).toContain(`no project matching ${join(home.path, 'empty')} in 4 sessions`);
    expect(projectsJson(['nothing-like-it'])).toMatchObject({ code: 1, total: 0, projects: [] });
    expect(runRecall(home, ['projects', '--sort', 'age']).code).toBe(2);
  });
});
