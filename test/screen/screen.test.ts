// What a person does on the screen, and what happens then: keys in, screens and outcomes out.

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../src/errors.ts';
import { type FilterName, filterNames } from '../../src/filters.ts';
import { hint, parameter } from '../../src/hints.ts';
import type { Size } from '../../src/screen/screen-terminal.ts';
import { assistantLine, at, type TempHome, toolUse, userLine } from '../support/home.ts';
import { type Drive, keys, useDrives } from './drive.ts';
import { Emulator } from './emulator.ts';

let home: TempHome;
const open = useDrives((made) => {
  home = made;
});

function useDemoHome(): void {
  cpSync('fixtures/demo-home', home.claudeDir, { recursive: true });
}

/** A session on a minute of its own. */
function writeSession(id: string, text: string, minute: number, extra = {}): void {
  const when = { timestamp: at(minute), cwd: home.path, ...extra };
  home.writeSession(`${id}-0000-4000-8000-000000000000`, [
    userLine(text, when),
    assistantLine(`about ${text}`, when),
  ]);
}

/** A short word could be part of the random name of a temporary folder, and a session is found by its directory too. */
const zoo = { cwd: '/home/maya/zoo' };

const titles = (drive: Drive) =>
  drive
    .toText()
    .split('\n')
    .flatMap((line) => /^[▌ ]\d (.+?) {2}/.exec(line)?.[1] ?? []);
const selected = (drive: Drive) => /^▌\d (.+?) {2}/m.exec(drive.toText())?.[1];

