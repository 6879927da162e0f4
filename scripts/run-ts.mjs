// Runs a TypeScript file of this repository: node scripts/run-ts.mjs bench/quality.ts [arguments]. Node 20 does not
// read TypeScript itself, and esbuild is here anyway.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { hasBetterSqlite, optionalSqlite, requireBanner } from './optional-sqlite.mjs';

const [file = '', ...args] = process.argv.slice(2);
// Beside its source, so that better-sqlite3 and paths relative to the file resolve as written.
const outfile = join(dirname(file), `.${basename(file, '.ts')}.${process.pid}.mjs`);
try {
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [optionalSqlite],
    ...(hasBetterSqlite ? {} : { banner: { js: requireBanner } }),
    loader: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text', '.css': 'text' },
    logLevel: 'warning',
  });
  process.exitCode = spawnSync(process.execPath, [outfile, ...args], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(outfile, { force: true });
}
