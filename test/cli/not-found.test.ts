// What a search says about words that it did not find: nowhere at all, or only outside the filters.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const home = new TempHome();

beforeAll(() => {
  home.writeSession('aaaaaaaa-0000-4000-8000-000000000001', [
    userLine('why does the socket close?', { timestamp: at(1) }),
    assistantLine('The sprocket server closes it.', { timestamp: at(2) }),
  ]);
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

const search = (...args: string[]) => runRecall(home, ['search', ...args]);

describe('a word that occurs nowhere', () => {
  test('is named above the results of the other words', () => {
    expect(search('socket', 'zzyzxx').stdout).toContain('not found: zzyzxx');
    expect(search('socket', 'zzyzxx', '--brief').stdout).toContain('not found: zzyzxx');
    expect(JSON.parse(search('socket', 'zzyzxx', '--json').stdout).notFound).toEqual(['zzyzxx']);
    expect(search('socket').stdout).not.toContain('not found');
  });
});

// recall suggested “socket” for a word that Claude had said.
describe('a word that a filter hides', () => {
  test('is not misspelt: the filter is named', () => {
    const { code, stdout, stderr } = search('sprocket', '--role', 'user');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'recall: “sprocket” occurs, but not with --role user\n  try: leave --role user out\n',
    );
    expect(search('sprocket', 'role:user').stderr).toContain('not with role:user');
  });

  test('beside words that are found, too; of several filters only the one that hides it', () => {
    const { stdout } = search('socket', 'sprocket', '--role', 'user', '--project', 'shop');
    expect(stdout).toContain('“sprocket” occurs, but not with --role user');
    expect(stdout).not.toContain('not found');
    expect(stdout).toContain('why does the socket close?');
  });

  test('so is a word after a minus, which may be an option of a command', () => {
    const { code, stderr } = search('sprocket -socket');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'recall: “sprocket” occurs, but not with -socket\n  try: leave -socket out, or put it in quotes to search for it\n',
    );
    expect(search('sprocket -socket role:user').stderr).toContain('not with role:user and -socket');
    expect(search('sprocket "-socket"').code).toBe(0);
  });

  test('a real typing mistake is still corrected', () => {
    expect(search('sockte', '--role', 'user').stdout).toContain('did you mean “socket” for “sockte”?');
  });
});

test('what was searched for instead of a pasted place is said', () => {
  home.writeSession('bbbbbbbb-0000-4000-8000-000000000002', [userLine('look at src/masks.py')]);
  const { stdout } = search('/mnt/x/masks.py:10');
  expect(stdout).toContain('searched for “masks.py” instead of “/mnt/x/masks.py:10”');
  expect(JSON.parse(search('/mnt/x/masks.py:10', '--json').stdout).searchedFor).toEqual({
    '/mnt/x/masks.py:10': 'masks.py',
  });
});

describe('a search for a sentence', () => {
  const other = new TempHome();
  beforeAll(() => {
    other.writeSession('cccccccc-0000-4000-8000-000000000003', [
      userLine('change my display-off timeout to 10 minutes', { timestamp: at(3) }),
    ]);
    other.writeSession('dddddddd-0000-4000-8000-000000000004', [
      userLine('the display is too bright', { timestamp: at(4) }),
    ]);
    other.write('projects/-home-u-shop/cccccccc-0000-4000-8000-000000000003/subagents/agent-a1.jsonl', [
      userLine('count the pixels', { isSidechain: true, agentId: 'a1', timestamp: at(5) }),
    ]);
    expect(runRecall(other, ['index']).code).toBe(0);
  });
  afterAll(() => other.remove());

  // The first line said that sessions contain some of the words, above one whose title contains them all.
  test('says which of the results contain all of its words', () => {
    expect(runRecall(other, ['search', 'display off timeout']).stdout).toMatch(
      /^one of these sessions contains all of the words, the others some\n\n 1 change my/,
    );
  });

  test('counts sessions as a list does', () => {
    const listed = /of (\d+) sessions/.exec(runRecall(other, ['list']).stdout)?.[1];
    expect(listed).toBe('2');
    expect(runRecall(other, ['search', 'zzyzxx']).stderr).toContain(`in ${listed} sessions with`);
  });
});
