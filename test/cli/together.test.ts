// Several recalls at once on one index: none fails, nothing is written twice.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantLine, TempHome, toolUse, userLine } from '../support/home.ts';
import { contentOf, indexHome, rowsOf } from '../support/index-home.ts';
import { finish, type Result, runRecall, startRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
  for (let n = 0; n < 40; n++) {
    home.writeSession(`session-${n}`, [
      userLine(`question ${n} about the okapi`),
      ...Array.from({ length: 60 }, (_, i) =>
        assistantLine(`answer ${i} ${'on jwt middleware '.repeat(20)}`),
      ),
      assistantLine([toolUse('Edit', { file_path: `src/file-${n}.ts` })]),
    ]);
  }
});
afterEach(() => home.remove());

async function all(...runs: readonly string[][]): Promise<Result[]> {
  return Promise.all(runs.map((args) => finish(startRecall(home, args))));
}

async function undisturbed(): Promise<unknown> {
  const other = new TempHome();
  try {
    await indexHome(other, { roots: [home.claudeDir] });
    return await contentOf(other);
  } finally {
    other.remove();
  }
}

async function expectWhole(): Promise<void> {
  expect(await contentOf(home)).toEqual(await undisturbed());
  const doubled = await rowsOf(
    home,
    'select native_id, kind from session group by native_id, kind having count(*) > 1',
  );
  expect(doubled).toEqual([]);
  expect(runRecall(home, ['doctor']).code).toBe(0);
}

test('four cold starts on an empty index', async () => {
  const results = await all(['index'], ['index'], ['index'], ['index']);
  expect(results.map((result) => result.code)).toEqual([0, 0, 0, 0]);
  const did = results.map((result) => result.stdout.split(' ')[0]).sort();
  expect(did).toEqual(['indexed', 'up', 'up', 'up']);
  for (const { stderr } of results)
    expect(stderr).toMatch(/^(another recall( \(process \d+\))? is indexing; waiting for it to finish\n)?$/);
  await expectWhole();
});

test('cold starts of every kind', async () => {
  const results = await all(
    ['search', 'okapi', '--json'],
    ['index', '--json'],
    ['search', '--no-refresh', 'okapi', '--json'],
    ['doctor', '--json'],
  );
  for (const { code, stdout, stderr } of results) {
    expect(stderr).not.toMatch(/error|SQLITE/i);
    expect([0, 1]).toContain(code);
    JSON.parse(stdout);
  }
  runRecall(home, ['index']);
  await expectWhole();
});

test('two indexers, one of them rebuilding, while files grow', async () => {
  runRecall(home, ['index']);
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 40; n += 3)
      home.append(`projects/-home-u-shop/session-${n}.jsonl`, [userLine(`more in round ${round}`)]);
    const results = await all(['index'], ['index', '--rebuild']);
    expect(results.map((result) => result.code)).toEqual([0, 0]);
  }
  await expectWhole();
});

test('searches that refresh, all at once, after something changed', async () => {
  runRecall(home, ['index']);
  home.writeSession('newest', [userLine('the pangolin has landed')]);
  const results = await all(...Array.from({ length: 5 }, () => ['search', 'pangolin', '--json']));
  for (const { code, stderr } of results) {
    expect([0, 1]).toContain(code);
    expect(stderr).toMatch(/^(recall: another recall is indexing; .*\n|recall: nothing found .*\n.*\n)*$/);
  }
  expect(results.some((result) => result.code === 0)).toBe(true);
  await expectWhole();
});
