// --brief as an agent runs it: few characters, a stable format, references that work.

import { cpSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeAll(() => {
  home = new TempHome();
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
  runRecall(home, ['index']);
});
afterAll(() => home.remove());

const run = (...args: string[]) => runRecall(home, args);
const sessionLine = /^\d+\. \S+ {2}\d{4}-\d\d-\d\d {2}.+ {2}\S+ {2}\d+ messages {2}.+$/;
const passageLine = /^ {3}\S+:\d+ \S+: .+$/;

describe('a search', () => {
  test('is one line per session and passage, and how to read on', () => {
    const { code, stdout } = run('search', 'jwt', 'middleware', '--brief');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('3 sessions match');
    expect(lines.at(-1)).toBe('next: recall show --brief 66c737db:1');
    for (const line of lines.slice(1, -1)) {
      const isKnown = [sessionLine, passageLine, /^ {3}\d+ more match(es)?$/].some((form) => form.test(line));
      expect([line, isKnown]).toEqual([line, true]);
    }
    expect(stdout.length).toBeLessThanOrEqual(3000);
  });

  test.each([200, 500, 1000, 5000])('keeps to %i characters and says what it left out', (budget) => {
    const { stdout } = run('search', 'jwt', '--brief', '--budget', String(budget));
    expect(stdout.trimEnd().length).toBeLessThanOrEqual(budget);
    if (budget === 500) expect(stdout).toMatch(/left out: \d+ session/);
  });

  test('its references can be read: the passage is around there', () => {
    const { stdout } = run('search', 'clock skew', '--brief');
    const [, reference] = /^ {3}(\S+:\d+) /m.exec(stdout) ?? [];
    const shown = run('show', reference ?? '', '--brief');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(`\n${reference} `);
  });

  test('finding nothing is reported on stderr with exit 1', () => {
    const { code, stdout, stderr } = run('search', 'xyzzyplugh', '--brief');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('nothing found');
  });
});

describe('a conversation', () => {
  test.each([200, 800, 3000])('in %i characters', (budget) => {
    const { stdout } = run('show', '66c737db', '--brief', '--budget', String(budget));
    expect(stdout.trimEnd().length).toBeLessThanOrEqual(budget);
    expect(stdout).toMatch(/^66c737db {2}2026-10-06 {2}/);
  });

  test('what matches, with some context', () => {
    const { stdout } = run('show', '66c737db', '--match', 'kid', '--context', '0', '--brief');
    expect(stdout).toContain('66c737db:8 user 2026-10-06: also log the kid of the rejected token');
    expect(stdout).toMatch(/left out: \d+ messages/);
  });

  test('a range, and one that does not exist', () => {
    const { stdout } = run('show', '66c737db', '--range', '3-4', '--brief');
    expect([...stdout.matchAll(/^66c737db:(\d+) /gm)].map(([, n]) => n)).toEqual(['3', '4']);
    expect(run('show', '66c737db', '--range', '900-901')).toMatchObject({ code: 1, stdout: '' });
    expect(run('show', '66c737db:999').stderr).toContain('it has 16: #1 to #16');
    expect(run('show', '66c737db', '--range', 'x').stderr).toContain('--range takes two message numbers');
  });
});

test('lists are short too', () => {
  expect(run('list', '--brief', '--limit', '3').stdout).toMatch(
    /^\d+ sessions\n1\. .+\n2\. .+\n3\. .+\nleft out: /,
  );
  expect(run('files', 'jwt-auth.ts', '--brief').stdout).toMatch(/^1 session\n1\. .+\n {3}\w+ ×\d+/);
});

test.each([
  [['search', 'x', '--budget', '500'], '--budget works only with --brief'],
  [['search', 'x', '--brief', '--json'], 'different formats'],
  [['search', 'x', '--brief', '--budget', '10'], 'from 200 to 200000'],
  [['show', '66c737db', '--brief', '--html'], 'different formats'],
])('%j: exit 2', (args, complaint) => {
  const { code, stdout, stderr } = run(...args);
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(complaint);
});
