// Builds what is shipped: the program, its manual, and the library. Start-up is most of the time of a search, so our own code is
// one script whose modules run when they are first imported, and which the loader compiles only once; packages that a search has
// no use for are files of their own; and better-sqlite3 is bundled, since loading its files takes 12 ms.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildTypes } from './build-types.mjs';
import { hasBetterSqlite, optionalSqlite, requireBanner } from './optional-sqlite.mjs';

const outdir = 'dist';
/** The files of large packages, by what is imported. */
const largePackages = {
  'kysely.cjs': /^kysely$/,
  'hub.cjs': /^(age-encryption|postgres|pgpass)$/,
  'mcp.cjs': /^(zod|@modelcontextprotocol\/server)(\/|$)/,
  'highlight.cjs': /^highlight\.js\//,
  'markdown-it.cjs': /^markdown-it$/,
};
/** What the program can be started as: by the loader, or by a thread that runs the file of this name. */
const starts = {
  cli: './src/cli.ts',
  'read-worker': './src/indexing/read-worker.ts',
  'screen-worker': './src/screen-worker.ts',
};
const options = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};

/** Loads the native half of better-sqlite3 by its path, where the package `bindings` would look in a dozen places. */
const nativeBinding = {
  name: 'native-binding',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bindings$/ }, ({ path }) => ({ path, namespace: 'native-binding' }));
    onResolve({ filter: /./, namespace: 'native-binding' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'native-binding' }, () => ({
      contents: "module.exports = (name) => require('better-sqlite3/build/Release/' + name);",
    }));
  },
};

/** What was imported of the large packages, by file. */
const imported = Object.fromEntries(Object.keys(largePackages).map((file) => [file, new Set()]));

/** Takes what is imported of a large package from its file, which exports it under the name that was imported. */
const leaveOutLarge = {
  name: 'leave-out-large',
  setup({ onResolve, onLoad }) {
    for (const [file, filter] of Object.entries(largePackages)) {
      onResolve({ filter }, ({ path }) => ({ path, namespace: file }));
      onResolve({ filter: /./, namespace: file }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: file }, ({ path }) => {
        imported[file].add(path);
        return { contents: `module.exports = require('./${file}')['${path}'];` };
      });
    }
  },
};

if (!hasBetterSqlite)
  console.warn(
    'better-sqlite3 is not installed: the program looks for it when it runs, and starts more slowly',
  );
mkdirSync(join(outdir, 'man'), { recursive: true });

const program = await bundle(
  Object.entries(starts).map(([name, path]) => `exports['${name}'] = () => import('${path}');`),
  {
    plugins: [optionalSqlite, nativeBinding, leaveOutLarge],
    // Its other form, which is the one that node takes, is UMD: esbuild does not see the files it requires.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Of Node's own modules too: a script outside of its module loader must not say `import()`.
    supported: { 'dynamic-import': false },
    // Scripts for shells and the style of a page.
    loader: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text', '.css': 'text' },
  },
);
const scripts = { 'program.cjs': program };
for (const [file, paths] of Object.entries(imported))
  scripts[file] = await bundle([...paths].sort().map((path) => `exports['${path}'] = require('${path}');`));
const threads = Object.keys(starts).filter((name) => name !== 'cli');

// The loader last, so that a program that starts meanwhile finds whole files.
for (const [name, text] of Object.entries(scripts)) write(name, text, 0o644);
for (const name of threads) write(`${name}.cjs`, "require('./recall.cjs');\n", 0o644);
write('recall.cjs', await buildLoader(), 0o755);
write('man/recall.1', buildManPage(), 0o644);
await buildPage();
const shipped = [
  ...Object.keys(scripts),
  ...threads.map((name) => `${name}.cjs`),
  'recall.cjs',
  'man',
  'library',
  'web',
];
for (const name of readdirSync(outdir))
  if (!shipped.includes(name)) rmSync(join(outdir, name), { recursive: true });
await buildLibrary();

/** A script that exports what these lines say: a function, as Node wraps one, and strict as ES modules are. */
async function bundle(lines, further) {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: '.' },
    banner: { js: '(function(exports,require,module,__filename){"use strict";' },
    footer: { js: '})' },
    ...further,
  });
  return toAscii(outputFiles[0].text);
}

/** The loader reads ASCII, and esbuild leaves regular expressions and tagged templates as they are written. */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Knows of each script what tells it from any other. */
async function buildLoader() {
  const ids = Object.entries(scripts).map(([name, text]) => [
    `./${name}`,
    createHash('sha256').update(text).digest('hex').slice(0, 16),
  ]);
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['scripts/loader.mjs'],
    define: { SCRIPT_IDS: JSON.stringify(Object.fromEntries(ids)) },
  });
  return outputFiles[0].text;
}

/** The page that `recall web` serves: a script, a style sheet, a document that loads both, and an icon. */
async function buildPage() {
  mkdirSync(join(outdir, 'web'), { recursive: true });
  const { outputFiles } = await build({
    ...options,
    entryPoints: { page: 'src/web/page/page.tsx', style: 'src/web/page/page.css' },
    outdir: 'web',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
  });
  for (const { path, text } of outputFiles)
    write(path.endsWith('.css') ? 'web/page.css' : 'web/page.js', text, 0o644);
  for (const name of ['index.html', 'icon.svg'])
    write(`web/${name}`, readFileSync(`src/web/page/${name}`, 'utf8'), 0o644);
}

/** The same API as an ES module for other programs. The native half of better-sqlite3 is looked for beside it. */
async function buildLibrary() {
  const folder = join(outdir, 'library');
  rmSync(folder, { recursive: true, force: true });
  await build({
    ...options,
    entryPoints: ['src/library.ts'],
    outfile: join(folder, 'index.mjs'),
    format: 'esm',
    plugins: [optionalSqlite, nativeBinding],
    banner: { js: requireBanner },
    write: true,
  });
  buildTypes(join(folder, 'types'));
}

function buildManPage() {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/man-page.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the manual page could not be made');
  return stdout;
}

/** Under another name first: a program may start meanwhile. */
function write(name, content, mode) {
  const path = join(outdir, name);
  writeFileSync(`${path}.new`, content, { mode });
  renameSync(`${path}.new`, path);
}
