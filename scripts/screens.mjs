// Keeps the screens of the README true: node scripts/screens.mjs [--check] [file]
//
// A line <!-- screen --> before a code block says that the block is what recall prints. Every line in it that begins with
// `$ recall` is run, in the demo home of fixtures/ and in its project ~/shop, and what it prints stands below it; other
// lines with a `$` are kept and not run. Each block begins with a fresh home, indexed. Durations are not compared.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDemoHome } from './install-demo-home.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const program = join(root, 'dist', 'recall.cjs');
const shownHome = '/home/maya';

const args = process.argv.slice(2);
const file = args.find((arg) => arg !== '--check') ?? join(root, 'README.md');
const before = readFileSync(file, 'utf8');
if (!existsSync(program)) throw new Error('build first: npm run build');
const after = before.replace(
  /^(<!-- screen -->\n+```\w*\n)(.*?)(^```$)/gms,
  (_, head, block, tail) => head + toScreen(block) + tail,
);
if (!args.includes('--check')) writeFileSync(file, after);
else if (after !== before) {
  reportDifferences();
  process.exitCode = 1;
}

function toScreen(block) {
  const home = makeHome();
  try {
    const parts = block.split(/^(?=\$ )/m).map((part) => {
      const [typed = '', ...shown] = part.trimEnd().split('\n');
      if (!typed.startsWith('$ recall')) return typed;
      const printed = run(home, typed.slice(2));
      const old = shown.join('\n');
      return `${typed}\n${mask(printed) === mask(old) ? old : printed}`.trimEnd();
    });
    return `${parts.join('\n\n')}\n`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
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
    run(home, 'recall index');
    return home;
  }
  throw new Error(`no free folder ${temporary}/maya?`);
}

/** As it stands on a terminal of 80 columns: results and notes together. */
function run(home, line) {
  const { stdout } = spawnSync('sh', ['-c', `exec 2>&1\n${line}`], {
    cwd: join(home, 'shop'),
    env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8' },
    encoding: 'utf8',
  });
  const slug = (path) => path.replaceAll('/', '-');
  return stdout
    .replaceAll(home, shownHome)
    .replaceAll(slug(home), slug(shownHome))
    .split('\n')
    .map((each) => each.trimEnd())
    .join('\n')
    .trimEnd();
}

function mask(text) {
  return text.replace(/\b\d+(\.\d+)? ?m?s\b/g, '<time>').replace(/("tookMs":)[\d.]+/g, '$1<time>');
}

function reportDifferences() {
  const [now, then] = [after, before].map((text) => new Set(text.split('\n')));
  const only = (ours, theirs) => [...ours].filter((line) => !theirs.has(line));
  console.error(`${file}: screens differ from what recall prints; to write them anew: npm run screens`);
  for (const line of only(then, now)) console.error(`- ${line}`);
  for (const line of only(now, then)) console.error(`+ ${line}`);
}
