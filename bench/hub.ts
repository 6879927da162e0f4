// npm run bench:hub [-- --claude-dir <dir> --trials <n>]: what a hub takes and costs: its bytes beside those of the transcripts, taking
// in beside a first index of the same bytes, and a search with and without a hub that was joined. The folder may be anyone's; it
// is only read. Without one, a home is made, whose words are drawn at random: it compresses worse than a real one, which the bounds are for.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepHome } from './home/keep-home.ts';
import { sizes } from './home/sizes.ts';
import { median } from './statistics.ts';

const { values } = parseArgs({ options: { 'claude-dir': { type: 'string' }, trials: { type: 'string' } } });
const trials = Number(values.trials ?? 5);
const work = mkdtempSync(join(tmpdir(), 'recall-bench-hub-'));

function recall(
  machine: string,
  args: readonly string[],
  env: Record<string, string> = {},
): { ms: number; out: string } {
  const home = join(work, machine);
  mkdirSync(join(home, '.claude'), { recursive: true });
  const startedAt = performance.now();
  const done = spawnSync(process.execPath, [resolve('dist/recall.cjs'), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      RECALL_MACHINE: machine,
      XDG_CACHE_HOME: join(work, 'cache'),
      ...env,
    },
    cwd: work,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (done.status !== 0) throw new Error(`recall ${args.join(' ')}: ${done.stderr}`);
  return { ms: performance.now() - startedAt, out: done.stdout.trim() };
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

try {
  const claudeDir =
    values['claude-dir'] ?? keepHome(join(tmpdir(), 'recall-bench-homes'), sizes.small).claudeDir;
  const given = { CLAUDE_CONFIG_DIR: claudeDir };
  const hub = join(work, 'hub');
  const first = Array.from(
    { length: trials },
    (_, n) => recall(`first-${n}`, ['index', '--no-archive'], given).ms,
  );
  const received: number[] = [];
  recall('laptop', ['hub', 'join', hub, '--yes'], given);
  const key = { RECALL_HUB_KEY: recall('laptop', ['hub', 'key']).out };
  const sent = bytesBelow(hub);
  for (let n = 0; n < trials; n++) {
    const desktop = `desktop-${n}`;
    // An index and a key, so that only the taking in is left to measure.
    recall(desktop, ['hub', 'join', join(work, `empty-${n}`), '--yes'], key);
    recall(desktop, ['hub', 'leave', '--yes']);
    received.push(recall(desktop, ['hub', 'join', hub, '--yes'], key).ms);
  }
  const search = (machine: string) => recall(machine, ['search', 'error', 'file'], given).ms;
  recall('first-0', ['search', 'error'], given);
  const [alone, joined]: [number[], number[]] = [[], []];
  for (let n = 0; n < trials * 4; n++) {
    alone.push(search('first-0'));
    joined.push(search('laptop'));
  }
  const projects = bytesBelow(join(claudeDir, 'projects'));
  const ratio = (a: readonly number[], b: readonly number[]) => (median(a) / median(b)).toFixed(2);
  console.log(
    `transcripts and side files   ${(projects / 1e6).toFixed(1)} MB; on the hub ${(sent / 1e6).toFixed(1)} MB: ${(sent / projects).toFixed(3)}  (at most 0.15)`,
  );
  console.log(
    `taking in / first index      ${ratio(received, first)}  (at most 1.8; ${median(received).toFixed(0)} and ${median(first).toFixed(0)} ms)`,
  );
  console.log(`search joined / not joined   ${ratio(joined, alone)}  (at most 1.05)`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