describe('finding', () => {
  test('a home that was never indexed fills by itself; typing finds by the start of a word', async () => {
    writeSession('aaaaaaaa', 'the okapi incident', 1);
    writeSession('bbbbbbbb', 'caching of pictures', 2);
    const drive = await open();
    expect(titles(drive)).toEqual(['caching of pictures', 'the okapi incident']);
    await drive.press('oka');
    expect(titles(drive)).toEqual(['the okapi incident']);
    await drive.press(keys.ctrl('u'), 'cached');
    expect(titles(drive)).toEqual(['caching of pictures']);
    await drive.press(keys.esc);
    expect(titles(drive)).toHaveLength(2);
  });

  test('a misspelt word is corrected while it is typed, as the command line corrects it', async () => {
    writeSession('aaaaaaaa', 'the middleware of the shop', 1);
    writeSession('bbbbbbbb', 'caching of pictures', 2);
    const drive = await open({ size: { columns: 80, rows: 24 } });
    await drive.press('midlleware');
    expect(titles(drive)).toEqual(['the middleware of the shop']);
    expect(drive.toText()).toMatch(/ searched for “middleware”$/m);
  });

  test('how the words were understood fits beside the status of 80 columns', async () => {
    writeSession('aaaaaaaa', 'the okapi incident', 1);
    writeSession('bbbbbbbb', 'caching of pictures', 2);
    const drive = await open({ size: { columns: 80, rows: 24 } });
    await drive.press('okapi pictures');
    expect(drive.toText()).toMatch(/ only some of the words match$/m);
    await drive.press(keys.esc, 'what did I do last week');
    expect(drive.toText()).toMatch(/ sessions active last week$/m);
  });

  test('the first letter changes nothing yet, until a space says that it is the word', async () => {
    writeSession('aaaaaaaa', 'the okapi incident', 1, zoo);
    writeSession('bbbbbbbb', 'vitamin c and okapis', 2, zoo);
    const drive = await open();
    await drive.press('c');
    expect(titles(drive)).toEqual(['vitamin c and okapis', 'the okapi incident']);
    await drive.press(' ');
    expect(titles(drive)).toEqual(['vitamin c and okapis']);
  });

  test('what a tool printed is shown beside the list, and read where it is', async () => {
    const when = { timestamp: at(1), ...zoo };
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', [
      userLine('install it', when),
      ...Array.from({ length: 40 }, (_, i) => assistantLine(`step ${i}`, when)),
      assistantLine([toolUse('Bash', { command: 'make' }, 't1')], when),
      userLine(
        [{ type: 'tool_result', tool_use_id: 't1', content: 'ok\nno quokka here\n', is_error: true }],
        when,
      ),
      assistantLine('That failed.', when),
    ]);
    const drive = await open({ size: { columns: 100, rows: 20 } });
    await drive.press('quokka');
    expect(drive.toText()).toMatch(/✗ Bash make {2}error *\n.*↳ no quokka here/);
    await drive.press(keys.ctrl('v'));
    expect(drive.toText()).toMatch(/✗ Bash make {2}error *\n.*↳ no quokka here/);
  });

  test('two letters of a word change nothing unless they are a word', async () => {
    writeSession('aaaaaaaa', 'the okapi incident', 1, zoo);
    writeSession('bbbbbbbb', 'go and look at pictures', 2, zoo);
    const drive = await open();
    await drive.press('ok');
    expect(titles(drive)).toEqual(['go and look at pictures', 'the okapi incident']);
    await drive.press('api', ' pi');
    expect(titles(drive)).toEqual(['the okapi incident']);
    await drive.press(keys.ctrl('u'), 'go');
    expect(titles(drive)).toEqual(['go and look at pictures']);
    // Once the word is finished, it is searched for like any other.
    await drive.press(keys.ctrl('u'), 'zq ');
    expect(titles(drive)).toEqual([]);
  });

  test('what is new appears, and the selection stays on its session', async () => {
    for (const n of [1, 2, 3]) writeSession(`aaaaaaa${n}`, `session number ${n}`, n);
    // How far the times of files can be trusted depends on the real time.
    const drive = await open({ host: { now: () => new Date() } });
    await drive.press(keys.down);
    expect(selected(drive)).toBe('session number 2');
    writeSession('bbbbbbbb', 'a newer one', 9);
    // Its clock runs fast: a key is enough for a new look at the files.
    for (let i = 0; i < 30; i++) await drive.press('\x1b[1;2A');
    expect(titles(drive)[0]).toBe('a newer one');
    expect(selected(drive)).toBe('session number 2');
  });

  test('while a first index fills, a cursor that was not moved stays on top', async () => {
    writeSession('aaaaaaa1', 'session number 1', 1);
    const drive = await open({ host: { now: () => new Date() } });
    expect(selected(drive)).toBe('session number 1');
    writeSession('bbbbbbbb', 'a newer one', 9);
    for (let i = 0; i < 30; i++) await drive.press(keys.ctrl('l'));
    expect(titles(drive)).toEqual(['a newer one', 'session number 1']);
    expect(selected(drive)).toBe('a newer one');
  });

  test('scopes, order, filters', async () => {
    writeSession('aaaaaaaa', 'tapir here', 1);
    writeSession('bbbbbbbb', 'tapir there tapir tapir', 2, { cwd: '/somewhere/else' });
    const drive = await open({ within: [home.path] });
    await drive.press('tapir');
    expect(titles(drive)).toHaveLength(2);
    await drive.press(keys.tab);
    expect(drive.toText()).toContain('project ~/shop');
    expect(titles(drive)).toEqual(['tapir here']);
    await drive.press(keys.tab, keys.tab, keys.ctrl('r'));
    expect(drive.toText()).toContain('newest first');
    expect(titles(drive)[0]).toBe('tapir there tapir tapir');
    await drive.press(keys.ctrl('t'));
    expect(drive.toText()).toContain('Filter by');
    await drive.press(keys.enter, 'somewhere', keys.enter);
    expect(drive.toText()).toContain('❯ tapir project:/somewhere/else');
    expect(titles(drive)).toEqual(['tapir there tapir tapir']);
    expect(drive.toText()).toContain('1 session · everywhere · project /somewhere/else · newest first');
    await drive.press(keys.ctrl('t'));
    expect(drive.toText()).toMatch(/▌● project {4}\/somewhere\/else$/m);
    await drive.press(keys.enter);
    expect(drive.toText()).toMatch(/▌● \/somewhere\/else +1$/m);
    await drive.press(keys.home, keys.enter);
    expect(drive.toText()).toMatch(/^❯ tapir$/m);
  });

  test('nothing found: says what was tried and what would widen it', async () => {
    writeSession('aaaaaaaa', 'tapir here', 1);
    const drive = await open({ within: ['/nowhere'] });
    await drive.press('qqqqqq');
    expect(drive.toText()).toContain('nothing found for “qqqqqq” in 1 session with 2 messages');
    await drive.press(keys.tab);
    expect(drive.toText()).toContain('Tab: search elsewhere');
    await drive.press(keys.tab, keys.tab, keys.ctrl('u'), 'project:nonsense tapir');
    expect(drive.toText()).toContain('no session is in project nonsense');
  });

  test('End is the last session, also of those that were not asked for yet', async () => {
    for (let n = 0; n < 1100; n++)
      writeSession(`aaaa${String(n).padStart(4, '0')}`, `session number ${n}`, n);
    const drive = await open();
    expect(drive.toText()).toContain('50 of 1,100 sessions');
    await drive.press(keys.end);
    expect(selected(drive)).toBe('session number 0');
    await drive.press(keys.home);
    expect(selected(drive)).toBe('session number 1099');
  });

  test('the footer names the key that opens the help: with text, a question mark is text', async () => {
    writeSession('aaaaaaaa', 'tapir here', 1);
    const drive = await open();
    expect(drive.toText()).toContain('  ? help');
    await drive.press('tapir');
    expect(drive.toText()).toContain('  F1 help');
    expect(drive.toText()).not.toContain('? help');
    await drive.press('\x1bOP');
    expect(drive.toText()).toContain('The list');
  });

  test('nothing found in a directory and below it, in words', async () => {
    writeSession('aaaaaaaa', 'tapir here', 1);
    const drive = await open({ within: ['/nowhere'] });
    await drive.press('tapir', keys.tab);
    expect(drive.toText()).toContain('nothing found for “tapir” in project ~/shop');
    await drive.press(keys.tab);
    expect(drive.toText()).toContain('nothing found for “tapir” below ~/shop/src');
  });

  test('a folder that is missing is named, with what to do', async () => {
    rmSync(home.claudeDir, { recursive: true });
    const roots = () => {
      throw new UserError('no Claude Code folder at /nowhere', {
        code: 'x',
        hint: hint`set it with ${parameter('claudeDirs', '--claude-dir')}`,
      });
    };
    const drive = await open({ host: { roots } });
    expect(drive.toText()).toContain('no Claude Code folder at /nowhere');
    expect(drive.toText()).toContain('try: set it with --claude-dir');
    await drive.press(keys.esc);
    expect(await drive.outcome).toEqual({ type: 'left' });
  });
});

