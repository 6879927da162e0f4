// What is printed on a terminal fits on it, so that the best results do not scroll away.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, toolUse, userLine } from '../support/home.ts';
import { hasTerminals, runAtTerminal, runRecall } from '../support/program.ts';

const home = new TempHome();
home.refuseArchive();
const toId = (i: number) => `${`${i}`.repeat(8)}-0000-4000-8000-000000000001`;

beforeAll(() => {
  for (let i = 0; i < 10; i++) {
    home.writeSession(toId(i), [
      userLine(`zebra number ${i}, how do its stripes run?`, { timestamp: at(i) }),
      assistantLine(`A zebra of kind ${i} has vertical stripes.`, { timestamp: at(i) }),
      userLine(`And the other zebra, ${i} years old?`, { timestamp: at(i) }),
    ]);
  }
  expect(runRecall(home, ['index']).code).toBe(0);
});
afterAll(() => home.remove());

const linesOf = (args: string[], rows: number, columns = 80) =>
  runAtTerminal(home, [...args, '--color', 'never'], '', { rows, columns })
    .stdout.trimEnd()
    .split('\n');

describe.skipIf(!hasTerminals)('on a terminal', () => {
  test.each([
    [24, 4],
    [50, 7],
    // However low it is, there are some to choose from.
    [8, 3],
  ])('of %i rows a search shows %i sessions, and how to see more', (rows, count) => {
    const lines = linesOf(['search', 'zebra'], rows);
    if (rows > 20) expect(lines.length).toBeLessThanOrEqual(rows - 2);
    expect(lines.at(-1)).toMatch(new RegExp(`^${count} of 10 sessions .*more: --limit`));
    expect(lines.filter((line) => /^ ?\d+ zebra/.test(line)).length).toBe(count);
  });

  test('the numbers that were not shown mean nothing', () => {
    const script = ['search', 'zebra'];
    expect(linesOf(script, 24).length).toBeLessThan(24);
    expect(runRecall(home, ['open', '4']).code).toBe(0);
    expect(runRecall(home, ['open', '5']).code).toBe(1);
  });

  test('a list fits too, and --limit is obeyed', () => {
    expect(linesOf(['list'], 16).length).toBeLessThanOrEqual(14);
    expect(linesOf(['search', 'zebra', '--limit', '10'], 24).at(-1)).toMatch(/^10 of 10 sessions/);
  });

  test('the table of projects fits too, with its heading, and no command in it is broken', () => {
    const other = new TempHome();
    other.refuseArchive();
    for (let i = 10; i < 37; i++)
      other.writeSession(toId(i), [userLine('hello', { cwd: `/work/p${i}` })], `-work-p${i}`);
    expect(runRecall(other, ['index']).code).toBe(0);
    const linesOfProjects = (rows: number, columns: number, ...args: string[]) =>
      runAtTerminal(other, ['projects', '--color', 'never', ...args], '', { rows, columns })
        .stdout.trimEnd()
        .split('\n');
    const lines = linesOfProjects(16, 80);
    expect(lines.length).toBe(14);
    expect(lines[0]).toMatch(/^project +last used/);
    expect(lines.at(-1)).toBe('11 of 27 projects   recall list --project <name>   more: --limit 27');
    expect(linesOfProjects(16, 90).at(-1)).toBe(
      '11 of 27 projects   its sessions: recall list --project <name>   more: --limit 27',
    );
    expect(linesOfProjects(60, 40).at(-1)).toBe('recall list --project <name>');
    expect(linesOfProjects(16, 80, '--limit', '27').length).toBeGreaterThan(27);
    expect(runRecall(other, ['projects']).stdout).toContain('\n20 of 27 projects   its sessions:');
    other.remove();
  });

  test('the files of a folder leave room for sessions', () => {
    const other = new TempHome();
    other.refuseArchive();
    for (let i = 0; i < 8; i++) {
      const edits = [1, 2, 3].map((n) =>
        toolUse('Edit', { file_path: `/work/app/src/part-${i}/file-${n}.ts` }),
      );
      other.writeSession(toId(i), [userLine('hello', { timestamp: at(i) }), assistantLine(edits)]);
    }
    expect(runRecall(other, ['index']).code).toBe(0);
    const lines = runAtTerminal(other, ['files', 'src', '--color', 'never'], '', { rows: 24, columns: 80 })
      .stdout.trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(22);
    expect(lines[0]).toBe('24 files');
    expect(lines.at(-1)).toMatch(/^\d of 8 sessions /);
    other.remove();
  });

  test('what is longer than the terminal goes through the pager', () => {
    const pager = `tee '${join(home.path, 'paged')}'`;
    const size = { rows: 20, columns: 80 };
    const { stdout } = runAtTerminal(home, ['stats'], '', size, { PAGER: pager });
    expect(readFileSync(join(home.path, 'paged'), 'utf8')).toMatch(/^10 sessions in 1 project, 30 messages/);
    expect(stdout).toContain('Longest sessions');
    rmSync(join(home.path, 'paged'));
    runAtTerminal(home, ['stats'], '', { rows: 90, columns: 80 }, { PAGER: pager });
    expect(existsSync(join(home.path, 'paged'))).toBe(false);
  });

  test('of fewer than 60 columns has words instead of dates and names', () => {
    const narrow = linesOf(['search', 'stripes'], 40, 50).join('\n');
    expect(narrow).toContain('   zebra number 9, how do its stripes run?');
    expect(narrow).not.toMatch(/^ +(you|claude)\b/m);
    expect(linesOf(['search', 'stripes'], 40, 80).join('\n')).toMatch(/^ +you .*: zebra number/m);
  });
});

