// Killed at any moment, the indexer leaves an index that the next run completes to what an undisturbed run makes.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assistantLine, at, type Line, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { contentOf } from '../support/index-home.ts';
import { finish, runRecall, startRecall } from '../support/program.ts';

const killsEach = Number(process.env.RECALL_TEST_KILLS ?? 9);

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

/** Numbers that look random and are the same in every run. */
class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  next(): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }
}

const vocabulary =
  'jwt middleware getUserById redis queue 数据库连接 naïve café deploy pipeline timeout token'.split(' ');

function someLines(dice: Dice, count: number, id: string): Line[] {
  const text = (words: number) =>
    Array.from({ length: words }, () => vocabulary[dice.below(vocabulary.length)]).join(' ');
  return Array.from({ length: count }, (_, i): Line => {
    const extra = { timestamp: at(dice.below(500)), sessionId: id };
    const call = `toolu_${id}_${i - (i % 6)}`;
    if (i % 6 === 1) return assistantLine([toolUse('Read', { file_path: `src/${text(1)}.ts` }, call)], extra);
    if (i % 6 === 2) return userLine([toolResult(call, dice.next() < 0.3)], extra);
    if (i % 37 === 5) return { type: 'ai-title', aiTitle: text(4) };
    if (i % 41 === 5) return { type: 'hologram', version: '9.9.9' };
    return i % 2 === 0 ? userLine(text(20), extra) : assistantLine(text(60), extra);
  });
}

const path = (n: number) => `projects/-home-u-${n % 5}/session-${n}.jsonl`;

/** Sixty transcripts of very different length, forks and agents among them, a history, hints. */
function writeLargeHome(): void {
  const dice = new Dice(42);
  const shared = someLines(dice, 12, 'session-0');
  for (let n = 0; n < 50; n++) {
    const own = someLines(dice, n % 17 === 0 ? 600 : 20 + dice.below(120), `session-${n}`);
    home.write(path(n), n % 10 === 3 ? [...shared, ...own] : own);
  }
  // Longer than one batch, so that a kill may fall into the middle of a file, and so much that a thread reads it.
  const long = Array.from({ length: 100 }, (_, i) =>
    assistantLine(`part ${i} ${'deploy pipeline '.repeat(6500)}`),
  );
  home.append(path(7), long);
  for (let n = 0; n < 10; n++) {
    const agent = `projects/-home-u-${n % 5}/session-${n}/subagents/agent-a${n}`;
    home.write(`${agent}.jsonl`, someLines(dice, 60, `session-${n}`));
    home.write(`${agent}.meta.json`, { agentType: 'Explore', description: `look into part ${n}` });
  }
  home.write(
    'history.jsonl',
    Array.from({ length: 200 }, (_, i) => ({
      display: `typed long ago ${i}`,
      sessionId: `lost-${i % 20}`,
      project: '/home/u/shop',
      timestamp: Date.parse(at(i)),
    })),
  );
  home.write('projects/-home-u-0/sessions-index.json', {
    entries: [0, 5, 10, 99].map((n) => ({ sessionId: `session-${n}`, summary: `what happened in ${n}` })),
  });
}

/** What an index made in one go from the files as they are now says. */
async function undisturbed(): Promise<unknown> {
  const other = new TempHome();
  try {
    const done = runRecall(other, ['index', '--claude-dir', home.claudeDir]);
    expect(done.code).toBe(0);
    return await contentOf(other);
  } finally {
    other.remove();
  }
}

/**
 * Runs and kills until enough kills came before the end of a run. One that came too late brings the next ones
 * forward, because how long a run takes depends on what else the machine does.
 */
