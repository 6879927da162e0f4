// Runs recall in the demo home of fixtures/ as its user would, on a day that stays the same, and gives back what was
// printed as if she lived in /home/maya.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDemoHome } from './install-demo-home.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'recall.cjs');
const shownHome = '/home/maya';

/** What `use` makes of a fresh home, indexed, that is removed afterwards. */
export async function withDemoHome(use) {
  if (!existsSync(program)) throw new Error('build first: npm run build');
  const home = makeHome();
  try {
    run(home, 'recall index');
    return await use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What a terminal would show: results and notes together. */
export function run(home, line) {
  return runLine(home, `exec 2>&1\n${line}`);
}

/** What a script would read: results only. */
export function runQuietly(home, line) {
  return runLine(home, line);
}

/** For a process that is started here and not by a shell. */
export function toSurroundings(home) {
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    COLUMNS: '80',
  };
  return { cwd: join(home, 'shop'), env };
}

export function asShown(home, text) {
  const slug = (path) => path.replaceAll('/', '-');
  return text.replaceAll(home, shownHome).replaceAll(slug(home), slug(shownHome));
}

function runLine(home, line) {
  const { stdout } = spawnSync('sh', ['-c', line], { ...toSurroundings(home), encoding: 'utf8' });
  const lines = asShown(home, stdout).split('\n');
  return lines
    .map((each) => each.trimEnd())
    .join('\n')
    .trimEnd();
}

/** With a name as long as the one that is shown instead, so that every line breaks where it would. */
function makeHome() {
  const temporary = realpathSync('/tmp');
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789') {
    const home = `${temporary}/maya${letter}`;
    try {
      mkdirSync(home);
    } catch (error) {
      if (error.code === 'EEXIST') continue;
      throw error;
    }
    installDemoHome(home);
    mkdirSync(join(home, 'bin'));
    const clock = join(root, 'scripts', 'fixed-clock.cjs');
    writeFileSync(
      join(home, 'bin', 'recall'),
      `#!/bin/sh\nexec "${process.execPath}" --require "${clock}" "${program}" "$@"\n`,
    );
    chmodSync(join(home, 'bin', 'recall'), 0o755);
    return home;
  }
  throw new Error(`no free folder ${temporary}/maya?`);
}