test('a pipe gets all ten', () => {
  expect(runRecall(home, ['search', 'zebra']).stdout.trimEnd()).toMatch(/\n10 of 10 sessions/);
});

describe('in a pipe', () => {
  const long = `${'a very long title that nobody would cut '.repeat(4)}end`;
  const deep = `/home/u/${'some-folder/'.repeat(12)}shop`;
  const other = new TempHome();
  other.refuseArchive();
  beforeAll(() => {
    other.writeSession('eeeeeeee-0000-4000-8000-000000000005', [
      userLine(`${long}: okapi`, { cwd: deep, gitBranch: 'feature/a-branch-with-a-long-name' }),
    ]);
    expect(runRecall(other, ['index']).code).toBe(0);
  });
  afterAll(() => other.remove());

  test.each([[['search', 'okapi']], [['list']], [['files', 'x']]])('nothing is cut: %j', (args) => {
    const { stdout } = runRecall(other, args);
    if (args[0] !== 'files') for (const text of [long, deep, 'long-name']) expect(stdout).toContain(text);
    expect(stdout).not.toContain('…');
  });

  test('COLUMNS is obeyed, and a path is cut between two components', () => {
    const { stdout } = runRecall(other, ['list'], { env: { COLUMNS: '70' } });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(70);
    expect(stdout).toMatch(/ {2}\/…(\/some-folder)*\/shop {2}/);
  });
});

test('a recap is not what the person said', () => {
  home.writeSession('ffffffff-0000-4000-8000-000000000006', [
    userLine('an unrelated question'),
    userLine('This session is being continued from a previous conversation: quaggas were discussed', {
      isCompactSummary: true,
    }),
  ]);
  const { stdout } = runRecall(home, ['search', 'quaggas']);
  expect(stdout).toMatch(/^ {3}recap .*quaggas/m);
  expect(stdout).not.toMatch(/you .*quaggas/);
});

// It was counted as a copy of itself for ever.
test('a transcript that was moved is not a copy', () => {
  const id = 'abababab-0000-4000-8000-000000000007';
  const from = home.writeSession(id, [userLine('a wandering numbat'), assistantLine('I see.')], '-home-u-a');
  expect(runRecall(home, ['search', 'numbat']).stdout).not.toContain('copy');
  mkdirSync(join(home.claudeDir, 'projects/-home-u-b'), { recursive: true });
  renameSync(join(home.claudeDir, from), join(home.claudeDir, `projects/-home-u-b/${id}.jsonl`));
  expect(runRecall(home, ['index']).code).toBe(0);
  const { stdout } = runRecall(home, ['search', 'numbat']);
  expect(stdout).toContain('a wandering numbat');
  expect(stdout).not.toContain('copy');
});
