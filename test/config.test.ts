// Where the index and the transcripts are, from flags, environment and platform, and what config.json may say.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, toIndexPath } from '../src/config.ts';
import type { Surroundings } from '../src/records.ts';
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

describe('config.json', () => {
  let home: TempHome;
  beforeEach(() => {
    home = new TempHome();
  });
  afterEach(() => home.remove());

  const read = (text: string | null) => {
    const folder = join(home.path, 'xdg');
    if (text !== null) {
      mkdirSync(join(folder, 'recall'), { recursive: true });
      writeFileSync(join(folder, 'recall', 'config.json'), text);
    }
    const { redact, done } = readConfig({ ...at({ XDG_CONFIG_HOME: folder }), homeDir: home.path });
    return { redact, done };
  };

  test.each<[string | null, boolean, boolean]>([
    [null, false, true],
    ['{}', false, true],
    ['{"redact": true}', true, true],
    ['{"done": false}', false, false],
    ['{"done": true, "redact": true}', true, true],
  ])('%s: redact %s, done %s', (text, redact, done) => {
    expect(read(text)).toEqual({ redact, done });
  });

  test.each(['{"done": "no"}', '{"done": null}', '{"dune": false}', '{"toString": true}', '[]', 'done'])(
    '%s is refused',
    (text) => {
      expect(() => read(text)).toThrow(/cannot be used/);
    },
  );

  // Reading it never came to an end.
  test.skipIf(process.platform === 'win32')('a pipe or a folder is refused', () => {
    const path = join(home.path, 'xdg', 'recall', 'config.json');
    mkdirSync(path, { recursive: true });
    expect(() => read(null)).toThrow(`${path} cannot be used: not a regular file`);
    rmdirSync(path);
    execFileSync('mkfifo', [path]);
    expect(() => read(null)).toThrow(`${path} cannot be used: not a regular file`);
  });
});
