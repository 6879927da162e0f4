// npm run bench:codex [-- --mb <n> --trials <n>]: the first index of a home of Codex, as a ratio to the plain way over the same
// text, and the memory that it takes.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildYardsticks } from './build-yardsticks.ts';
import { toFirstIndex, toScript } from './commands.ts';
import { makeRollouts } from './home/make-rollouts.ts';
import { getTimed, runRounds } from './rounds.ts';
import { toRatio, toSpread } from './statistics.ts';
import type { Place } from './trial.ts';

const { values } = parseArgs({ options: { mb: { type: 'string' }, trials: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'recall-bench-'));
const scripts = await buildYardsticks();
try {
  const place: Place = { work, claudeDir: join(work, 'claude') };
  const root = join(work, 'codex');
  mkdirSync(place.claudeDir);
  const megabytes = Number(values.mb ?? 200);
  const files = makeRollouts(root, megabytes * 1e6, 7);
  const made = join(work, 'yardstick.db');
  const remove = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${made}${end}`, { force: true });
  };
  const first = toFirstIndex(place, 'first-index');
  const commands = [
    toScript(scripts, 'plain-rollouts', [join(root, 'sessions'), made], { before: remove }),
    { ...first, argv: [...first.argv, '--agent-dir', `codex=${root}`] },
  ];
  const results = runRounds(place, commands, Number(values.trials ?? 3));
  const [plain, index] = ['plain-rollouts', 'first-index'].map((id) => getTimed(results, id));
  if (plain === undefined || index === undefined) throw new Error('nothing was measured');
  console.log(`${files} rollouts, ${megabytes} MB`);
  console.log(`plain way    ${JSON.stringify(toSpread(plain.ms))} ms, ${plain.peakMb?.toFixed(0)} MB`);
  console.log(`first index  ${JSON.stringify(toSpread(index.ms))} ms, ${index.peakMb?.toFixed(0)} MB`);
  console.log(`ratio        ${JSON.stringify(toRatio(index.ms, plain.ms))}`);
} finally {
  rmSync(work, { recursive: true, force: true });
  rmSync(scripts, { recursive: true, force: true });
}
