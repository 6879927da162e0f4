// The built program on a real terminal: it opens, finds, reads, resumes, and leaves the terminal as it was.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, TempHome, userLine } from '../support/home.ts';
import { hasTerminals, programPath, runAtTerminal, runRecall } from '../support/program.ts';
import { hasTmux, Tmux, toTmuxEnv } from '../support/tmux.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
  const shop = join(home.path, 'shop');
  mkdirSync(shop);
  for (const [n, text] of ['the okapi incident', 'caching of pictures', 'a tapir in the cache'].entries()) {
    const when = { timestamp: at(n), cwd: shop };
    home.writeSession(`aaaaaaa${n}-0000-4000-8000-000000000000`, [
      userLine(text, when),
      ...Array.from({ length: 40 }, (_, i) => assistantLine(`answer ${i} about ${text}`, when)),
    ]);
  }
});
afterEach(() => home.remove());

/** Puts programs on the path that say how they were called. */
function install(): Record<string, string> {
  const env = toTmuxEnv(home);
  const bin = join(home.path, 'bin');
  const write = (name: string, script: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  write('recall', `exec "${process.execPath}" "${programPath}" "$@"`);
  write('claude', 'echo "claude $* in $(basename "$PWD")"; stty -a | grep -c -- "-icanon" ');
  return env;
}

describe.skipIf(!hasTmux || !existsSync('/proc'))('on a terminal', () => {
  let tmux: Tmux;
  beforeEach(async () => {
    tmux = new Tmux(home, install(), 80, 24);
    await tmux.until((text) => text.includes('$'), 'a prompt');
  });
  afterEach(() => tmux.stop());

  const state = '#{alternate_on} #{cursor_flag} #{wrap_flag} #{keypad_cursor_flag} #{pane_in_mode}';
  const run = async (line: string, end: string) => {
    tmux.type('clear', 'Enter');
    tmux.type(line, 'Enter');
    return tmux.until((text) => text.includes(end), end);
  };
  const sayCode = (end: string) => {
    tmux.type('echo "code "$?', 'Enter');
    return tmux.until((text) => text.includes(end), end);
  };
  const open = (line = 'recall') => run(line, 'Enter resume');
  /** Everything that the terminal remembers about how it is used. */
  const readSettings = async () => {
    const text = await run('stty -a; echo "end"$((1))', 'end1');
    return `${text.slice(text.indexOf('speed'), text.indexOf('end1'))} ${tmux.ask(state)}`;
  };

  test('--screen opens with the words that were typed, before or after it', async () => {
    for (const line of ['recall --screen okapi incident', 'recall okapi --screen incident']) {
      await open(line);
      const text = await tmux.until((each) => each.includes('1 session ·'), 'the session');
      expect(text).toContain('❯ okapi incident');
      tmux.type('C-c');
      await tmux.until((each) => !each.includes('Enter resume'), 'the shell');
    }
  });

  test('opens a home that was never indexed, finds, reads, resizes, resumes; and is as before', async () => {
    const before = await readSettings();
    await open();
    await tmux.until((text) => text.includes('3 sessions'), 'the list');
    expect(tmux.ask('#{alternate_on}')).toBe('1');
    tmux.type('oka');
    await tmux.until((text) => text.includes('1 session ·') && text.includes('answer 0'), 'the preview');
    tmux.type('C-v');
    await tmux.until((text) => text.includes('q back'), 'the reader');
    tmux.type('G');
    await tmux.until((text) => text.includes('answer 39'), 'the end of the conversation');
    tmux.resize(120, 40);
    await tmux.until(
      (text) => text.includes('message 41 of 41') && text.trimEnd().split('\n').length === 40,
      'the new size',
    );
    tmux.type('q');
    await tmux.until((text) => text.includes('❯ oka') && text.includes('│'), 'the preview beside the list');
    tmux.resize(80, 24);
    // tmux passes a new size on only after a moment, and would do so after the program has ended.
    await tmux.until((text) => {
      const lines = text.trimEnd().split('\n');
      return lines.length === 24 && /^❯ oka/.test(lines[0] ?? '') && /^Enter resume/.test(lines[23] ?? '');
    }, 'the first size');
    tmux.type('Enter');
    const after = await tmux.until((text) => text.includes('claude -r'), 'the program');
    expect(after).toContain('claude -r aaaaaaa0-0000-4000-8000-000000000000 in shop');
    expect(await readSettings()).toBe(before);
  });

  test('stops and goes on; every way out restores the terminal', async () => {
    const before = await readSettings();
    await open();
    tmux.type('tapir', 'C-z');
    await tmux.until((text) => text.includes('Stopped'), 'the shell');
    expect(tmux.ask('#{alternate_on}')).toBe('0');
    tmux.type('fg', 'Enter');
    await tmux.until((text) => text.includes('❯ tapir'), 'the screen again');
    for (const [signal, code] of [
      ['TERM', 143],
      ['HUP', 129],
      ['INT', 130],
    ]) {
      process.kill(tmux.findProgram() ?? 0, `SIG${signal}`);
      await tmux.until((text) => !text.includes('Enter resume'), `the end by SIG${signal}`);
      await sayCode(`code ${code}`);
      expect(await readSettings()).toBe(before);
      await open();
    }
    tmux.type('Escape');
    await tmux.until((text) => !text.includes('Enter resume'), 'the end by Esc');
    expect(await readSettings()).toBe(before);
  });

  /** Indexed with or without a copy, then deleted as Claude Code does it. */
  const deleteSession = (id: string, archive: 'on' | 'off') => {
    expect(runRecall(home, ['archive', archive]).code).toBe(0);
    expect(runRecall(home, ['index']).code).toBe(0);
    const path = join(home.claudeDir, `projects/-home-u-shop/${id}.jsonl`);
    const bytes = readFileSync(path);
    rmSync(path);
    return { path, bytes };
  };

  test('a deleted session: Enter asks, Enter restores and resumes it', async () => {
    const id = 'aaaaaaa0-0000-4000-8000-000000000000';
    const { path, bytes } = deleteSession(id, 'on');
    await open();
    tmux.type('okapi');
    await tmux.until((text) => text.includes('1 session ·') && text.includes('deleted'), 'the session');
    tmux.type('Enter');
    const asked = await tmux.until((text) => text.includes('Enter restore and resume'), 'the question');
    expect(asked.replaceAll('\n', ' ')).toContain(`the transcript of ${id} was deleted; it can be restored`);
    expect(existsSync(path)).toBe(false);
    process.kill(tmux.findProgram() ?? 0, 'SIGTERM');
    await tmux.until((text) => !text.includes('Enter restore'), 'the end by SIGTERM');
    await sayCode('code 143');
    expect(existsSync(path)).toBe(false);
    await open();
    tmux.type('okapi');
    await tmux.until((text) => text.includes('1 session ·') && text.includes('deleted'), 'the session');
    tmux.type('Enter');
    await tmux.until((text) => text.includes('Enter restore and resume'), 'the question');
    tmux.type('Enter');
    const after = await tmux.until((text) => text.includes('claude -r'), 'the program');
    expect(after).toContain(`claude -r ${id} in shop`);
    expect(after).toContain(`recall: restored ${id} from the archive (1 file)`);
    expect(readFileSync(path)).toEqual(bytes);
    expect(tmux.ask('#{alternate_on}')).toBe('0');
  });

  test('a deleted session without a copy, with --print: what fails says why, then the command is printed', async () => {
    const id = 'aaaaaaa2-0000-4000-8000-000000000000';
    const { path } = deleteSession(id, 'off');
    rmSync(dirname(path), { recursive: true });
    writeFileSync(dirname(path), 'in the way');
    await run('x=$(recall --print); echo "got <$x>"', 'Enter choose');
    tmux.type('tapir');
    await tmux.until((text) => text.includes('1 session ·') && text.includes('deleted'), 'the session');
    tmux.type('Enter');
    await tmux.until((text) => text.includes('Enter restore and choose'), 'the question');
    tmux.type('Enter');
    const failed = await tmux.until((text) => text.includes('Enter try again and choose'), 'the failure');
    expect(failed.replaceAll('\n', ' ')).toContain('it is not a folder');
    rmSync(dirname(path));
    tmux.type('Enter');
    const text = await tmux.until((each) => each.includes('got <cd'), 'the command');
    expect(text.replaceAll('\n', '')).toContain(`&& claude -r ${id}>`);
    expect(text).toContain(`recall: rebuilt ${id} from the indexed text`);
    expect(readFileSync(path, 'utf8')).toContain('answer 39 about a tapir in the cache');
  });

  test('--print: the command is the output, and only that', async () => {
    await run('x=$(recall --print); echo "got <$x>"', '3 sessions');
    await tmux.until((each) => each.includes('Enter choose'), 'what Enter does');
    tmux.type('tapir', 'Enter');
    const text = await tmux.until((each) => each.includes('got <cd'), 'the command');
    expect(text).toContain(
      `got <cd '${join(home.path, 'shop')}' && claude -r aaaaaaa2-0000-4000-8000-000000000000>`.slice(0, 40),
    );
    await run('recall --print; echo "code $?"', 'Enter print');
    tmux.type('Escape');
    expect(await tmux.until((each) => /^code \d/m.test(each), 'the code')).toContain('code 1');
  });
});

describe('without a screen', () => {
  test('help in a pipe and with --no-screen; --print does not pretend', () => {
    const help = runRecall(home, ['--help']).stdout;
    expect(runRecall(home, [])).toMatchObject({ code: 0, stdout: help });
    expect(runRecall(home, ['--no-screen'])).toMatchObject({ code: 0, stdout: help });
    expect(runRecall(home, ['--print'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('needs a terminal'),
    });
    expect(runRecall(home, ['search', 'x', '--print']).stdout).not.toContain('--print');
  });

  test.skipIf(!hasTerminals)('--no-screen on a terminal is help', () => {
    expect(runAtTerminal(home, ['--no-screen'], '').stdout).toContain('Usage: recall');
  });
});
