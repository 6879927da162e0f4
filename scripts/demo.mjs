// Shows recall at work on the demo home in fixtures/: installs that home for an invented user in a temporary folder,
// then runs the commands as that user would type them. Everything is removed at the end.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDemoHome } from './install-demo-home.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'recall.cjs');

const home = realpathSync(mkdtempSync(join(tmpdir(), 'recall-demo-')));
try {
  installDemoHome(home);
  const cwd = join(home, 'shop');
  // By their ids: numbers belong to a terminal, which the demonstration may not have.
  const ok = [
    run(cwd, 'index'),
    run(cwd, 'search', 'jwt middleware'),
    run(cwd, 'open', '66c737db'),
    run(cwd, 'show', '66c737db', '--match', 'clock skew', '--context', '0'),
    run(cwd, 'search', 'when did we move the queue to redis?', '--limit', '1'),
    run(cwd, 'search', '连接池', '--limit', '1'),
    run(cwd, 'doctor'),
  ].every(Boolean);
  process.exitCode = ok ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

function run(cwd, ...args) {
  const typed = args.map((arg) => (/^[\w./-]+$/.test(arg) ? arg : JSON.stringify(arg)));
  console.log(`\n$ recall ${typed.join(' ')}`);
  // Nothing else: variables may name the folders of agents.
  const { PATH, SystemRoot } = process.env;
  const done = spawnSync(process.execPath, [program, ...args], {
    cwd,
    env: { PATH, SystemRoot, HOME: home, USERPROFILE: home, LOCALAPPDATA: home },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return done.status === 0;
}
