// Builds the shipped program: one entry and the chunks its commands load, better-sqlite3 left outside because it is
// native. Loading kysely and commander as hundreds of modules would cost 200 ms at every start.

import { chmodSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
await build({
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
});
chmodSync('dist/recall.js', 0o755);