describe('choosing', () => {
  beforeEach(() => {
    for (const n of [1, 2, 3]) writeSession(`aaaaaaa${n}`, `session number ${n}`, n);
  });
  const id = (n: number) => `aaaaaaa${n}-0000-4000-8000-000000000000`;

  test.each([
    ['Enter', [keys.enter], { type: 'resume', id: id(3) }],
    ['Alt-3 and Enter', [keys.alt('3'), keys.enter], { type: 'resume', id: id(1) }],
    ['End, Ctrl-O', [keys.end, keys.ctrl('o')], { type: 'print', id: id(1) }],
    ['a query and Enter', ['number 2', keys.enter], { type: 'resume', id: id(2) }],
    ['a query and Enter at once', [`number 2${keys.enter}`], { type: 'resume', id: id(2) }],
    ['Esc', [keys.esc], { type: 'left' }],
    ['Esc with a query, Esc', ['x', keys.esc, keys.esc], { type: 'left' }],
    ['Ctrl-D', [keys.ctrl('d')], { type: 'left' }],
    ['Ctrl-C', ['typed', keys.ctrl('c')], { type: 'interrupted' }],
    ['Ctrl-C in the reader', [keys.ctrl('v'), keys.ctrl('c')], { type: 'interrupted' }],
    ['Ctrl-C in the menu', [keys.ctrl('t'), keys.ctrl('c')], { type: 'interrupted' }],
    ['Ctrl-C in the help', ['?', keys.ctrl('c')], { type: 'interrupted' }],
  ])('%s', async (_, typed, outcome) => {
    const drive = await open();
    await drive.press(...typed);
    expect(await drive.outcome).toEqual(outcome);
    expect(drive.device.isRaw).toBe(false);
    expect(drive.device.isReleased).toBe(true);
    expect(drive.emulator.isAlternate).toBe(false);
  });

  test('copies the resume command to the terminal of the person', async () => {
    const drive = await open();
    await drive.press(keys.ctrl('y'));
    const encoded = /\x1b\]52;c;([^\x07]+)\x07/.exec(drive.device.written)?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe(
      `cd '${home.path}' && CLAUDE_CONFIG_DIR='${home.claudeDir}' claude -r ${id(3)}`,
    );
    expect(drive.toText()).toContain('copied the resume command');
  });

  test('forgetting a session whose transcript is gone says that nothing is left of it', async () => {
    const drive = await open();
    await drive.press(keys.ctrl('x'));
    expect(drive.toText().replaceAll('\n', ' ')).toContain(
      'There is no way back. The transcript stays; if the archive has a copy of it, that is deleted.',
    );
    rmSync(join(home.claudeDir, `projects/-home-u-shop/${id(3)}.jsonl`));
    await drive.press('n', 'number 3', keys.ctrl('x'));
    expect(drive.toText().replaceAll('\n', ' ')).toContain(
      'The transcript was deleted; nothing will be left of it.',
    );
  });

  test('forgets after a question, and only after a yes', async () => {
    const drive = await open();
    await drive.press(keys.ctrl('x'));
    expect(drive.toText()).toContain('Remove “session number 3” from the index for good?');
    await drive.press('n');
    expect(titles(drive)).toHaveLength(3);
    await drive.press(keys.ctrl('x'), 'y');
    expect(titles(drive)).toEqual(['session number 2', 'session number 1']);
    expect(drive.toText()).toContain('removed: 2 messages');
  });

  test('a star, a name, tags and a note have a key each, and are shown', async () => {
    const drive = await open();

    await drive.press(keys.alt('s'));
    expect(titles(drive)[0]).toBe('★ session number 3');
    await drive.press(keys.alt('r'), 'Quokka', keys.enter);
    expect(titles(drive)[0]).toBe('★ Quokka');
    await drive.press(keys.alt('t'), 'to do, billing', keys.enter, keys.alt('c'), 'ask Ann', keys.enter);
    expect(drive.toText()).toContain('#billing #to-do');
    expect(drive.toText()).toContain('ask Ann');
    await drive.press(
      keys.alt('s'),
      keys.alt('r'),
      keys.ctrl('u'),
      keys.enter,
      keys.alt('t'),
      keys.ctrl('u'),
      'billing',
      keys.enter,
    );
    expect(titles(drive)[0]).toBe('session number 3');
    expect(drive.toText()).not.toContain('#to-do');
  });

  test('the menu has every filter, with the values of this index and how many sessions have them', async () => {
    useDemoHome();
    const drive = await open();
    await drive.press(keys.ctrl('t'));
    for (const name of filterNames) expect(drive.toText()).toMatch(new RegExp(`${name} +any$`, 'm'));
    const read = async (name: FilterName, ...typed: string[]) => {
      const steps = Array.from({ length: filterNames.indexOf(name) }, () => keys.down);
      await drive.press(keys.home, ...steps, keys.enter, ...typed);
      const text = drive.toText();
      await drive.press(keys.esc);
      return text;
    };
    expect(await read('branch')).toMatch(/ feat\/login-rate-limit +1$/m);
    expect(await read('model')).toMatch(/ claude-opus-4-5-20251101 +\d+$/m);
    expect(await read('file', 'jwt-auth')).toMatch(/~\/shop\/src\/middleware\/jwt-auth\.ts +\d+$/m);
    expect(await read('agent')).toMatch(/ claude +26$/m);
    expect(await read('since')).toMatch(/ the last year +\d+$/m);
    // Other filters of the query apply, and what is in no list can be typed.
    await drive.press(keys.esc, keys.ctrl('u'), 'project:shop ', keys.ctrl('t'));
    expect(await read('branch')).not.toContain('feat/jp-address');
    await drive.press(keys.home, keys.down, keys.down, keys.down, keys.enter, 'nowhere', keys.enter);
    expect(drive.toText()).toContain('❯ project:shop branch:nowhere');
  });

  test('in a few rows, the menu of projects still shows a project', async () => {
    const drive = await open({ size: { columns: 40, rows: 5 } });
    await drive.press(keys.ctrl('t'), keys.enter, keys.down);
    expect(drive.toText()).toContain('  narrow:');
    expect(drive.toText()).toMatch(/▌ .*\/recall-test-/);
  });

  test('the menu names its keys', async () => {
    const drive = await open();
    await drive.press(keys.ctrl('t'));
    expect(drive.toText()).toMatch(/^Enter choose {2}Esc back$/m);
  });

  test.each([
    ['the menu', [keys.ctrl('t')], 'Filter by'],
    ['the help', ['?'], 'The list'],
    ['a question', [keys.ctrl('x')], 'Remove “session'],
    ['a search in the reader', [keys.ctrl('v'), '/', 'num'], '/num'],
  ])('Ctrl-L and Ctrl-Z in %s: it is still there afterwards', async (_, typed, shown) => {
    const drive = await open();
    await drive.press(...typed);
    const before = drive.toText();
    expect(before).toContain(shown);
    await drive.press(keys.ctrl('l'));
    expect(drive.toText()).toBe(before);
    await drive.press(keys.ctrl('z'));
    expect(drive.emulator.isAlternate).toBe(false);
    drive.device.resume();
    await drive.settle();
    expect(drive.toText()).toBe(before);
  });

  test('a paste is text, whatever is in it', async () => {
    const drive = await open();
    await drive.press('\x1b[200~number\n2\x1b[A\x03\x1b[201~');
    expect(drive.toText()).toMatch(/^❯ number 2\[A$/m);
  });

  test('an error in a thread restores the terminal and is reported', async () => {
    const drive = await open();
    drive.answers.crash(new Error('a thread died'));
    await expect(drive.outcome).rejects.toThrow('a thread died');
    await drive.settle();
    expect(drive.emulator.isAlternate).toBe(false);
    expect(drive.device.isRaw).toBe(false);
  });
});

