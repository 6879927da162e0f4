// Choosing a session that was deleted: the question, what each answer does, and what happens when it cannot be brought back.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Recall } from '../../src/api/recall.ts';
import { readConfig } from '../../src/config.ts';
import { type Thread, UpkeepThread } from '../../src/screen/asking.ts';
import { ConversationDrawer } from '../../src/screen/draw-conversation.ts';
import { Screen } from '../../src/screen/open-screen.ts';
import { toRecentResults } from '../../src/screen/questions.ts';
import { firstAsked } from '../../src/screen/state.ts';
import { assistantLine, at, type TempHome, userLine } from '../support/home.ts';
import { hostNow, toHost } from '../support/host.ts';
import { keys, useDrives } from './drive.ts';
import { FakeDevice } from './emulator.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000000';

let home: TempHome;
const open = useDrives((made) => {
  home = made;
});

const transcript = () => join(home.claudeDir, `projects/-home-u-shop/${id}.jsonl`);

/** Indexed, and then deleted as Claude Code does it. */
async function writeDeleted({ isKept = true, cwd = home.path }): Promise<Buffer> {
  const when = { timestamp: at(1), cwd, sessionId: id };
  home.writeSession(id, [userLine('the okapi incident', when), assistantLine('It was a tapir.', when)]);
  const host = toHost(home);
  const recall = new Recall({ ...host, config: () => ({ ...readConfig(host.at), archive: isKept }) });
  await recall.index();
  recall.close();
  const bytes = readFileSync(transcript());
  rmSync(transcript());
  return bytes;
}

const segments = () => {
  const archive = join(home.path, 'recall/archive');
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' }) as string[];
  return names.filter((name) => name.endsWith('.br')).map((name) => join(archive, name));
};
const command = () => `cd '${home.path}' && CLAUDE_CONFIG_DIR='${home.claudeDir}' claude -r ${id}`;

describe('the question', () => {
  test.each([
    [{ columns: 40, rows: 12 }, true],
    [{ columns: 40, rows: 12 }, false],
    [{ columns: 80, rows: 24 }, true],
    [{ columns: 80, rows: 24 }, false],
  ])('%o, a copy is kept: %s', async (size, isKept) => {
    await writeDeleted({ isKept, cwd: '/home/maya/shop' });
    const drive = await open({ size });
    await drive.press(keys.enter);
    const name = `restore-${isKept ? 'archive' : 'text'}-${size.columns}x${size.rows}.txt`;
    await expect(drive.toText()).toMatchFileSnapshot(`golden/${name}`);
  });

  test.each([
    ['Enter', keys.enter, 'Enter restore and resume   v read it   Esc back'],
    ['Ctrl-Y', keys.ctrl('y'), 'Enter restore and copy   v read it   Esc back'],
    ['Ctrl-O', keys.ctrl('o'), 'Enter restore and print   v read it   Esc back'],
  ])('after %s says what comes after restoring', async (_, key, choices) => {
    await writeDeleted({});
    const drive = await open();
    await drive.press(key);
    expect(drive.toText()).toContain(choices);
  });

  test('with --print says so', async () => {
    await writeDeleted({});
    const directories = { project: '/home/maya/shop', directory: '/home/maya/shop' };
    const surroundings = { homeDir: '/home/maya', directories, verb: 'print' };
    const drive = await open({ parts: { surroundings } });
    await drive.press(keys.enter);
    expect(drive.toText()).toContain('Enter restore and print   v read it');
  });

  test('a session that is known only from its prompts says that the answers are missing', async () => {
    home.write('history.jsonl', [
      { display: 'the okapi incident', timestamp: Date.parse(at(1)), project: home.path, sessionId: id },
    ]);
    const drive = await open({ size: { columns: 130, rows: 24 } });
    await drive.press(keys.enter);
    const said = drive.toText().replaceAll('\n', ' ');
    expect(said).toContain('known only from the prompt history and cannot be resumed');
    expect(said).toContain('it can be rebuilt from the prompt history; the answers are missing');
    await drive.press(keys.enter);
    expect(await drive.outcome).toMatchObject({ type: 'resume', id, restored: { from: 'prompts' } });
  });

  test.each([
    ['v', 'v'],
    ['Ctrl-V', keys.ctrl('v')],
  ])('%s reads it, and writes nothing', async (_, key) => {
    await writeDeleted({});
    const drive = await open();
    await drive.press(keys.enter, key);
    expect(drive.toText()).toContain('q back');
    expect(drive.toText()).toContain('It was a tapir.');
    expect(existsSync(transcript())).toBe(false);
  });

  test.each([
    ['Esc', keys.esc],
    ['another key', 'x'],
  ])('%s goes back to the list, and writes nothing', async (_, key) => {
    await writeDeleted({});
    const drive = await open();
    await drive.press(keys.enter, key);
    expect(drive.toText()).toContain('Enter resume');
    expect(existsSync(transcript())).toBe(false);
  });

  test('without anything to restore it from, only reading is offered', async () => {
    home.write(`projects/-home-u-shop/${id}/subagents/agent-x1.jsonl`, [userLine('look for the okapi')]);
    const drive = await open();
    await drive.press('okapi', keys.enter);
    expect(drive.toText()).toContain('cannot be resumed');
    expect(drive.toText()).toMatch(/^v read it {3}Esc back$/m);
    await drive.press('v');
    expect(drive.toText()).toContain('q back');
  });
});

