// What must hold of an index whatever happened to it: it is sound, complete, and says what an undisturbed run says.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Random } from '../bench/home/random.ts';
import { readHealth } from '../src/store/upkeep/health.ts';
import { TempHome } from '../test/support/home.ts';
import { contentOf, indexHome, withStore } from '../test/support/index-home.ts';
import { writeMadeHome } from '../test/support/made-home.ts';
import { type Result, runRecall } from '../test/support/program.ts';

/** What an index made in one go from the files as they are now says. */
export async function undisturbed(home: TempHome): Promise<unknown> {
  const other = new TempHome();
  try {
    await indexHome(other, { roots: [home.claudeDir] });
    return await contentOf(other);
  } finally {
    other.remove();
  }
}

/**
 * Files must not grow without end. With a new index, because prompts stay in the old one also when history.jsonl no longer
 * has them.
 */
export function startOver(home: TempHome, random: Random): void {
  rmSync(dirname(home.indexPath), { recursive: true, force: true });
  writeMadeHome(home, random);
  runQuietly(home, ['index']);
}

/** SQLite's and FTS5's own checks, and that every row has its words. */
export async function expectSound(home: TempHome): Promise<void> {
  const { problems, wordProblems } = await withStore(home, readHealth);
  assert.deepEqual({ problems, wordProblems }, { problems: [], wordProblems: [] });
}

/** One more run completes the index to what is expected, and doctor has nothing to say. */
export async function expectComplete(home: TempHome, expected: unknown): Promise<void> {
  runQuietly(home, ['index']);
  await expectContent(home, expected);
  const doctor = runRecall(home, ['doctor', '--json']);
  assert.equal(doctor.code, 0, doctor.stdout + doctor.stderr);
  const { index, files } = JSON.parse(doctor.stdout);
  assert.deepEqual([index.integrity, index.fullText, files.pending], ['ok', 'ok', 0]);
}

export async function expectContent(home: TempHome, expected: unknown): Promise<void> {
  assert.deepEqual(await contentOf(home), expected);
}

/** Runs something that has to succeed without a complaint. */
export function runQuietly(home: TempHome, args: readonly string[]): void {
  const { code, stderr } = runRecall(home, [...args, '--quiet']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
}

/** Never a fault of ours, never words of SQLite's, never a stack. */
export function expectPlain({ stdout, stderr }: Result): void {
  assert.doesNotMatch(stdout + stderr, /internal error|SQLITE_|^\s+at .*:\d+:\d+/m);
}

/** An error that names the file and what to do about it, with exit code 2. */
export function expectHelpful(result: Result, path: string): void {
  expectPlain(result);
  assert.equal(result.code, 2, result.stdout + result.stderr);
  assert.ok(result.stderr.includes(path), `does not name ${path}: ${result.stderr}`);
  assert.match(result.stderr, /\n {2}try: /);
}
