// The directories of a repository, as git lays them out.

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findRepositoryDirectories } from '../../src/api/repository.ts';
import { TempHome } from '../support/home.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

function git(cwd: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=maya', '-c', 'user.email=maya@example.com'];
  execFileSync('git', [...identity, ...args], {
    cwd,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: home.path },
  });
}

test('a repository with work trees is found from any of them', () => {
  const [shop, beside] = [join(home.path, 'shop'), join(home.path, 'elsewhere', 'fix')];
  mkdirSync(join(shop, 'src', 'deep'), { recursive: true });
  git(shop, 'init', '-q');
  git(shop, 'commit', '-q', '--allow-empty', '-m', 'start');
  git(shop, 'worktree', 'add', '-q', beside);
  expect(findRepositoryDirectories(join(shop, 'src', 'deep'))).toEqual([shop, beside]);
  expect(findRepositoryDirectories(beside)).toEqual([shop, beside]);
});

test('outside of a repository it is the directory itself', () => {
  expect(findRepositoryDirectories(home.path)).toEqual([home.path]);
  expect(findRepositoryDirectories(join(home.path, 'gone'))).toEqual([join(home.path, 'gone')]);
});
