// Copies that must say what they are told to say: without secrets, whatever cut a run short that kept them with secrets.

import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
