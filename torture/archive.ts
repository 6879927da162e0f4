// Copies that must say what they are told to say: without secrets, whatever cut a run short that kept them with secrets; and what
// their file says, wherever it was edited. And nothing half-written is left in the folder of an agent.

import assert from 'node:assert/strict';
import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Random } from '../bench/home/random.ts';
import { assistantLine, TempHome, userLine } from '../test/support/home.ts';
import { runRecall } from '../test/support/program.ts';
import { hasStrace, injecting, withoutStrace } from './faults.ts';
import type { Trials } from './tally.ts';
import { runQuietly } from './whole.ts';

export async function tortureArchive(trials: Trials): Promise<void> {
  await killUnredacted(trials);
  await editInPlace(trials);
  await killRestore(trials);
}

const archiveOf = (home: TempHome) => join(home.path, 'recall/archive');

function makeHome(): TempHome {
  const home = new TempHome();
  home.write('../.config/recall/config.json', { archive: true });
  return home;
}

const sessions = 24;
const toId = (n: number) => `${String(n).padStart(2, '0')}aaaaaa-0000-4000-8000-000000000001`;

/** Everything in the archive, also what was left half-written, as far as it can be unpacked. */
function readArchive(home: TempHome): string {
  return readdirSync(archiveOf(home), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.br$|^\.new-/.test(entry.name))
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      try {
        return brotliDecompressSync(bytes).toString();
      } catch {
        return bytes.toString('latin1');
      }
    })
    .join('\n');
}

/** Of each thread that writes. */
const calls = 'rename,unlink,fsync';

/** SIGKILL while sessions are kept with their secrets, then `index --redact`: none is left, whatever the snapshot says. */
export async function killUnredacted({ tally, seed, count }: Trials): Promise<void> {
  const check = 'archive: killed without redaction, then redacted';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 101);
  const home = makeHome();
  const saved = join(home.path, 'saved');
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const toLines = (n: number) => [userLine(`session ${n}`), assistantLine('Yes. '.repeat(100))];
  try {
    for (let n = 0; n < sessions; n++) home.writeSession(toId(n), toLines(n));
    runQuietly(home, ['index', '--redact']);
    cpSync(join(home.path, 'recall'), saved, { recursive: true, preserveTimestamps: true });
    const withSecret = (n: number) => [...toLines(n), userLine(`use ${secret}`)];
    let landed = 0;
    for (let i = 0; i < count; i++) {
      rmSync(join(home.path, 'recall'), { recursive: true });
      cpSync(saved, join(home.path, 'recall'), { recursive: true, preserveTimestamps: true });
      for (let n = 0; n < sessions; n++) home.writeSession(toId(n), withSecret(n));
      // The index first, so that the calls are those of the archive.
      runRecall(home, ['index', '--no-redact', '--no-archive']);
      const fault = `${calls}:signal=SIGKILL:when=${8 + random.below(4)}`;
      await tally.attempt(check, `seed ${seed}, ${fault}`, () => {
        const killed = runRecall(home, ['index'], { via: injecting(fault) });
        if (killed.code !== 0) landed++;
        // Of these, the copy is all that is left.
        for (let n = 0; n < sessions; n += 2)
          rmSync(join(home.claudeDir, `projects/-home-u-shop/${toId(n)}.jsonl`));
        runQuietly(home, ['index', '--redact']);
        assert.ok(!readArchive(home).includes(secret), 'a secret is in the archive');
        assert.ok(readArchive(home).includes('[redacted github-token]'));
        assert.equal(runRecall(home, ['archive', 'verify']).code, 0);
      });
    }
    tally.note(check, `${landed} came in time`);
  } finally {
    home.remove();
  }
}

