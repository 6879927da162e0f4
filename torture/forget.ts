// Forgetting that is cut short: killed at any call that changes a file, interrupted while it waits, with an archive that may only
// be read, on a disk that is full. Afterwards the next command finishes it, and nothing names the session but its tombstone.

import assert from 'node:assert/strict';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Random } from '../bench/home/random.ts';
import { openDatabase } from '../src/store/open/database.ts';
import { acquireIndexLock, isLocked } from '../src/store/open/open-store.ts';
import { assistantLine, TempHome, toolUse, userLine } from '../test/support/home.ts';
import { readStoredTexts } from '../test/support/index-home.ts';
import { finish, runRecall, startRecall, untilSaid } from '../test/support/program.ts';
import { asOrdinaryUser, giveAway, hasStrace, injecting, whyNoRights, withoutStrace } from './faults.ts';
import type { Trials } from './tally.ts';
import { expectPlain, runQuietly } from './whole.ts';

export async function tortureForget(trials: Trials): Promise<void> {
  await killForget(trials);
  await interruptForget(trials);
  await forgetWithoutRoom(trials);
  await forgetReadOnly(trials);
}

const id = 'f0f0f0f0-0000-4000-8000-00000000abcd';
/** Occurs in everything that belongs to the forgotten session, and nowhere else. */
const secret = 'xylophonequartz';
const project = 'projects/-home-u-shop';

function makeHome(): TempHome {
  const home = new TempHome();
  home.write('../.config/recall/config.json', { archive: true });
  const others = Array.from({ length: 6 }, (_, n) => `${n}aaaaaaa-0000-4000-8000-000000000001`);
  for (const other of others)
    home.writeSession(other, [userLine(`about the okapi ${other}`), assistantLine('Yes. '.repeat(200))]);
  home.writeSession(id, [
    userLine(`why does ${secret} fail`, { cwd: `/home/u/${secret}` }),
    assistantLine([
      { type: 'text', text: `Because of ${secret}.` },
      toolUse('Bash', { command: `cat ${secret}` }, 't1'),
    ]),
    userLine([{ type: 'tool_result', tool_use_id: 't1', content: `no ${secret} here` }]),
  ]);
  home.write(`${project}/${id}/subagents/agent-nested.jsonl`, [userLine(`look for ${secret}`)]);
  home.write(`${project}/${id}/tool-results/t1.txt`, `${secret}\n`);
  runQuietly(home, ['index']);
  runRecall(home, ['search', secret]);
  return home;
}

const own = (home: TempHome) => join(home.path, 'recall');

/** Every file of recall's, by its path below its folder, with all that can be unpacked of it. */
function readOwn(home: TempHome): Map<string, string> {
  const names = readdirSync(own(home), { recursive: true, encoding: 'utf8' });
  return new Map(
    names.map((name) => {
      const path = join(own(home), name);
      if (!statSync(path).isFile()) return [name, ''];
      const bytes = readFileSync(path);
      const packed = name.endsWith('.br') ? brotliDecompressSync(bytes).toString('latin1') : '';
      const texts = path === home.indexPath ? readStoredTexts(path).join('\n') : '';
      return [name, `${bytes.toString('latin1')}\n${packed}\n${texts}`.toLowerCase()];
    }),
  );
}

/** Null where there is no index. */
function countTombstones(home: TempHome): number {
  const db = openDatabase(home.indexPath, { readOnly: true });
  try {
    return db.prepare('select count(*) from tombstone where native_id = ?').pluck().get(id) as number;
  } finally {
    db.close();
  }
}

/** No byte of the text, and the id only where a tombstone has it. */
function expectForgotten(home: TempHome, tombstones = 1): void {
  for (const [name, text] of readOwn(home)) {
    assert.ok(!name.includes(id), `${name} is still there`);
    // The full-text index shares beginnings between words.
    for (const part of [secret.slice(0, 10), secret.slice(-10)])
      assert.ok(!text.includes(part), `${name} holds the text`);
    const named = text.split(id).length - 1;
    assert.equal(
      named,
      name === basename(home.indexPath) ? tombstones : 0,
      `${name} names it ${named} times`,
    );
  }
  const { stdout } = runRecall(home, ['search', '--no-refresh', '--all', '--json', secret]);
  assert.equal(JSON.parse(stdout).total, 0);
}

/** With what the index knows lost, and the transcript too, the archive must not bring it back. */
function expectLostForGood(home: TempHome): void {
  for (const name of readdirSync(own(home)))
    if (name.startsWith(basename(home.indexPath))) rmSync(join(own(home), name), { recursive: true });
  for (const name of [`${id}.jsonl`, id])
    rmSync(join(home.claudeDir, project, name), { recursive: true, force: true });
  runQuietly(home, ['index']);
  expectForgotten(home, 0);
}

const calls = 'pwrite64,unlink,unlinkat,rename,rmdir,ftruncate,fdatasync,fsync';