describe('a session that is running', () => {
  const openRunning = async (kind = 'interactive') => {
    home.writeSession(id, [userLine('the okapi incident', { timestamp: at(1), cwd: home.path })]);
    home.write(`sessions/${process.pid}.json`, {
      ...{ pid: process.pid, sessionId: id, cwd: '/home/maya/shop', kind },
    });
    return open();
  };

  test('is marked, and not resumed without a question', async () => {
    const drive = await openRunning();
    expect(drive.toText()).toContain('running');
    await drive.press(keys.enter);
    const said = drive.toText().replaceAll('\n', ' ');
    expect(said).toContain(`this session is running now in /home/maya/shop (process ${process.pid})`);
    expect(said).toContain('c continue a copy   y resume it all the same   v read it   Esc back');
    await drive.press(keys.esc);
    expect(drive.toText()).toContain('Enter resume');
  });

  test('in the background is resumed at once: its program attaches to it', async () => {
    const drive = await openRunning('bg');
    expect(drive.toText()).toContain('running');
    await drive.press(keys.enter);
    expect(await drive.outcome).toMatchObject({ type: 'resume', id });
  });

  test.each([
    ['c', { type: 'resume', id, isCopy: true }],
    ['y', { type: 'resume', id, isCopy: false }],
  ])('%s resumes', async (key, outcome) => {
    const drive = await openRunning();
    await drive.press(keys.enter, key);
    expect(await drive.outcome).toEqual(outcome);
  });
});

describe('restoring', () => {
  test.each([
    ['Enter', [keys.enter, keys.enter], 'resume'],
    ['y', [keys.enter, 'y'], 'resume'],
    ['Ctrl-O, Enter', [keys.ctrl('o'), keys.enter], 'print'],
    ['both keys at once', [`${keys.enter}${keys.enter}`], 'resume'],
  ])('%s brings the copy back and leaves', async (_, typed, type) => {
    const bytes = await writeDeleted({});
    const drive = await open();
    await drive.press(...typed);
    expect(await drive.outcome).toMatchObject({
      ...{ type, id },
      restored: { from: 'archive', resume: { command: command() } },
    });
    expect(readFileSync(transcript())).toEqual(bytes);
    expect(drive.emulator.isAlternate).toBe(false);
  });

  test('without a copy it is rebuilt from the indexed text', async () => {
    await writeDeleted({ isKept: false });
    const drive = await open();
    await drive.press(keys.enter, keys.enter);
    expect(await drive.outcome).toMatchObject({ type: 'resume', restored: { from: 'text' } });
    expect(readFileSync(transcript(), 'utf8')).toContain('It was a tapir.');
  });

  test('Ctrl-Y copies the command, stays, and the session is no longer called deleted', async () => {
    await writeDeleted({});
    const drive = await open();
    expect(drive.toText()).toContain('deleted');
    await drive.press(keys.ctrl('y'), keys.enter);
    const encoded = /\x1b\]52;c;([^\x07]+)\x07/.exec(drive.device.written)?.[1] ?? '';
    expect(Buffer.from(encoded, 'base64').toString()).toBe(command());
    expect(drive.toText()).toContain('copied the resume command of the restored session');
    expect(drive.toText()).not.toContain('deleted');
    await drive.press(keys.enter);
    expect(await drive.outcome).toEqual({ type: 'resume', id });
  });

  test.skipIf(process.getuid?.() === 0)(
    'what cannot be written says why, and can be tried again',
    async () => {
      const bytes = await writeDeleted({});
      chmodSync(dirname(transcript()), 0o500);
      const drive = await open();
      await drive.press(keys.enter, keys.enter);
      expect(drive.toText().replaceAll('\n', '')).toContain('permission denied');
      chmodSync(dirname(transcript()), 0o700);
      expect(drive.toText()).toContain('Enter try again and resume   v read it   Esc back');
      await drive.press(keys.enter);
      expect(await drive.outcome).toMatchObject({ type: 'resume', id });
      expect(readFileSync(transcript())).toEqual(bytes);
    },
  );

  test('a folder that cannot be made says why; the list is still there', async () => {
    await writeDeleted({});
    rmSync(dirname(transcript()), { recursive: true });
    writeFileSync(dirname(transcript()), 'a file in the way');
    const drive = await open();
    await drive.press(keys.enter, keys.enter);
    const said = drive.toText().replaceAll('\n', ' ');
    expect(said).toContain('cannot be written: it is not a folder');
    expect(said).toContain('fix it and try again');
    await drive.press(keys.esc);
    expect(drive.toText()).toContain('Enter resume');
    rmSync(dirname(transcript()));
    mkdirSync(dirname(transcript()));
    await drive.press(keys.enter, keys.enter);
    expect(await drive.outcome).toMatchObject({ type: 'resume', id });
  });

  test('a damaged copy: what is left is there, what is lost is said before it is resumed', async () => {
    await writeDeleted({});
    for (const path of segments()) writeFileSync(path, 'not what was written');
    const drive = await open();
    await drive.press(keys.enter, keys.enter);
    const said = drive.toText().replaceAll('\n', ' ');
    expect(said).toContain('it cannot be unpacked');
    expect(said).toContain('1 part of the copy could not be read; the rest is restored');
    expect(drive.toText()).toContain('Enter resume   v read it   Esc back');
    await drive.press(keys.enter);
    expect(await drive.outcome).toMatchObject({ type: 'resume', restored: { damages: [{}] } });
  });
});

