// The folders that are indexed, by flags, environment and home.

import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { getRoots } from '../../src/api/roots.ts';
import { UserError } from '../../src/errors.ts';
import { toHintText } from '../../src/hints.ts';
import type { Surroundings } from '../../src/records.ts';
import { TempHome } from '../support/home.ts';

function pathsOf(dirs: readonly string[], at: Surroundings): string[] {
  const roots = getRoots({ claude: dirs }, at);
  expect(roots.every(({ agent }) => agent === 'claude')).toBe(true);
  return roots.map(({ path }) => path);
}

describe('the Claude folders', () => {
  const home = new TempHome();
  afterAll(() => home.remove());
  const inHome = (env: Surroundings['env'] = {}): Surroundings => ({
    ...{ env, homeDir: home.path, platform: 'linux', cwd: home.path },
  });

  test('flags take precedence over the variable, and that over the home', () => {
    for (const name of ['one', 'two', 'env']) mkdirSync(join(home.path, name));
    const env = { CLAUDE_CONFIG_DIR: join(home.path, 'env') };
    expect(pathsOf(['one', join(home.path, 'two')], inHome(env))).toEqual([
      join(home.path, 'one'),
      join(home.path, 'two'),
    ]);
    expect(pathsOf([], inHome(env))).toEqual([join(home.path, 'env')]);
    expect(pathsOf([], inHome())).toEqual([home.claudeDir]);
    expect(pathsOf([], inHome({ CLAUDE_CONFIG_DIR: '' }))).toEqual([home.claudeDir]);
  });

  test('one folder is one root, however it is named', () => {
    symlinkSync(home.claudeDir, join(home.path, 'link'));
    expect(pathsOf(['.claude', 'link', `${home.claudeDir}/`, './x/../.claude'], inHome())).toEqual([
      realpathSync(home.claudeDir),
    ]);
  });

  test('a missing folder, or a file, is a user error', () => {
    writeFileSync(join(home.path, 'file'), '');
    for (const flag of ['missing', 'file']) {
      const error = catchError(() => pathsOf([flag], inHome()));
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ code: 'no-agent-dir', exitCode: 2 });
      expect((error as UserError).message).toContain(join(home.path, flag));
      expect(toHintText((error as UserError).hint ?? '', '')).toContain('--claude-dir');
    }
  });
});

test('where no agent has a folder, the error says that other agents were looked for', () => {
  using home = new TempHome();
  const inHome = (): Surroundings => ({ env: {}, homeDir: home.path, platform: 'linux', cwd: home.path });
  rmSync(home.claudeDir, { recursive: true });
  const error = catchError(() => getRoots({}, inHome())) as UserError;
  expect(error.message).toBe(
    `no Claude Code folder at ${home.claudeDir}: no such file or directory; no folder of another agent was found either`,
  );
  expect(toHintText(error.hint ?? '', '')).toBe(
    'set it with --claude-dir <dir>, or another agent’s with --agent-dir <agent=dir>',
  );
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
