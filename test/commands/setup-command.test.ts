// Setup at a terminal: shows the change, asks, and respects the answer.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../src/command-line/context.ts';
import { toHintText } from '../../src/hints.ts';
import { TempHome } from '../support/home.ts';
import { runCommand } from '../support/shell.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

async function runAtTerminal(flags: readonly string[], answer: boolean, quiet = false) {
  const said: string[] = [];
  const context = {
    at: { env: { PATH: '' }, homeDir: home.path, platform: 'linux', cwd: home.path },
    roots: () => [{ agent: 'claude', path: home.claudeDir }],
    givenFlags: '',
    json: false,
    quiet,
    useColor: false,
    stdout: { isTerminal: true, columns: 80, rows: 24, hasWidth: true },
    print: (text: string) => said.push(text),
    note: (text) => said.push(toHintText(text)),
    confirm: async (question: string) => {
      said.push(question);
      return answer;
    },
  } satisfies Partial<Context>;
  const code = await runCommand(context, ['setup', 'claude', ...flags]);
  return { code, said };
}

test.each([false, true])('no: nothing is written (quiet: %s)', async (quiet) => {
  const { code, said } = await runAtTerminal(['--write'], false, quiet);
  expect(code).toBe(1);
  expect(said.filter((text) => !text.includes('PATH'))).toEqual([
    expect.stringContaining('+    "recall": {'),
    'Make these changes? [y/N] ',
    'nothing was changed',
  ]);
  expect(existsSync(join(home.claudeDir, 'settings.json'))).toBe(false);
});

test('yes: it is done, and undone', async () => {
  const { code, said } = await runAtTerminal(['--write', '--no-mcp'], true);
  expect(code).toBe(0);
  expect(said.at(-1)).toMatch(/^~\/\.claude\/settings\.json: hook: added\n/);
  const path = join(home.claudeDir, 'settings.json');
  expect(readFileSync(path, 'utf8')).toContain('recall index --quiet');
  const undone = await runAtTerminal(['--remove'], true);
  expect(undone.said).toContain('Remove this? [y/N] ');
  expect(undone.said.at(-1)).toMatch(/new Claude Code sessions no longer use it$/);
  expect(readFileSync(path, 'utf8')).toBe('{}\n');
});
