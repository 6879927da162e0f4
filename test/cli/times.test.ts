// Questions about a time, as a person asks them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const home = new TempHome();
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const ids = {
  today: 'aaaaaaaa-0000-4000-8000-000000000001',
  june: 'bbbbbbbb-0000-4000-8000-000000000002',
} as const;

beforeAll(() => {
  home.writeSession(ids.today, [userLine('the okapi of this morning', { timestamp: daysAgo(0) })]);
  home.writeSession(ids.june, [
    userLine('download wattpad stories of june 2025', { timestamp: '2025-06-10T10:00:00.000Z' }),
  ]);
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

const search = (...args: string[]) => runRecall(home, ['search', ...args]);

test('a time on its own lists that time, and says so', () => {
  const { code, stdout } = search('what', 'did', 'I', 'do', 'today?');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^sessions that were active today, newest first\n\n 1 the okapi of this morning/);
  expect(stdout).not.toContain('wattpad');
  expect(search('june', '2025').stdout).toMatch(/^sessions that were active in june 2025/);
});

test('a time at which nothing happened is said', () => {
  expect(search('what did I do 400 days ago')).toMatchObject({
    code: 1,
    stderr: 'recall: no session was active 400 days ago\n  try: recall list\n',
  });
});

test('among other words it stays words, and the filter is suggested', () => {
  const { stdout, stderr } = search('wattpad in june 2025');
  expect(stdout).toContain('download wattpad stories');
  expect(stderr).toContain('only sessions in june 2025: add --since 2025-06 --until 2025-06');
  expect(search('wattpad', '--since', '2025-06', '--until', '2025-06').stderr).toBe('');
});

test('an inline filter that leaves nothing is named as the flag is', () => {
  const { code, stderr } = search('since:"1 days ago" until:"1 days ago" camera');
  expect([code, stderr]).toEqual([1, expect.stringContaining('no session')]);
  expect(search('until:2001 camera').stderr).toContain(
    'no session started by 2001\n  try: leave until:2001 out',
  );
});