/** Between samples of a fingerprint, wherever these are: some word somewhere in a transcript of many. */
export async function editInPlace({ tally, seed, count }: Trials): Promise<void> {
  const random = new Random(seed, 102);
  for (let i = 0; i < count; i++) {
    const kilobytes = random.pick([40, 90, 400, 3000, 9000]);
    const isRedacted = random.chance(0.5);
    const isAppended = random.chance(0.5);
    const isSearched = isAppended && random.chance(0.5);
    const how = [
      isRedacted ? 'redacted' : 'plain',
      isAppended ? 'and appended' : '',
      isSearched ? 'and searched' : '',
    ];
    const trial = `seed ${seed}, trial ${i}, ${kilobytes} kB, ${how.filter(Boolean).join(', ')}`;
    const home = makeHome();
    try {
      const lines = Array.from({ length: Math.ceil((kilobytes * 1000) / 900) }, (_, n) =>
        userLine(`prompt ${n} okapi${String(n).padStart(6, '0')} ${'filler words '.repeat(50)}`),
      );
      const path = home.writeSession(toId(0), lines);
      runQuietly(home, isRedacted ? ['index', '--redact'] : ['index']);
      const nth = random.below(lines.length);
      const [old, edited] = ['okapi', 'zebra'].map((word) => `${word}${String(nth).padStart(6, '0')}`);
      overwrite(join(home.claudeDir, path), old ?? '', edited ?? '');
      if (isAppended) home.append(path, [userLine('one more line')]);
      const expected = readFileSync(join(home.claudeDir, path));
      await tally.attempt('archive: edited in place', trial, () => {
        if (isSearched) runRecall(home, ['search', 'more']);
        const { stdout } = runRecall(home, ['index']);
        assert.match(stdout, / archived /);
        const isFound = (word = '') =>
          JSON.parse(runRecall(home, ['search', '--no-refresh', '--json', word]).stdout).total;
        assert.deepEqual([isFound(edited), isFound(old)], [1, 0]);
        rmSync(join(home.claudeDir, path));
        runQuietly(home, ['index']);
        runQuietly(home, ['restore', toId(0)]);
        assert.ok(readFileSync(join(home.claudeDir, path)).equals(expected), 'the copy is not the file');
      });
    } finally {
      home.remove();
    }
  }
}

function overwrite(path: string, old: string, edited: string): void {
  const at = readFileSync(path).indexOf(old);
  const fd = openSync(path, 'r+');
  writeSync(fd, edited, at);
  closeSync(fd);
}

const hourMs = 3_600_000;

/** What a killed restore has left half-written is deleted by the next command that comes by, an hour later and not before. */
export async function killRestore({ tally, seed, count }: Trials): Promise<void> {
  const check = 'archive: restore killed';
  if (!hasStrace) {
    tally.skip(check, withoutStrace);
    return;
  }
  const random = new Random(seed, 103);
  const home = makeHome();
  const folder = `projects/-home-u-shop/${toId(0)}`;
  const listLeft = () =>
    readdirSync(home.claudeDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes('.recall-'),
    );
  try {
    home.writeSession(toId(0), [userLine('the okapi'), assistantLine('Yes.')]);
    home.write(`${folder}/subagents/agent-one.jsonl`, [userLine('look')]);
    home.write(`${folder}/tool-results/t1.txt`, 'printed');
    runQuietly(home, ['index']);
    const expected = readFileSync(join(home.claudeDir, `${folder}.jsonl`));
    let left = 0;
    for (let i = 0; i < count; i++) {
      for (const path of [`${folder}.jsonl`, folder])
        rmSync(join(home.claudeDir, path), { recursive: true, force: true });
      runQuietly(home, ['index']);
      const fault = `${random.pick(['link', 'unlink', 'fsync', 'write'])}:signal=SIGKILL:when=${1 + random.below(3)}`;
      const next = random.pick([['index'], ['doctor'], ['restore', toId(0)]]);
      await tally.attempt(check, `seed ${seed}, ${fault}, then ${next[0]}`, () => {
        runRecall(home, ['restore', toId(0)], { via: injecting(fault) });
        const young = listLeft();
        if (young.length > 0) left++;
        runRecall(home, next);
        assert.deepEqual(listLeft(), young);
        const before = new Date(Date.now() - 2 * hourMs);
        for (const name of young) utimesSync(join(home.claudeDir, name), before, before);
        runRecall(home, next);
        assert.deepEqual(listLeft(), []);
        runQuietly(home, ['restore', toId(0)]);
        assert.ok(readFileSync(join(home.claudeDir, `${folder}.jsonl`)).equals(expected));
      });
    }
    tally.note(check, `${left} left something`);
  } finally {
    home.remove();
  }
}
