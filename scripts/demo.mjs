// Shows recall at work on the demo home in fixtures/: installs that home for an invented user in a temporary folder,
// then runs the commands as that user would type them. Everything is removed at the end.

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'recall.cjs');
if (!existsSync(program)) spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });

const home = realpathSync(mkdtempSync(join(tmpdir(), 'recall-demo-')));
try {
  installHome(join(root, 'fixtures', 'demo-home'), home);
  const cwd = join(home, 'shop');
  const ok = [
    run(cwd, 'index'),
    run(cwd, 'search', 'jwt middleware'),
    run(cwd, 'open', '1'),
    run(cwd, 'search', 'when did we move the queue to redis?', '--limit', '1'),
    run(cwd, 'search', '连接池', '--limit', '1'),
    run(cwd, 'doctor'),
  ].every(Boolean);
  process.exitCode = ok ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The fixture's user lives in /home/maya; here it lives in the temporary folder, with real project directories. */
function installHome(fixture, target) {
  const claude = join(target, '.claude');
  cpSync(fixture, claude, { recursive: true });
  const toSlug = (path) => path.replace(/[^A-Za-z0-9]/g, '-');
  for (const slug of readdirSync(join(claude, 'projects'))) {
    if (!slug.startsWith('-home-maya')) continue;
    renameSync(
      join(claude, 'projects', slug),
      join(claude, 'projects', toSlug(target) + slug.slice('-home-maya'.length)),
    );
  }
  for (const file of readdirSync(claude, { recursive: true })) {
    const path = join(claude, file);
    if (statSync(path).isFile()) {
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('/home/maya', target));
    }
  }
  for (const project of ['shop', 'shop-frontend', 'ml/recsys', 'dotfiles', 'work/billing-service']) {
    mkdirSync(join(target, project), { recursive: true });
  }
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
