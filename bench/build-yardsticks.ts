// Makes plain JavaScript of the yardstick scripts, so that each trial is a process of its own.

import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Returns the folder of the scripts: inside the repository, where better-sqlite3 is found from. */
export async function buildYardsticks(): Promise<string> {
  mkdirSync('bench/.work', { recursive: true });
  const outdir = mkdtempSync(join('bench', '.work', 'yardsticks-'));
  await build({
    entryPoints: ['read-and-parse', 'plain-way', 'plain-rollouts', 'brotli-alone'].map(
      (name) => `bench/yardsticks/${name}.ts`,
    ),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return join(process.cwd(), outdir);
}
