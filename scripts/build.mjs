// Builds what is shipped: the program as a loader and a few scripts with the modules that its commands load, its manual, and
// the library. Start-up is most of the time of a search, so:
// - all is bundled: kysely and commander as hundreds of modules cost 200 ms, the files of better-sqlite3 12 ms;
// - the modules are functions that return what they export, because starting node's loader of ES modules costs 5 to 10 ms.
//   esbuild splits only ES modules, so these are built first and then turned;
// - what a search has no use for is a script of its own: reading 400 kB for nothing costs 3 ms;
// - commander gets node:child_process when it asks for something in it, which it never does here: 5 ms;
// - so do recall's own modules get parts of node that many runs never use: node:crypto alone is 4 ms.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { buildTypes } from './build-types.mjs';
import { refuseCircles, toFunctionBody } from './function-body.mjs';
import { hasBetterSqlite, optionalSqlite, requireBanner } from './optional-sqlite.mjs';

const outdir = 'dist';

if (!hasBetterSqlite)
  console.warn(
    'better-sqlite3 is not installed: the program looks for it when it runs, and starts more slowly',
  );

/** Loads the native half of better-sqlite3 by its path, where the package `bindings` would look in a dozen places. */
const nativeBinding = `
  module.exports = (name) => require('better-sqlite3/build/Release/' + name);`;

/** A part of node that is loaded when something in it is used. esbuild hands on the prototype of what a module exports. */
const toLate = (name) => `
  module.exports = Object.create(new Proxy({}, { get: (_, key) => require('${name}')[key] }));`;
const lateFilter = /^node:(?:crypto|fs\/promises|v8|worker_threads|zlib)$/;

const lean = {
  name: 'lean',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'lean' }));
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/commander/') ? { path, namespace: 'lean' } : undefined,
    );
    onResolve({ filter: lateFilter }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lean' } : undefined,
    );
    onResolve({ filter: /^better-sqlite3\/build\// }, ({ path, namespace }) =>
      namespace === 'lean' ? { path, external: true } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean' }, ({ path }) => ({
      contents: path === 'bindings' ? nativeBinding : toLate(path),
      resolveDir: '.',
    }));
  },
};

/** The completion scripts. */
const loader = { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' };
const options = { target: 'node20', platform: 'node', legalComments: 'none', logLevel: 'warning' };
const { outputFiles, metafile } = await build({
  ...options,
  entryPoints: {
    main: 'src/cli.ts',
    'read-worker': 'src/indexing/read-worker.ts',
    'screen-worker': 'src/screen-worker.ts',
  },
  outdir,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  plugins: [optionalSqlite, lean],
  // Its other form, which is the one that node takes, is UMD: esbuild does not see the files it requires.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  loader,
  write: false,
  metafile: true,
});

/**
 * The scripts, and the sources that decide what is in each: what the first ones load when they run, and not before. The
 * quickest first: a module that several need is in the first of their scripts.
 */
const packs = {
  'recall.pack': [
    'cli',
    'store/open/open-store',
    'store/open/schema-version',
    'commands/search-command',
    'api/upkeep/refresh',
    'api/search',
    'commands/open-command',
    'api/find-session',
    'api/resume',
    'commands/list-command',
    'api/list',
    'store/open/last-results',
    'api/read-work-text',
    'sources/claude/work-reader',
  ],
  'index.pack': [
    'commands/index-command',
    'api/upkeep/update',
    'indexing/carry-out',
    'indexing/read-worker',
    'sources/claude/reader',
    'indexing/watch-roots',
  ],
  'screen.pack': ['commands/screen-command', 'screen/open-screen', 'terminal', 'screen-worker'],
  'rest.pack': [],
};

/** Scripts that other threads start with. */
const threads = ['read-worker.cjs', 'screen-worker.cjs'];

/** The script of each module, by name. */
const packOf = new Map();
function addTo(pack, path) {
  if (packOf.has(basename(path))) return;
  packOf.set(basename(path), pack);
  for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? [])
    if (kind === 'import-statement') addTo(pack, imported);
}
for (const [pack, sources] of Object.entries(packs)) {
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
    if (sources.some((source) => entryPoint === `src/${source}.ts`)) addTo(pack, path);
}

