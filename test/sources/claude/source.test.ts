// Claude Code's habits: where it keeps its files, how it resumes, which session it runs, when it deletes.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Surroundings } from '../../../src/records.ts';
import { claude } from '../../../src/sources/claude/source.ts';
import { getSource, sources } from '../../../src/sources/index.ts';
import type { ResumableSession } from '../../../src/sources/source.ts';
import { TempHome } from '../../support/home.ts';

let home: TempHome;
let at: Surroundings;
beforeEach(() => {
  home = new TempHome();
  at = { env: {}, homeDir: home.path, cwd: '/work', platform: 'linux' };
});
afterEach(() => home.remove());

const withEnv = (env: Surroundings['env']): Surroundings => ({ ...at, env });

test('every source is listed under the name of its agent', () => {
  for (const [agent, source] of Object.entries(sources)) expect(source.agent).toBe(agent);
  expect(getSource('claude')).toBe(claude);
  expect(() => getSource('toString' as never)).toThrow('toString');
});

describe('folders', () => {
  test('the one in the home directory, or that which CLAUDE_CONFIG_DIR names', () => {
    expect(claude.toDefaultRoots(at)).toEqual([home.claudeDir]);
    expect(claude.toDefaultRoots(withEnv({ CLAUDE_CONFIG_DIR: '' }))).toEqual([home.claudeDir]);
    expect(claude.toDefaultRoots(withEnv({ CLAUDE_CONFIG_DIR: '/srv/claude' }))).toEqual(['/srv/claude']);
    expect(claude.toDefaultRoots(withEnv({ CLAUDE_CONFIG_DIR: 'here' }))).toEqual(['/work/here']);
  });

  test('its settings are in the folder, its user configuration beside ~/.claude or within any other', () => {
    const other = join(home.path, 'other');
    mkdirSync(other);
    const inside = (root: string) => [join(root, 'settings.json'), join(root, '.claude.json')];
    expect(claude.findOwnFiles(home.claudeDir, at)).toEqual([
      join(home.claudeDir, 'settings.json'),
      join(home.path, '.claude.json'),
    ]);
    expect(claude.findOwnFiles(other, at)).toEqual(inside(other));
    const named = withEnv({ CLAUDE_CONFIG_DIR: home.claudeDir });
    expect(claude.findOwnFiles(home.claudeDir, named)).toEqual(inside(home.claudeDir));
  });

  test.each([
    ['no settings', null, 30],
    ['settings without it', {}, 30],
    ['as many days as they say', { cleanupPeriodDays: 99 }, 99],
    ['none at all', { cleanupPeriodDays: 0 }, 0],
    ['a number that makes no sense', { cleanupPeriodDays: -1 }, 30],
    ['broken settings', '{"cleanup', 30],
  ])('days until a transcript is deleted: %s', (_, settings, days) => {
    if (settings !== null) home.write('settings.json', settings);
    expect(claude.readCleanupDays(home.claudeDir)).toBe(days);
  });

  test('settings that are a folder say nothing', () => {
    mkdirSync(join(home.claudeDir, 'settings.json'));
    expect(claude.readCleanupDays(home.claudeDir)).toBe(30);
  });
});

describe('resuming', () => {
  const id = 'aaaaaaaa-0000-4000-8000-00000000000a';
  const session = (more: Partial<ResumableSession> = {}): ResumableSession => ({
    ...{
      nativeId: id,
      root: '/home/u/.claude',
      path: null,
      isGone: false,
      slug: '-home-u-shop',
      firstCwd: '/home/u/shop',
    },
    ...{ lastCwd: '/home/u/shop/api', relocatedCwd: null, originalCwd: null, project: null, sameIdCount: 0 },
    ...more,
  });

  test.each<[string, Partial<ResumableSession>, string | null]>([
    ['where it began', {}, '/home/u/shop'],
    ['where it was moved to', { relocatedCwd: '/srv/shop' }, '/srv/shop'],
    ['where its folder is named after', { slug: '-home-u-shop-api' }, '/home/u/shop/api'],
    ['where it began, when no directory fits its folder', { slug: '-elsewhere' }, '/home/u/shop'],
    ['where others say it was', { firstCwd: null, lastCwd: null, project: '/home/u/shop' }, '/home/u/shop'],
    ['on Windows', { firstCwd: 'C:\\Users\\u', slug: 'C--Users-u' }, 'C:\\Users\\u'],
    ['nowhere, without any directory', { firstCwd: null, lastCwd: null }, null],
    ['nowhere, with nothing but a folder name', { firstCwd: null, lastCwd: null, project: '-home-u' }, null],
    [
      'where its folder is named after, with a twin',
      { sameIdCount: 1, slug: '-home-u-shop-api' },
      '/home/u/shop/api',
    ],
    [
      'nowhere, with a twin and no directory that fits its folder',
      { sameIdCount: 1, slug: '-elsewhere' },
      null,
    ],
  ])('%s', (_, more, cwd) => {
    expect(claude.findDirectory(session(more))).toBe(cwd);
  });

  test('by its id', () => {
    expect(claude.toResumeArgv(session())).toEqual(['claude', '-r', id]);
  });

  test.each(['--help', 'a\nb', 'a\u202eb'])('an id like %j is not one', (nativeId) => {
    expect(claude.toResumeArgv(session({ nativeId }))).toBeNull();
  });

  test('from another folder than the usual one, Claude Code has to know which', () => {
    const root = join(home.path, 'other');
    mkdirSync(root);
    expect(claude.findResumeEnv(home.claudeDir, at)).toEqual({});
    expect(claude.findResumeEnv(root, at)).toEqual({ CLAUDE_CONFIG_DIR: root });
    expect(claude.findResumeEnv(root, withEnv({ CLAUDE_CONFIG_DIR: root }))).toEqual({});
    const link = join(home.path, 'link');
    symlinkSync(root, link);
    expect(claude.findResumeEnv(root, withEnv({ CLAUDE_CONFIG_DIR: link }))).toEqual({});
  });
});

test.each([
  [{}, null],
  [{ CLAUDECODE: '' }, null],
  [{ CLAUDECODE: '1' }, { nativeId: null }],
  [{ CLAUDECODE: '1', CLAUDE_SESSION_ID: 'old' }, { nativeId: 'old' }],
  [{ CLAUDE_CODE_SESSION_ID: 'new', CLAUDE_SESSION_ID: 'old' }, { nativeId: 'new' }],
])('the running session by %j', (env, running) => {
  expect(claude.findRunningSession(env)).toEqual(running);
});

test.each([
  ['projects/-a/s.jsonl', true],
  ['projects/-a/sessions-index.json', true],
  ['projects/-a/s/tool-results/x.txt', false],
])('%s is watched: %s', (name, isWatched) => {
  expect(claude.isWatched(name)).toBe(isWatched);
});
