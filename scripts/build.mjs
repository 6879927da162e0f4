// Builds the shipped program: one entry and the chunks its commands load, better-sqlite3 left outside because it is
// native. Loading kysely and commander as hundreds of modules would cost 200 ms at every start.

import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: { recall: 'src/cli.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['better-sqlite3'],
  minifySyntax: true,
  legalComments: 'none',
  // commander is CommonJS and asks for node's own modules with require.
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  metafile: true,
});
chmodSync('dist/recall.js', 0o755);

// Chunks of earlier builds go last, so that a program that is running meanwhile finds all of its own.
const built = new Set(Object.keys(metafile.outputs));
for (const name of readdirSync('dist')) if (!built.has(`dist/${name}`)) rmSync(join('dist', name));
