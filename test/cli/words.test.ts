// recall with words that are not a command: a search, unless a command must have been meant.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const ids = {
  camera: 'aaaaaaaa-0000-4000-8000-000000000001',
  docker: 'bbbbbbbb-0000-4000-8000-000000000002',
} as const;
const home = new TempHome();

beforeAll(() => {
  home.writeSession(ids.camera, [userLine('the camera has a ptz joystick, lstrip it', { timestamp: at(2) })]);
  home.writeSession(ids.docker, [
    userLine('docker compose is slow; save and delete old layers', { timestamp: at(1) }),
  ]);
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

const found = (...args: string[]) =>
  JSON.parse(runRecall(home, [...args, '--json']).stdout).hits?.map((hit: { id: string }) => hit.id);

test.each([
  [['camera', 'ptz'], ids.camera],
  [['camera', 'ptz', '--limit', '1'], ids.camera],
  [['--limit', '1', '--no-refresh', 'camera'], ids.camera],
  [['"ptz joystick"', '-docker'], ids.camera],
  // Two letters from doctor and one from show: words that were said are words to search for.
  [['docker', 'compose'], ids.docker],
  [['slow', 'layers'], ids.docker],
  [['save', 'old', 'layers'], ids.docker],
  [['delete', 'layers'], ids.docker],
  [['grep', 'compose'], ids.docker],
])('%j searches', (args, id) => {
  expect(found(...args)).toEqual([id]);
});

test('a name that other programs have for a command works', () => {
  expect(runRecall(home, ['ls']).stdout).toBe(runRecall(home, ['list']).stdout);
  expect(runRecall(home, ['resume', ids.camera]).stdout).toBe(runRecall(home, ['open', ids.camera]).stdout);
});

// `lst` searched for all words that start with it.
test('a word that only starts others and is one letter from a command is probably the command', () => {
  const asked = (...args: string[]) => runRecall(home, args).stderr;
  expect(asked('lst', '--limit', '3')).toBe(
    "recall: unknown command 'lst'\n  try: recall list --limit 3; to search for it: recall search lst --limit 3\n",
  );
  expect(found('search', 'lst')).toEqual([ids.camera]);
  expect(found('laye')).toEqual([ids.docker]);
  // The flags that say which index is meant are repeated once.
  const flags = `--claude-dir ${home.claudeDir}`;
  expect(asked('lst', '--claude-dir', home.claudeDir)).toContain(
    `try: recall list ${flags}; to search for it: recall search ${flags} lst\n`,
  );
});

test('nothing found is an answer, not an unknown command', () => {
  expect(runRecall(home, ['quagga'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing found for “quagga”'),
  });
});