describe('reading', () => {
  test('scrolls, jumps, finds, shows tools, copies and exports', async () => {
    useDemoHome();
    const drive = await open({ size: { columns: 80, rows: 20 } });
    await drive.press('jwt middleware', keys.ctrl('v'));
    expect(drive.toText()).toContain('JWT auth middleware with refresh token rotation');
    const first = drive.toText();
    await drive.press('j');
    expect(drive.toText()).not.toBe(first);
    await drive.press('k');
    expect(drive.toText()).toBe(first);
    await drive.press('g', 'J', 'J');
    expect(drive.toText().split('\n')[1]).toMatch(/^claude .*#2$/);
    await drive.press('y');
    expect(drive.device.written).toMatch(/\x1b\]52;c;[A-Za-z0-9+/=]+\x07/);
    await drive.press('g', '/', 'rotat');
    expect(drive.toText()).toMatch(/^\/rotat$/m);
    await drive.press(keys.enter);
    const found = drive.toText();
    expect(found).toContain('rotat');
    await drive.press('n');
    expect(drive.toText()).not.toBe(found);
    await drive.press('g', 't');
    await drive.press('G');
    expect(drive.toText().split('\n')[0]).toMatch(/, message 1[1-6] of 16$/);
    await drive.press('e', keys.ctrl('u'), 'here.md', keys.enter);
    expect(drive.toText()).toMatch(/wrote 66c737db\S+ to here\.md/);
    await drive.press('?');
    expect(drive.toText()).toContain('Reading a conversation');
    await drive.press('q', 'q');
    expect(drive.toText()).toMatch(/^❯ jwt middleware$/m);
  });

  test('opens where the preview is, and the heading says which match and which message that is', async () => {
    const lines = Array.from({ length: 90 }, (_, i) =>
      (i % 2 === 0 ? userLine : assistantLine)(i % 30 === 20 ? `the okapi ${i}` : `number ${i}\n\nand more`, {
        timestamp: at(i),
      }),
    );
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', lines);
    const drive = await open({ size: { columns: 120, rows: 16 } });
    await drive.press('okapi');
    for (const [n, message] of [21, 51, 81].entries()) {
      if (n > 0) await drive.press(keys.alt('n'));
      const place = `match ${n + 1} of 3, message ${message} of 90`;
      const preview = drive.toText();
      expect(preview).toContain(place);
      await drive.press(keys.ctrl('v'));
      const [heading, ...shown] = drive.toText().split('\n');
      expect(heading).toMatch(new RegExp(`${place}$`));
      expect(shown.join('\n')).toContain(`the okapi ${message - 1}`);
      await drive.press('q');
    }
  });

  test('a preview that is scrolled keeps the title, and says who speaks there and when', async () => {
    const long = Array.from({ length: 60 }, (_, i) => `line ${i}`).join('\n\n');
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', [
      userLine('the tapir', { timestamp: at(0) }),
      assistantLine(long, { timestamp: at(1) }),
    ]);
    const drive = await open({ size: { columns: 120, rows: 16 } });
    await drive.press(...Array.from({ length: 8 }, () => keys.shiftDown));
    const [, , title, speaker] = drive.toText().split('\n');
    expect(title).toMatch(/│ the tapir .*message 2 of 2$/);
    expect(speaker).toMatch(/│ claude {2}Mar 5 10:01 {2}#2$/);
  });

  test('n goes on from a match near the top; what is not found says so', async () => {
    const lines = Array.from({ length: 30 }, (_, i) => userLine(`okapi ${i}`, { timestamp: at(i) }));
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', lines);
    const drive = await open();
    const top = () => drive.toText().split('\n')[1];
    await drive.press(keys.ctrl('v'), '/', 'okapi', keys.enter);
    // The title is the first line, and in it is the first match.
    expect(top()).toContain('okapi');
    const seen = new Set([top()]);
    for (let i = 0; i < 8; i++) {
      await drive.press('n');
      seen.add(drive.toText());
    }
    expect(seen.size).toBe(9);
    expect(drive.toText()).not.toContain('nothing further');
    await drive.press('g', 'N');
    expect(drive.toText()).toContain('nothing further was found');
    await drive.press('/', 'zebra', keys.enter);
    expect(drive.toText()).toContain('nothing found for “zebra”');
  });

  test('what is far below is found without pressing a key again', async () => {
    const lines = Array.from({ length: 900 }, (_, i) =>
      assistantLine(i === 850 ? 'the okapi' : `answer ${i}\n\nand more`, { timestamp: at(i) }),
    );
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', lines);
    const drive = await open();
    await drive.press(keys.ctrl('v'), '/', 'okapi');
    expect(drive.toText()).toContain('the okapi');
    await drive.press(keys.enter, 'g');
    expect(drive.toText()).not.toContain('the okapi');
    await drive.press('n');
    expect(drive.toText()).toContain('the okapi');
  });

  test('tools and subagents: says what is shown, also where that changes nothing', async () => {
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', [userLine('okapi')]);
    const drive = await open();
    await drive.press(keys.ctrl('v'), 'a');
    expect(drive.toText()).toContain('with what subagents said');
    await drive.press('a');
    expect(drive.toText()).toContain('without what subagents said');
    await drive.press('t');
    expect(drive.toText()).toContain('each tool call on its own line');
    await drive.press('t');
    expect(drive.toText()).toContain('tool calls in one line');
  });

  test('on a narrow terminal, the way back is still named', async () => {
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', [userLine('okapi')]);
    const drive = await open({ size: { columns: 40, rows: 12 } });
    await drive.press(keys.ctrl('v'));
    expect(drive.toText()).toMatch(/q back {2}\? help$/m);
  });

  test('a long conversation is drawn as it is reached, and its end can be reached', async () => {
    const lines = Array.from({ length: 900 }, (_, i) => [
      userLine(`question ${i}`, { timestamp: at(i) }),
      assistantLine(`answer ${i}\n\nand more`, { timestamp: at(i) }),
    ]).flat();
    home.writeSession('aaaaaaaa-0000-4000-8000-000000000000', lines);
    const drive = await open();
    await drive.press(keys.ctrl('v'));
    const pages = () => drive.answers.sent.filter((each) => JSON.stringify(each).includes('"page"')).length;
    expect(pages()).toBe(1);
    await drive.press('G');
    expect(drive.toText()).toContain('answer 899');
    expect(pages()).toBeGreaterThan(3);
  });
});

