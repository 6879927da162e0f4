// Reading in threads finds what reading in this thread finds.

import { chmodSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReader } from '../../src/indexing/reader.ts';
import { claude } from '../../src/sources/claude/source.ts';
import { assistantLine, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { contentOf, indexHome } from '../support/index-home.ts';

const workerPath = resolve('dist/read-worker.cjs');

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

/** Enough that threads are used at all: above 8 MB. */
function writeLargeHome(): void {
  const output = 'x\\n"quoted" '.repeat(6000);
  for (let n = 0; n < 60; n++) {
    const call = `toolu_${n}`;
    home.writeSession(`session-${n}`, [
      userLine(`prompt ${n} about the redis queue`),
      assistantLine([{ type: 'text', text: `answer ${n}` }, toolUse('Bash', { command: `run ${n}` }, call)]),
      userLine([{ ...toolResult(call, n % 3 === 0), content: output }], {
        toolUseResult: { stdout: output },
      }),
      { type: 'hologram', n },
    ]);
  }
  home.append('projects/-home-u-shop/session-7.jsonl', '{"broken": \n');
  home.append(
    'projects/-home-u-shop/session-9.jsonl',
    Array.from({ length: 40 }, (_, i) => assistantLine(`long ${i} ${'deploy pipeline '.repeat(6000)}`)),
  );
}

describe('threads', () => {
  test.each([2, 8])('on %i cores find the same', async (cores) => {
    writeLargeHome();
    const report = await indexHome(home, { threads: { workerPath, cores } });
    expect(report.files.new).toBe(60);
    expect(report.skippedLines).toBe(1);
    const read = await contentOf(home);
    rmSync(join(home.path, 'recall'), { recursive: true });
    await indexHome(home);
    expect(await contentOf(home)).toEqual(read);
  });

  test('tell of a file that cannot be read, and read the others', async () => {
    writeLargeHome();
    const locked = join(home.claudeDir, 'projects/-home-u-shop/session-3.jsonl');
    rmSync(locked);
    home.write('projects/-home-u-shop/session-3.jsonl', 'x');
    chmodSync(locked, 0);
    const report = await indexHome(home, { threads: { workerPath, cores: 2 } });
    expect(report.files.new).toBeGreaterThanOrEqual(59);
    // Root may read anything.
    if (process.getuid?.() !== 0) expect(report.failures.map(({ path }) => path)).toEqual([locked]);
  });

  test('stop when time is up, and the next run reads the rest', async () => {
    writeLargeHome();
    let asked = 0;
    const cut = await indexHome(home, {
      threads: { workerPath, cores: 2 },
      isTimeUp: () => asked++ > 20,
    });
    expect(cut.pendingFiles).toBeGreaterThan(0);
    await indexHome(home, { threads: { workerPath, cores: 2 } });
    const read = await contentOf(home);
    rmSync(join(home.path, 'recall'), { recursive: true });
    await indexHome(home);
    expect(await contentOf(home)).toEqual(read);
  });

  test('that cannot start are an error, not a wait without end', async () => {
    writeLargeHome();
    const threads = { workerPath: join(home.path, 'missing.cjs'), cores: 2 };
    await expect(indexHome(home, { threads })).rejects.toThrow();
  });

  test('that end before they have read everything are an error too', async () => {
    writeLargeHome();
    const program = home.write('ends.cjs', 'process.exit(3);');
    const threads = { workerPath: program, cores: 2 };
    await expect(indexHome(home, { threads })).rejects.toThrow('ended with code 3');
  });
});

test.each([1, 2, 8])('what threads on %i cores find comes in the order of the jobs', async (cores) => {
  writeLargeHome();
  const jobs = claude.discover(home.claudeDir).files.map(({ path, kind, sizeBytes }) => ({
    ...{ path: join(home.claudeDir, path), kind, sizeBytes },
    ...{
      from: { bytes: 0, lines: 0, version: null },
      fingerprint: null,
      isRedacting: false,
      keepsToolTexts: true,
    },
  }));
  const reader = openReader(claude, Number.POSITIVE_INFINITY, { workerPath, cores }, () => false);
  const places: number[] = [];
  const ended: number[] = [];
  try {
    for await (const found of reader.read(jobs)) {
      places.push(found.nth);
      if ('end' in found) ended.push(found.nth);
    }
  } finally {
    await reader.close();
  }
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(ended).toEqual(jobs.map((_, nth) => nth));
});
