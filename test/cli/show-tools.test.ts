// recall show --tools=full: what tools were given and answered; and --prompts.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/open/database.ts';
import { assistantLine, at, type Line, TempHome, toolUse, userLine } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const answer = (callId: string, content: string, isError = false): Line =>
  userLine([{ type: 'tool_result', tool_use_id: callId, content, is_error: isError }]);
const edit = { file_path: '/home/u/shop/src/x.ts', old_string: 'let a;\nlet b;', new_string: 'let c;' };

const index = (...args: string[]) => expect(runRecall(home, ['index', ...args]).code).toBe(0);
const show = (...args: string[]) => runRecall(home, ['show', id, ...args]);

function writeWork(): string {
  return home.writeSession(id, [
    userLine('please **set** it up\nnow', { timestamp: at(1) }),
    assistantLine([toolUse('Edit', edit, 't1'), toolUse('Bash', { command: 'npm test' }, 't2')]),
    answer('t1', 'The file was updated.'),
    answer('t2', 'first line\n\n2 tests failed\n', true),
    assistantLine('Almost.', { timestamp: at(2) }),
    userLine('and the <b>rest</b>?', { timestamp: at(3) }),
    assistantLine([toolUse('Bash', { command: 'echo $TOKEN' }, 't3')]),
    assistantLine('Done.', { timestamp: at(4) }),
  ]);
}

interface Tool {
  readonly name: string;
  readonly target: string | null;
  readonly isError: boolean;
  readonly input?: string | null;
  readonly output?: string | null;
}
const toolsOf = (...args: string[]): Tool[] =>
  (JSON.parse(show(...args, '--json').stdout) as { messages: { tools: Tool[] }[] }).messages.flatMap(
    ({ tools }) => tools,
  );

const givenEdit = 'file_path: /home/u/shop/src/x.ts\nold_string:\nlet a;\nlet b;\nnew_string: let c;';

describe('--tools=full', () => {
  test('on a terminal: each call, what it was given, and its answer below', () => {
    writeWork();
    index();
    const { code, stdout, stderr } = show('--tools=full');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(
      `⋯ Edit src/x.ts\n${givenEdit.replace(/^/gm, '    ')}\n  ↳ The file was updated.\n✗ Bash npm test  error\n  ↳ first line\n\n    2 tests failed\n`,
    );
    expect(show('--tools').stdout).not.toContain('let a;');
    expect(runRecall(home, ['show', '--tools', id]).stdout).toContain('⋯ Edit src/x.ts\n✗ Bash npm test');
    expect(show('--tools=most')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--tools=most'"),
    });
  });

  test('as JSON, Markdown and HTML', () => {
    writeWork();
    index();
    expect(toolsOf('--tools=full')).toEqual([
      {
        name: 'Edit',
        target: '/home/u/shop/src/x.ts',
        isError: false,
        input: givenEdit,
        output: 'The file was updated.',
      },
      {
        name: 'Bash',
        target: 'npm test',
        isError: true,
        input: 'npm test',
        output: 'first line\n\n2 tests failed\n',
      },
      { name: 'Bash', target: 'echo $TOKEN', isError: false, input: 'echo $TOKEN', output: null },
    ]);
    expect(Object.keys(toolsOf()[0] ?? {})).toEqual(['name', 'target', 'isError']);
    expect(show('--tools=full', '--markdown').stdout).toContain(
      '- `Bash npm test` **error**\n\n  output:\n\n  ```\n  first line\n\n  2 tests failed\n  ```',
    );
    expect(show('--tools=full', '--html').stdout).toContain(
      'old_string:\nlet a;\nlet b;\nnew_string: let c;</pre><p class="note">output</p><pre>The file was updated.</pre></li>',
    );
  });

  test('foreign text stays text, and is bounded', () => {
    const long = `\x1b[2Jhead ${'middle '.repeat(4000)}tail\u202e </pre><script>`;
    home.writeSession(id, [
      userLine('go'),
      assistantLine([toolUse('Bash', { command: `cat <<X\n\`\`\`\n${long}` }, 't1')]),
      answer('t1', `\`\`\`\n${long}`),
    ]);
    index();
    for (const format of [[], ['--markdown'], ['--html'], ['--json']]) {
      const { code, stdout } = show('--tools=full', ...format);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[\x1b\u202e]/);
      expect(stdout.match(/… \d+ characters left out …/g)).toHaveLength(2);
      expect(stdout.length).toBeLessThan(30_000);
    }
    expect(show('--tools=full', '--html').stdout).not.toContain('<script>');
    expect(show('--tools=full', '--markdown').stdout).toContain('\n  ````\n');
  });

  test('without secrets, if the index leaves them out', () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
    home.writeSession(id, [
      userLine('go'),
      assistantLine([toolUse('Bash', { command: `use ${secret}`, description: 'a secret' }, 't1')]),
      answer('t1', `used ${secret}`),
    ]);
    index();
    expect(show('--tools=full').stdout).toContain(secret);
    index('--redact');
    const { stdout } = show('--tools=full');
    expect(stdout).toContain('command: use ');
    expect(stdout).not.toContain(secret);
  });

  test('where the transcript is gone, too; else only the names, with one note', () => {
    const path = join(home.claudeDir, writeWork());
    index();
    const before = toolsOf('--tools=full');
    rmSync(path);
    index();
    expect(toolsOf('--tools=full')).toEqual(before);
    expect(before[0]).toMatchObject({ input: givenEdit, output: 'The file was updated.' });
    // As if it had been deleted before texts were stored.
    const db = openDatabase(home.indexPath);
    db.exec('delete from tool_text; update work set has_text = 0');
    db.close();
    const { code, stdout, stderr } = show('--tools=full');
    expect(code).toBe(0);
    expect(stdout).toContain('⋯ Edit src/x.ts\n✗ Bash npm test  error\n');
    expect(stderr).toBe(
      'recall: 3 tool calls could not be read in full: the transcript has changed or was deleted, and no copy of it is kept\n',
    );
    expect(show('--tools=full', '--html').stderr).toBe(stderr);
    expect(show('--tools').stderr).toBe('');
  });

  test('the texts of thousands of calls are never in memory together', () => {
    const content = 'a long file '.repeat(640);
    const lines = [userLine('go'), assistantLine('Writing.')];
    for (let i = 0; i < 5000; i++)
      lines.push(
        assistantLine([toolUse('Write', { file_path: `/f${i}`, content }, `t${i}`)]),
        answer(`t${i}`, 'ok'),
      );
    home.writeSession(id, lines);
    index();
    const env = { NODE_OPTIONS: '--max-old-space-size=40' };
    const { code, stdout } = runRecall(home, ['show', id, '--json', '--tools=full'], { env });
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(38_000_000);
    expect(stdout.endsWith(']}]}\n')).toBe(true);
  });
});

