// The commands that recall suggests use the same index and the same folders.

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ruinWords } from '../support/damage.ts';
import { TempHome, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const home = new TempHome();
const db = join(home.path, 'my index.db');
const flags = ['--db', db];
const typed = `--db '${db}'`;

beforeAll(() => {
  home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
  expect(runRecall(home, ['index', ...flags]).code).toBe(0);
});
afterAll(() => home.remove());

test.each([
  [['open', 'zzzzzz'], `find it with: recall search ${typed} <words>`],
  [['--db', db, 'serach', 'okapi'], `recall search ${typed} okapi`],
  [['list', 'okapi'], `recall search ${typed} okapi`],
  [['list', '--frobnicate'], `recall list ${typed} --help`],
  [['list', '--color', 'pink'], `recall ${typed} --help`],
  [['help', 'serch'], `recall help ${typed} search`],
  [['forget', 'aaaa'], `recall forget ${typed} aaaaaaaa --yes`],
])('%j', (args, hint) => {
  const all = args.includes('--db') ? args : [...args, ...flags];
  expect(runRecall(home, all).stderr).toContain(`  try: ${hint}\n`);
  expect(JSON.parse(runRecall(home, ['--json', ...all]).stdout).error.hint).toBe(hint);
});

test('the last line of a list, and of an answer for an agent', () => {
  expect(runRecall(home, ['list', ...flags]).stdout.replaceAll('\n', ' ')).toContain(
    `recall open <number> or show <number> ${typed}`,
  );
  expect(runRecall(home, ['projects', ...flags]).stdout.replaceAll('\n', ' ')).toContain(
    `recall list ${typed} --project <name>`,
  );
  expect(runRecall(home, ['search', 'okapi', '--brief', ...flags]).stdout).toContain(
    `recall show --brief aaaaaaaa:1 ${typed}`,
  );
});

test('how to resume what is shown, and how to read its subagents', () => {
  home.write('projects/-home-u-shop/aaaaaaaa/subagents/agent-b1b1b1b1.jsonl', [
    userLine('count the okapis', { isSidechain: true, agentId: 'b1b1b1b1', sessionId: 'aaaaaaaa' }),
  ]);
  runRecall(home, ['index', ...flags]);
  const page = runRecall(home, ['show', 'aaaaaaaa', ...flags]).stdout;
  expect(page).toContain(`recall open ${typed} aaaaaaaa`);
  expect(page).toContain(`recall show ${typed} `);
  expect(runRecall(home, ['show', 'aaaaaaaa', '--markdown', ...flags]).stdout).toContain(
    `\`recall show ${typed} `,
  );
});

test('how to set up another folder', () => {
  const { stdout } = runRecall(home, ['setup', 'claude', '--claude-dir', home.claudeDir]);
  expect(stdout.trimEnd()).toMatch(new RegExp(`recall setup claude --claude-dir ${home.claudeDir} --write$`));
});

test('a damaged index is repaired where it is', () => {
  home.writeSession('bbbbbbbb', [userLine('the tapir report')]);
  expect(runRecall(home, ['doctor', ...flags]).stdout).toContain(`→ recall index ${typed}\n`);
  ruinWords(db);
  const { code, stderr } = runRecall(home, ['doctor', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain(`try: recall doctor ${typed} --repair\n`);
});