/** What each module imports with statements, as it names them. */
const importsOf = new Map(
  Object.entries(metafile.outputs).map(([path, { imports }]) => [
    `./${basename(path)}`,
    imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map((each) => `./${basename(each.path)}`),
  ]),
);
refuseCircles(importsOf);

const modules = await Promise.all(
  outputFiles.map(async ({ path, text }) => {
    const name = basename(path);
    const body = toFunctionBody(text, importsOf.get(`./${name}`));
    const { code } = await transform(`run=function(require,__filename){${body}}`, {
      ...options,
      minifySyntax: true,
      minifyWhitespace: true,
      charset: 'ascii',
    });
    const run = code.slice(code.indexOf('=') + 1, code.lastIndexOf(';'));
    return { name, text: `${JSON.stringify(name)}:${toAscii(run)}` };
  }),
);

/** The loader reads ASCII, and esbuild leaves regular expressions and tagged templates as they are written. */
function toAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
const toPackOf = (name) => packOf.get(name) ?? 'rest.pack';
/** The first script says where all others are. */
const elsewhere = Object.fromEntries(
  modules.map(({ name }) => [name, toPackOf(name)]).filter(([, pack]) => pack !== 'recall.pack'),
);
const toScript = (pack) => {
  const texts = modules.filter(({ name }) => toPackOf(name) === pack).map(({ text }) => text);
  return `({${[...(pack === 'recall.pack' ? [`elsewhere:${JSON.stringify(elsewhere)}`] : []), ...texts].join(',\n')}})`;
};

mkdirSync(join(outdir, 'man'), { recursive: true });
// Under other names first, so that a program that starts meanwhile finds a whole one.
const packIds = {};
for (const pack of Object.keys(packs).reverse()) {
  const script = toScript(pack);
  packIds[pack] = createHash('sha256').update(script).digest('hex').slice(0, 16);
  write(pack, script, 0o644);
}
write(
  'recall.cjs',
  toLoader({ 'packIds = {}': packIds, 'commandNames = []': await readFirstWords() }),
  0o755,
);
write('man/recall.1', toManPage(), 0o644);
for (const name of threads) write(name, "// The program of a thread.\nrequire('./recall.cjs');\n", 0o644);
for (const name of readdirSync(outdir)) {
  if (![...Object.keys(packs), 'recall.cjs', ...threads, 'man', 'library'].includes(name))
    rmSync(join(outdir, name), { recursive: true });
}

await buildLibrary();

/** The same API as an ES module for other programs. The native half of better-sqlite3 is looked for beside it. */
async function buildLibrary() {
  const folder = join(outdir, 'library');
  rmSync(folder, { recursive: true, force: true });
  await build({
    ...options,
    entryPoints: ['src/library.ts'],
    outfile: join(folder, 'index.mjs'),
    bundle: true,
    format: 'esm',
    plugins: [optionalSqlite, lean],
    banner: { js: requireBanner },
    minifySyntax: true,
    minifyWhitespace: true,
  });
  buildTypes(join(folder, 'types'));
}

/** The loader, with what the build knows in place of its empty constants. */
function toLoader(constants) {
  let source = readFileSync('scripts/loader.cjs', 'utf8');
  for (const [empty, value] of Object.entries(constants)) {
    if (!source.includes(empty)) throw new Error(`the loader has no ${empty}`);
    source = source.replace(empty, empty.replace(/..$/, JSON.stringify(value)));
  }
  return source;
}

async function readFirstWords() {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['src/command-line/implied-command.ts'],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const { firstWords } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return firstWords;
}

function toManPage() {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/run-ts.mjs', 'scripts/man-page.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error('the manual page could not be made');
  return stdout;
}

function write(name, content, mode) {
  const path = join(outdir, name);
  writeFileSync(`${path}.new`, content, { mode });
  renameSync(`${path}.new`, path);
}