async function killOften(
  args: readonly string[],
  wholeMs: number,
  dice: Dice,
  prepare: (round: number) => void,
) {
  const earliestMs = 50;
  let latestMs = Math.max(wholeMs, 2 * earliestMs);
  let landed = 0;
  for (let round = 0; landed < killsEach && round < 4 * killsEach; round++) {
    prepare(round);
    const child = startRecall(home, args);
    const result = finish(child);
    const timer = setTimeout(() => child.kill('SIGKILL'), earliestMs + dice.next() * (latestMs - earliestMs));
    await result;
    clearTimeout(timer);
    if (child.signalCode === 'SIGKILL') landed++;
    else latestMs = Math.max(latestMs * 0.9, 2 * earliestMs);
  }
  expect(landed).toBe(killsEach);
}

/** How long a whole run of this takes here, so that the kills fall inside it. */
function measureMs(args: readonly string[]): number {
  const startedAt = performance.now();
  expect(runRecall(home, args).code).toBe(0);
  return performance.now() - startedAt;
}

async function expectComplete(expected: unknown): Promise<void> {
  const last = runRecall(home, ['index', '--json']);
  expect({ code: last.code, stderr: last.stderr }).toEqual({ code: 0, stderr: '' });
  expect(await contentOf(home)).toEqual(expected);
  const doctor = runRecall(home, ['doctor', '--json']);
  expect(doctor.code).toBe(0);
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    index: { integrity: 'ok', fullText: 'ok' },
    files: { pending: 0 },
  });
}

describe('kill -9', () => {
  test('during the first index', async () => {
    writeLargeHome();
    const wholeMs = measureMs(['index']);
    const expected = await contentOf(home);
    await killOften(['index'], wholeMs, new Dice(7), (round) => {
      // A fresh start now and then, else a later kill finds most of the work done.
      if (round % 3 === 0) rmSync(join(home.path, 'recall'), { recursive: true });
    });
    await expectComplete(expected);
  });

  test('while taking in what was appended and rewritten', async () => {
    writeLargeHome();
    measureMs(['index']);
    const dice = new Dice(11);
    await killOften(['index'], 230, dice, (round) => {
      for (let n = 0; n < 12; n++) {
        const file = dice.below(50);
        const lines = someLines(dice, 20 + dice.below(200), `session-${file}`);
        if (dice.next() < 0.3) home.write(path(file), lines);
        else home.append(path(file), lines);
      }
      home.append('history.jsonl', [{ display: `typed in ${round}`, sessionId: 'lost-3', timestamp: round }]);
      const title = `projects/-home-u-${round % 5}/session-${round % 50}/custom-title.json`;
      home.write(title, { customTitle: `named ${round}` });
    });
    await expectComplete(await undisturbed());
  });

  test('during a rebuild, which keeps what is gone', async () => {
    writeLargeHome();
    runRecall(home, ['index']);
    rmSync(join(home.claudeDir, path(3)));
    rmSync(join(home.claudeDir, path(17)));
    const wholeMs = measureMs(['index', '--rebuild']);
    const expected = await contentOf(home);
    await killOften(['index', '--rebuild'], wholeMs, new Dice(13), () => {});
    await expectComplete(expected);
  });
});

test('asked to stop, it does so within a second and leaves the rest for the next run', async () => {
  writeLargeHome();
  const expected = await undisturbed();
  for (const [signal, exitCode, args] of [
    ['SIGINT', 130, ['index']],
    ['SIGTERM', 143, ['index', '--rebuild']],
  ] as const) {
    const child = startRecall(home, args);
    const result = finish(child);
    await untilIndexing(home);
    const askedAt = performance.now();
    child.kill(signal);
    expect(await result).toEqual({ code: exitCode, stdout: '', stderr: '' });
    expect(performance.now() - askedAt).toBeLessThan(1000);
    await expectComplete(expected);
  }
});

/** Waits until the log of the index has grown by the first rows. */
async function untilIndexing({ indexPath }: TempHome): Promise<void> {
  for (let i = 0; i < 2000; i++) {
    try {
      if (statSync(`${indexPath}-wal`).size > 1024 * 1024) return;
    } catch {
      // Not made yet.
    }
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error('the indexer wrote nothing');
}