/** SIGKILL right before the nth call that changes a file; then one of three ways to go on. */
export async function killForget({ tally, seed, count }: Trials): Promise<void> {
  const check = 'forget: killed';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 91);
  const home = makeHome();
  const saved = join(home.path, 'saved');
  try {
    for (const name of ['recall', '.claude'])
      cpSync(join(home.path, name), join(saved, name), { recursive: true, preserveTimestamps: true });
    const putBack = () => {
      for (const name of ['recall', '.claude']) {
        rmSync(join(home.path, name), { recursive: true });
        cpSync(join(saved, name), join(home.path, name), { recursive: true, preserveTimestamps: true });
      }
    };
    const log = join(home.path, 'calls.txt');
    const counting = ['strace', '-o', log, '-e', `trace=${calls}`];
    runRecall(home, ['forget', id, '--yes'], { via: counting });
    const last = readFileSync(log, 'utf8').split('\n').length;
    expectForgotten(home);
    let landed = 0;
    for (let i = 0; i < count; i++) {
      const when = count >= last ? 1 + (i % last) : 1 + random.below(last);
      const way = ['index', 'forget', 'lost'][i % 3] ?? '';
      putBack();
      const fault = `${calls}:signal=SIGKILL:when=${when}`;
      if (runRecall(home, ['forget', id, '--yes'], { via: injecting(fault) }).code !== 0) landed++;
      await tally.attempt(check, `seed ${seed}, ${fault}, then ${way}`, () => {
        const isForgotten = countTombstones(home) > 0;
        if (isForgotten && way === 'lost') expectLostForGood(home);
        else {
          if (isForgotten && way === 'index') runQuietly(home, ['index']);
          else runQuietly(home, ['forget', id, '--yes']);
          expectForgotten(home);
          runQuietly(home, ['index']);
          expectForgotten(home);
        }
      });
    }
    tally.note(check, `${landed} came in time, of ${last} calls`);
  } finally {
    home.remove();
  }
}

/** Ctrl-C while another recall archives. */
export async function interruptForget({ tally }: Trials): Promise<void> {
  for (const way of ['index', 'forget', 'lost', 'doctor'] as const) {
    const home = makeHome();
    try {
      await tally.attempt('forget: interrupted while it waits', `then ${way}`, async () => {
        const lock = acquireIndexLock(`${own(home)}/archive/`, 1, 0);
        const child = startRecall(home, ['forget', id, '--yes']);
        const done = finish(child);
        await untilSaid(child, 'another recall is archiving');
        child.kill('SIGINT');
        assert.equal((await done).code, 130);
        const held = runRecall(home, ['index']);
        assert.equal(held.code, 2, held.stderr);
        assert.match(
          held.stderr,
          /copies of forgotten sessions may still be in it: another recall is archiving/,
        );
        if (isLocked(lock)) lock.release();
        if (way === 'lost') expectLostForGood(home);
        else {
          runQuietly(home, way === 'forget' ? ['forget', id] : [way]);
          expectForgotten(home);
        }
      });
    } finally {
      home.remove();
    }
  }
}

/** The disk is full when the file of the index is to be written anew. */
export async function forgetWithoutRoom({ tally, seed, count }: Trials): Promise<void> {
  const check = 'forget: no room';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 92);
  for (let i = 0; i < Math.max(4, Math.ceil(count / 5)); i++) {
    const home = makeHome();
    const fault = `pwrite64:error=ENOSPC:when=${1 + random.below(120)}+`;
    try {
      await tally.attempt(check, `seed ${seed}, ${fault}`, () => {
        const result = runRecall(home, ['forget', id, '--yes'], { via: injecting(fault) });
        expectPlain(result);
        if (countTombstones(home) === 0) assert.equal(result.code, 2, result.stderr);
        else {
          runQuietly(home, ['index']);
          expectForgotten(home);
        }
      });
    } finally {
      home.remove();
    }
  }
}

/** The archive may only be read: the session is forgotten, what is left is named, and deleted when it can be. */
export async function forgetReadOnly({ tally }: Trials): Promise<void> {
  const check = 'forget: an archive that may only be read';
  const home = makeHome();
  try {
    const why = whyNoRights(home);
    if (why !== null) {
      tally.skip(check, why);
      return;
    }
    giveAway(home.path);
    const archive = join(own(home), 'archive');
    const folders = readdirSync(archive, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    const allow = (mode: number) => {
      for (const folder of [archive, ...folders]) chmodSync(folder, mode);
    };
    await tally.attempt(check, 'forget, index, doctor', () => {
      allow(0o500);
      for (const args of [['forget', id, '--yes'], ['forget', id], ['index'], ['doctor']]) {
        const result = runRecall(home, args, asOrdinaryUser);
        expectPlain(result);
        assert.equal(result.code, 2, `${args[0]}: ${result.stdout}${result.stderr}`);
        assert.match(
          result.stdout + result.stderr,
          /recall\/archive: copies of forgotten sessions may still be in it: .*permission denied/s,
        );
      }
      allow(0o700);
      assert.equal(runRecall(home, ['index'], asOrdinaryUser).code, 0);
      expectForgotten(home);
      assert.equal(runRecall(home, ['doctor'], asOrdinaryUser).code, 0);
    });
  } finally {
    home.remove();
  }
}
