// Installs the demo home of fixtures/ for its invented user. She lives in /home/maya there; here she lives in the folder
// given, with real project directories.

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const fixture = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'fixtures', 'demo-home');

export function installDemoHome(target) {
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