describe('prompts', () => {
  test('--prompts lists what the person said, by number', () => {
    writeWork();
    index();
    const { code, stdout, stderr } = show('--prompts');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^please \*\*set.*\n\n#1 {2}2026-\S+ \S+ {2}please \*\*set\*\* it up now\n#3 {2}2026-\S+ \S+ {2}and the <b>rest<\/b>\?\n\n2 prompts {3}read around one: recall show .*aaaaaaaa:3\n$/,
    );
    expect(show('--prompts', '--last', '1').stdout).not.toContain('#1 ');
    const { prompts } = JSON.parse(show('--prompts', '--json').stdout) as { prompts: Line[] };
    expect(prompts).toEqual([
      expect.objectContaining({ number: 1, kind: 'prompt', text: 'please **set** it up\nnow' }),
      expect.objectContaining({ number: 3, kind: 'prompt', text: 'and the <b>rest</b>?' }),
    ]);
    for (const args of [['--html'], ['--role', 'assistant'], ['--brief']])
      expect(show('--prompts', ...args)).toMatchObject({ code: 2, stdout: '' });
  });

  test('the page has a list of links to those it shows', () => {
    writeWork();
    index();
    const page = show('--html').stdout;
    const links = [...page.matchAll(/<li><a href="#(m\d+)"><span class="number">#\d+<\/span> (.*)<\/a>/g)];
    expect(links.map(([, anchor, text]) => [anchor, text])).toEqual([
      ['m1', 'please **set** it up now'],
      ['m3', 'and the &lt;b&gt;rest&lt;/b&gt;?'],
    ]);
    for (const [, anchor] of links) expect(page).toContain(`id="${anchor}"`);
    expect(page).toMatch(/<\/header>\n<nav>[\s\S]*<\/nav>\n<main>/);
    // One prompt is no list.
    expect(show('--html', '--last', '1').stdout).not.toContain('<nav>');
  });
});
