// Where the index and the transcripts are, from flags, environment and platform.

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Surroundings, toIndexPath, toRoots } from '../src/config.ts';
import { UserError } from '../src/errors.ts';
import { TempHome } from './support/home.ts';

const at = (env: Surroundings['env'] = {}, platform: NodeJS.Platform = 'linux'): Surroundings => ({
  env,
  homeDir: '/home/u',
  platform,
  cwd: '/work/here',
});

describe('the index', () => {
  test('the flag before the variable before the data folder', () => {
    const env = { RECALL_DB: '/env/r.db', XDG_DATA_HOME: '/xdg' };
    expect(toIndexPath('/flag/r.db', at(env))).toBe('/flag/r.db');
    expect(toIndexPath(undefined, at(env))).toBe('/env/r.db');
    expect(toIndexPath(undefined, at({ XDG_DATA_HOME: '/xdg' }))).toBe('/xdg/recall/recall.db');
    expect(toIndexPath(undefined, at())).toBe('/home/u/.local/share/recall/recall.db');
  });

  test('a relative path starts where the person is; a relative XDG_DATA_HOME is ignored', () => {
    expect(toIndexPath('r.db', at())).toBe('/work/here/r.db');
    expect(toIndexPath(undefined, at({ RECALL_DB: '../r.db' }))).toBe('/work/r.db');
    expect(toIndexPath(undefined, at({ XDG_DATA_HOME: 'xdg' }))).toBe(
      '/home/u/.local/share/recall/recall.db',
    );
  });

  test('an empty variable is none', () => {
    const env = { RECALL_DB: '', XDG_DATA_HOME: '' };
    expect(toIndexPath(undefined, at(env))).toBe('/home/u/.local/share/recall/recall.db');
  });

  test('the platform’s own place', () => {
    expect(toIndexPath(undefined, at({}, 'darwin'))).toBe(
      '/home/u/Library/Application Support/recall/recall.db',
    );
    expect(toIndexPath(undefined, at({ XDG_DATA_HOME: '/xdg' }, 'darwin'))).toBe('/xdg/recall/recall.db');
    expect(toIndexPath(undefined, at({ LOCALAPPDATA: '/c/local' }, 'win32'))).toBe(
      '/c/local/recall/recall.db',
    );
    expect(toIndexPath(undefined, at({}, 'win32'))).toBe('/home/u/AppData/Local/recall/recall.db');
  });
});

describe('the Claude folders', () => {
  const home = new TempHome();
  afterAll(() => home.remove());
  const inHome = (env: Surroundings['env'] = {}): Surroundings => ({
    ...{ env, homeDir: home.path, platform: 'linux', cwd: home.path },
  });

  test('the flags before the variable before the home', () => {
    for (const name of ['one', 'two', 'env']) mkdirSync(join(home.path, name));
    const env = { CLAUDE_CONFIG_DIR: join(home.path, 'env') };
    expect(toRoots(['one', join(home.path, 'two')], inHome(env))).toEqual([
      join(home.path, 'one'),
      join(home.path, 'two'),
    ]);
    expect(toRoots([], inHome(env))).toEqual([join(home.path, 'env')]);
    expect(toRoots([], inHome())).toEqual([home.claudeDir]);
    expect(toRoots([], inHome({ CLAUDE_CONFIG_DIR: '' }))).toEqual([home.claudeDir]);
  });

  test('one folder is one root, however it is named', () => {
    symlinkSync(home.claudeDir, join(home.path, 'link'));
    expect(toRoots(['.claude', 'link', `${home.claudeDir}/`, './x/../.claude'], inHome())).toEqual([
      realpathSync(home.claudeDir),
    ]);
  });

  test('a missing folder, or a file, is the person’s to fix', () => {
    writeFileSync(join(home.path, 'file'), '');
    for (const flag of ['missing', 'file']) {
      const error = catchError(() => toRoots([flag], inHome()));
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ code: 'no-claude-dir', exitCode: 2 });
      expect((error as UserError).message).toContain(join(home.path, flag));
      expect((error as UserError).hint).toContain('--claude-dir');
    }
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