describe('a session that is back, and cannot be resumed yet', () => {
  test.each([
    ['Enter', keys.enter],
    ['Ctrl-Y', keys.ctrl('y')],
  ])('%s says what is to be done first, and copies or runs no command', async (_, key) => {
    const root = join(home.path, 'codex');
    const rollout = join(root, `archived_sessions/rollout-2026-03-05T10-00-00-${id}.jsonl`);
    const write = (type: string, payload: object) =>
      `${JSON.stringify({ timestamp: '2026-03-05T10:00:00.000Z', type, payload })}\n`;
    mkdirSync(dirname(rollout), { recursive: true });
    writeFileSync(
      rollout,
      write('session_meta', { id, cwd: home.path }) +
        write('event_msg', { type: 'user_message', message: 'the okapi incident' }),
    );
    const host = { roots: () => [{ agent: 'codex' as const, path: root }] };
    const made = toHost(home, host);
    const recall = new Recall({ ...made, config: () => ({ ...readConfig(made.at), archive: true }) });
    await recall.index();
    recall.close();
    rmSync(rollout);
    const drive = await open({ host });
    await drive.press(key, keys.enter);
    expect(existsSync(rollout)).toBe(true);
    const said = drive.toText().replaceAll('\n', ' ');
    expect(said).toContain(`it is restored; ${id} is archived`);
    expect(said.replaceAll(' ', '')).toContain(`codexunarchive${id}`);
    expect(drive.toText()).toMatch(/^v read it {3}Esc back$/m);
    expect(drive.device.written).not.toContain('\x1b]52;');
  });
});

test('forgetting says that the copy goes, too, before and after', async () => {
  await writeDeleted({});
  const drive = await open();
  await drive.press(keys.ctrl('x'));
  const said = drive.toText().replaceAll('\n', ' ');
  expect(said).toContain('The transcript was deleted, and the copy in the archive will be, too.');
  await drive.press('y');
  expect(drive.toText()).toContain('removed: 2 messages; its copy in the archive is deleted, too');
});

test('forgetting a session that is known only from its prompts does not speak of a deleted transcript', async () => {
  home.write('history.jsonl', [
    { display: 'the okapi incident', timestamp: Date.parse(at(1)), project: home.path, sessionId: id },
  ]);
  const drive = await open();
  await drive.press(keys.ctrl('x'));
  const said = drive.toText().replaceAll('\n', ' ');
  expect(said).toContain('No transcript of it is known; the prompt history stays as it is.');
});

test('what is asked for before the threads are there is done when they are', async () => {
  await writeDeleted({});
  const host = toHost(home);
  const recall = new Recall(host);
  const device = new FakeDevice({ columns: 80, rows: 24 });
  const directories = { project: home.path, directory: home.path };
  const screen = new Screen(
    {
      ...{ device, useColor: true, isInMultiplexer: false, exportTo: async () => '' },
      ...{ now: () => hostNow, elapsedMs: () => performance.now() },
      surroundings: { homeDir: home.path, directories, verb: 'resume' },
    },
    toRecentResults(await recall.list(), firstAsked),
  );
  recall.close();
  screen.open(host.signal);
  device.type(Buffer.from(keys.enter));
  device.type(Buffer.from(keys.enter));
  const restored: string[] = [];
  const outcome = screen.run(
    { ask: () => {} },
    { onReport() {}, send: (order) => order.type === 'restore' && restored.push(order.id) },
    new ConversationDrawer(home.path, () => hostNow),
  );
  expect(restored).toEqual([id]);
  device.type(Buffer.from('typed meanwhile'));
  expect(device.written).not.toContain('typed');
  device.type(Buffer.from(keys.ctrl('c')));
  expect(await outcome).toEqual({ type: 'interrupted' });
});

test('a session that is being written is finished before the thread is ended', async () => {
  const events: Record<string, (message: unknown) => void> = {};
  let isTerminated = false;
  const thread = {
    on: (event: string, listener: (message: unknown) => void) => {
      events[event] = listener;
    },
    postMessage: () => {},
    terminate: async () => {
      isTerminated = true;
    },
  } as unknown as Thread;
  const upkeep = new UpkeepThread(thread, () => {});
  upkeep.send({ type: 'restore', id });
  const stopped = upkeep.stop(0);
  for (let i = 0; i < 20; i++) await nextTurn();
  expect(isTerminated).toBe(false);
  events.exit?.(0);
  await stopped;
  expect(isTerminated).toBe(true);
});