const anySize = fc.record({
  columns: fc.integer({ min: 20, max: 130 }),
  rows: fc.integer({ min: 5, max: 40 }),
});
const anyKey = fc.constantFrom(
  ...['j', 'w', 't', ' ', 'zod', '数', '한국', '👩‍👩‍👧', 'project:shop ', '?', 'q', '/', 'n', 'y', 'a', 'G'],
  ...[keys.up, keys.down, keys.pageDown, keys.home, keys.end, keys.tab, keys.esc, keys.backspace],
  ...['v', 't', 'r', 'x', 'a', 'k', 'w', 'u', 'y'].map(keys.ctrl),
  ...['2', '9', 'n', 'p', 'b'].map(keys.alt),
  keys.shiftDown,
);

test('after any keys and resizes, the terminal shows what a full redraw would', async () => {
  useDemoHome();
  await fc.assert(
    fc.asyncProperty(
      anySize,
      fc.array(fc.oneof({ weight: 6, arbitrary: anyKey }, { weight: 1, arbitrary: anySize }), {
        maxLength: 14,
      }),
      async (size: Size, steps) => {
        const drive = await open({ size });
        let now = size;
        for (const step of steps) {
          if (typeof step === 'string') await drive.press(step);
          else {
            now = step;
            await drive.resize(step);
          }
        }
        if (drive.device.isReleased) return;
        // Nobody sees where a hidden cursor is.
        const isHidden =
          drive.device.written.lastIndexOf('\x1b[?25l') > drive.device.written.lastIndexOf('\x1b[?25h');
        const toSeen = (each: Emulator) => each.toCells().slice(0, isHidden ? -1 : undefined);
        const shown = toSeen(drive.emulator);
        const fresh = new Emulator(now);
        await fresh.write('\x1b[?1049h\x1b[?7l\x1b[?2004h');
        const { length } = drive.device.written;
        drive.device.changeSize();
        await fresh.write(drive.device.written.slice(length));
        expect(shown).toEqual(toSeen(fresh));
      },
    ),
    { numRuns: 15 },
  );
});
