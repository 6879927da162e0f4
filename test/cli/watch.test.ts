// `recall index --watch` follows changes, reports only what changed, idles in between and stops on a signal.

import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TempHome, userLine } from '../support/home.ts';
import { runRecall, startRecall } from '../support/program.ts';

let home: TempHome;
let watching: Watching | null = null;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => {
  watching?.child.kill('SIGKILL');
  watching = null;
  home.remove();
});

/** A running `index --watch` and what it has printed so far. */
class Watching {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly ended: Promise<number | null>;

  constructor(args: readonly string[] = []) {
    this.child = startRecall(home, ['index', '--watch', ...args]);
    this.child.stdout?.on('data', (data) => {
      this.stdout += data;
    });
    this.child.stderr?.on('data', (data) => {
      this.stderr += data;
    });
    this.ended = new Promise((done) => this.child.on('close', done));
  }

  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  async until(isReached: () => boolean, what: string): Promise<void> {
    for (let i = 0; i < 800; i++) {
      if (isReached()) return;
      await sleep(25);
    }
    throw new Error(`waited in vain for ${what}; so far: ${this.stdout}${this.stderr}`);
  }

  async untilLines(count: number): Promise<void> {
    await this.until(() => this.lines.length >= count, `${count} lines`);
  }
}

async function startWatching(args: readonly string[] = []): Promise<Watching> {
  const started = new Watching(args);
  watching = started;
  await started.until(() => started.stderr.includes('watching for changes'), 'the first run');
  return started;
}

test('indexes appended lines, new files and new folders, and prints only then', async () => {
  const path = home.writeSession('aaaaaaaa', [userLine('first')]);
  const run = await startWatching();
  expect(run.lines).toEqual([expect.stringContaining('indexed 1 new of 1 file')]);
  expect(run.stderr).toBe('watching for changes; stop with Ctrl-C\n');

  home.append(path, [userLine('second')]);
  await run.untilLines(2);
  expect(run.lines[1]).toMatch(/^indexed 1 grown of 1 file .* 1 session, 2 messages$/);

  home.writeSession('bbbbbbbb', [userLine('a new file')]);
  await run.untilLines(3);
  expect(run.lines[2]).toMatch(/^indexed 1 new of 2 files/);

  home.writeSession('cccccccc', [userLine('a new folder')], '-home-u-other');
  await run.untilLines(4);
  expect(run.lines[3]).toMatch(/^indexed 1 new of 3 files/);

  rmSync(join(home.claudeDir, path));
  await run.untilLines(5);
  expect(run.lines[4]).toMatch(/^indexed 1 gone of 2 files/);

  // Files that recall does not index, and a touch that changes nothing.
  home.write('todos/whatever.json', {});
  home.write('shell-snapshots/x.sh', 'true');
  await sleep(900);
  expect(run.lines.length).toBe(5);
  expect(runRecall(home, ['search', '--no-refresh', 'folder']).code).toBe(0);
});

test('changes before watching starts are indexed too', async () => {
  const path = home.writeSession('aaaaaaaa', [userLine('first')]);
  const run = new Watching();
  watching = run;
  await run.untilLines(1);
  home.append(path, [userLine('second')]);
  await run.untilLines(2);
  expect(run.lines[1]).toMatch(/^indexed 1 grown of 1 file/);
});

test('a burst of changes is indexed together', async () => {
  const path = home.writeSession('aaaaaaaa', [userLine('first')]);
  const run = await startWatching(['--json']);
  for (let i = 0; i < 40; i++) {
    home.append(path, [userLine(`line ${i}`)]);
    await sleep(5);
  }
  const messages = () =>
    run.lines.map((line) => (JSON.parse(line) as { messages: number }).messages).reduce((a, b) => a + b);
  await run.until(() => messages() === 41, 'all 41 messages');
  expect(run.lines.length).toBeLessThanOrEqual(10);
});

test('changes of a sidecar alone reach the index', async () => {
  home.writeSession('aaaaaaaa', [userLine('first')]);
  await startWatching();
  home.write('projects/-home-u-shop/aaaaaaaa/custom-title.json', { customTitle: 'the okapi affair' });
  for (let i = 0; i < 100; i++) {
    if (runRecall(home, ['search', '--no-refresh', 'okapi']).code === 0) return;
    await sleep(100);
  }
  throw new Error('the new title was not found');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s stops it immediately with %i', async (signal, exitCode) => {
  home.writeSession('aaaaaaaa', [userLine('first')]);
  const run = await startWatching();
  const askedAt = performance.now();
  run.child.kill(signal);
  expect(await run.ended).toBe(exitCode);
  expect(performance.now() - askedAt).toBeLessThan(5000);
  expect(run.stderr).toBe('watching for changes; stop with Ctrl-C\n');
});

test.skipIf(process.platform !== 'linux')('idles when nothing happens', async () => {
  for (let n = 0; n < 100; n++) home.writeSession(`session-${n}`, [userLine(`number ${n}`)], `-home-u-${n}`);
  const run = await startWatching();
  // After the check that follows the first run.
  await sleep(2000);
  const before = readCpuMs(run.child.pid);
  await sleep(2000);
  expect(readCpuMs(run.child.pid) - before).toBeLessThan(100);
});

test('other recalls work at the same time', async () => {
  home.writeSession('aaaaaaaa', [userLine('first')]);
  await startWatching();
  expect(runRecall(home, ['index', '--rebuild']).code).toBe(0);
  expect(runRecall(home, ['forget', 'aaaaaaaa', '--yes']).code).toBe(0);
  expect(runRecall(home, ['doctor']).code).toBe(0);
});

/** User and system time so far; the clock ticks a hundred times a second on every Linux. */
function readCpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
