// Shows recall at work on the demo home in fixtures/: installs that home for an invented user in a temporary folder,
// then runs the commands as that user would type them. Everything is removed at the end.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDemoHome } from './install-demo-home.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'recall.cjs');
if (!existsSync(program)) spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });

const home = realpathSync(mkdtempSync(join(tmpdir(), 'recall-demo-')));
try {
  installDemoHome(home);
  const cwd = join(home, 'shop');
  const ok = [
    run(cwd, 'index'),
    run(cwd, 'search', 'jwt middleware'),
    run(cwd, 'open', '1'),
    run(cwd, 'show', '1', '--match', 'clock skew', '--context', '0'),
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
  const { CLAUDE_CONFIG_DIR, RECALL_DB, XDG_DATA_HOME, CLAUDECODE, ...env } = process.env;
  const done = spawnSync(process.execPath, [program, ...args], {
    cwd,
    env: { ...env, HOME: home, USERPROFILE: home, LOCALAPPDATA: home },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return done.status === 0;
}
