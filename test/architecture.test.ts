// Imports go one way, and only the top touches the process: what docs/architecture.md says, checked.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Import {
  readonly from: string;
  /** A path below src or migrations, or the name of a package. */
  readonly to: string;
  readonly isTypeOnly: boolean;
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join('src', name));
const sourceOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports = files.flatMap(readImports);

/** Static imports, `export … from` and `import('…')`. */
function readImports(file: string): Import[] {
  const source = withoutComments(sourceOf.get(file) ?? '');
  const resolveName = (name: string) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name);
  const found: Import[] = [];
  for (const [, clause, name] of source.matchAll(
    /^(?:import|export)\s+([^;'"]*?)\s*from\s*['"]([^'"]+)['"]/gm,
  ))
    found.push({ from: file, to: resolveName(name ?? ''), isTypeOnly: isTypeOnly(clause ?? '') });
  for (const [, name] of source.matchAll(/\bimport\s*\(?\s*['"]([^'"]+)['"]/g))
    found.push({ from: file, to: resolveName(name ?? ''), isTypeOnly: false });
  return found;
}

function isTypeOnly(clause: string): boolean {
  if (/^type\s/.test(clause)) return true;
  const names = /^\{([^}]*)\}$/s
    .exec(clause)?.[1]
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  return names?.every((name) => name.startsWith('type ')) ?? false;
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** The party a file belongs to: its folder below src, or its own name at the top. */
function partyOf(path: string): string {
  const [top, second] = path.split('/');
  if (top !== 'src') return top ?? '';
  return path.split('/').length > 2 ? (second ?? '') : basename(path, '.ts');
}

/** Who may import whom at run time. Anyone may import the leaves. */
const leaves = ['records', 'batch', 'errors', 'hints', 'filters', 'open-file', 'text'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cli: ['program', 'process', 'terminal', 'command-line', 'api', 'render', 'build-host'],
  process: ['render'],
  terminal: [],
  /** The program of a thread. */
  'screen-worker': ['api', 'screen', 'build-host'],
  program: ['commands', 'command-line', 'api', 'package.json'],
  /** The package for other programs. */
  library: ['api', 'build-host'],
  'build-host': ['api', 'config'],
  commands: ['command-line', 'api', 'render', 'setup', 'config', 'mcp', 'screen', 'web'],
  'command-line': ['api', 'render', 'setup', 'config'],
  mcp: ['api', 'render', 'package.json'],
  screen: ['api', 'render'],
  /** A page's server, and the page; the thread that keeps the index up to date and the keys are the screen's. */
  web: ['api', 'render', 'screen'],
  config: [],
  api: ['indexing', 'archive', 'hub', 'search', 'store', 'sources', 'config'],
  indexing: ['store', 'sources'],
  /** Compressed copies of agents' files; knows nothing of the index. */
  archive: ['sources'],
  /** Carries copies between machines; knows nothing of the index. */
  hub: ['archive', 'sources', 'config'],
  search: ['store'],
  render: [],
  store: ['migrations'],
  sources: [],
  /** Edits Claude Code's own settings, and knows nothing of the index. */
  setup: ['sources'],
  text: [],
  records: [],
  batch: [],
  'open-file': [],
  errors: [],
  hints: [],
  filters: [],
};

/** Types may also come from what a page shows. */
const mayImportTypes: Readonly<Record<string, readonly string[]>> = {
  render: ['api', 'search', 'store', 'setup', 'archive'],
  api: ['config'],
  /** Whatever engine answers, words are asked for in the same way. */
  hub: ['store'],
  cli: ['commands', 'screen-worker'],
  terminal: ['screen'],
  process: ['api', 'command-line'],
};

const own = imports.filter(
  ({ to }) => to.startsWith('src/') || to.startsWith('migrations/') || to.includes('.json'),
);

function isAllowed({ from, to, isTypeOnly: isType }: Import): boolean {
  const [party, other] = [partyOf(from), partyOf(to)];
  if (party === other || leaves.includes(other)) return true;
  if (mayImport[party]?.includes(other)) return true;
  return isType && (mayImportTypes[party]?.includes(other) ?? false);
}

const toLine = ({ from, to }: Import) => `${from} → ${to}`;

describe('imports', () => {
  test('there are some, and every file belongs to a known party', () => {
    expect(own.length).toBeGreaterThan(50);
    expect([...new Set(files.map(partyOf))].filter((party) => !(party in mayImport))).toEqual([]);
  });

  test('go one way', () => {
    expect(own.filter((each) => !isAllowed(each)).map(toLine)).toEqual([]);
  });

  test('front ends know nothing below the API, not even its types; and neither knows the other', () => {
    const fronts = [
      'cli',
      'process',
      'program',
      'commands',
      'command-line',
      'mcp',
      'screen',
      'web',
      'library',
    ];
    const below = ['store', 'search', 'indexing', 'archive', 'hub', 'sources', 'migrations'];
    const around = own.filter(
      ({ from, to }) => fronts.includes(partyOf(from)) && below.includes(partyOf(to)),
    );
    expect(around.map(toLine)).toEqual([]);
    const across = own.filter(
      ({ from, to }) =>
        ['mcp', 'screen', 'web'].includes(partyOf(from)) &&
        ['commands', 'command-line'].includes(partyOf(to)),
    );
    expect(across.map(toLine)).toEqual([]);
  });

  test('search knows the store by its interface for words alone', () => {
    const known = own.filter(({ from, to }) => partyOf(from) === 'search' && partyOf(to) === 'store');
    expect([...new Set(known.map(({ to }) => to))]).toEqual(['src/store/word-index.ts']);
  });

  test('only the store runs SQLite, and only its adapter names an engine', () => {
    const kysely = imports.filter(
      ({ from, to, isTypeOnly: isType }) => !isType && to === 'kysely' && partyOf(from) !== 'store',
    );
    expect(kysely.map(toLine)).toEqual([]);
    const engines = imports.filter(({ to }) => /^(better-sqlite3|node:sqlite)$/.test(to));
    expect(engines.map(toLine)).toEqual(['src/store/open/database.ts → better-sqlite3']);
    const others = ['test', 'bench', 'torture', 'scripts', 'migrations'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const direct = others.filter(
      (file) => file.endsWith('.ts') && /^import .*'better-sqlite3';$/m.test(readFileSync(file, 'utf8')),
    );
    expect(direct).toEqual([]);
  });

  test('of a source do not load its reader, which a search has no use for', () => {
    const loading = /^(?:import (?!type)|\}).* from '(?:\.\/reader|\.\.\/transcript\/.*)\.ts'/;
    expect(linesWith(loading, (file) => /^src\/sources\/[^/]+\/source\.ts$/.test(file))).toEqual([]);
  });

  test('make no circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
        return;
      }
      if (done.has(file)) return;
      for (const { from, to, isTypeOnly: isType } of own)
        if (from === file && !isType) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});

/** Lines of code, outside comments, in which the pattern occurs: `file: line`. */
function linesWith(pattern: RegExp, isLookedAt: (file: string) => boolean): string[] {
  return files.filter(isLookedAt).flatMap((file) =>
    withoutComments(sourceOf.get(file) ?? '')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

const isProcess = (file: string) => ['cli', 'process', 'terminal'].includes(partyOf(file));
/** What runs in a browser has no other clock. */
const isPage = (file: string) => file.startsWith('src/web/page/');
const isTop = (file: string) =>
  isProcess(file) || isPage(file) || ['library', 'screen-worker', 'build-host'].includes(partyOf(file));

/** How long to wait for another process is a matter of elapsed time, which no caller could pass in. */
const clockAllowed = ['src/store/open/open-store.ts'];

describe('the process', () => {
  test('only cli.ts, process.ts and terminal.ts end it; beside them only the library reads its environment and directory', () => {
    const used = linesWith(/process\.(exit|exitCode|argv|chdir|on)\b/, (file) => !isProcess(file));
    expect(used).toEqual([]);
    expect(linesWith(/process\.(env|cwd)\b/, (file) => !isTop(file))).toEqual([]);
  });

  test('only cli.ts, process.ts and terminal.ts write to it, and the server that speaks over it', () => {
    const speaks = (file: string) => isProcess(file) || file === 'src/mcp/serve.ts';
    const used = linesWith(/process\.std(out|err|in)|console\./, (file) => !speaks(file));
    expect(used).toEqual([]);
  });

  test('below these nobody reads the clock, the home or the machine', () => {
    const pattern =
      /Date\.now\(|new Date\(\)|performance\.now\(|homedir\(|hostname\(|process\.(pid|platform)/;
    expect(linesWith(pattern, (file) => !isTop(file) && !clockAllowed.includes(file))).toEqual([]);
  });
});

describe('words', () => {
  test('only the word index of SQLite says MATCH', () => {
    const used = linesWith(
      /\bmatch (@|\?(?!\?)|\$)/i,
      (file) => file !== 'src/store/read/sqlite-word-index.ts',
    );
    expect(used).toEqual([]);
  });

  test('no drawer of odds and ends, and every file says what it is for', () => {
    const drawer = /(^|[/-])(utils?|helpers?|common|manager|service|misc)(\.ts|\/)|\/index\.ts$/;
    expect(files.filter((file) => drawer.test(file) && file !== 'src/sources/index.ts')).toEqual([]);
    expect(files.filter((file) => !sourceOf.get(file)?.startsWith('// '))).toEqual([]);
  });

  test('nothing leaves the machine but through a hub; only web/ listens, on loopback, and only its page asks it', () => {
    const network =
      /^(node:)?(http|https|http2|net|tls|dgram|dns)(\/|$)|^(undici|node-fetch|axios|postgres|pg)$/;
    const connecting = imports.filter(({ to, isTypeOnly: isType }) => network.test(to) && !isType);
    expect(connecting.filter(({ from }) => !from.startsWith('src/hub/')).map(toLine)).toEqual([
      'src/web/serve.ts → node:http',
    ]);
    const listens = linesWith(/\.listen\(/, () => true);
    expect(listens).toHaveLength(1);
    expect(
      linesWith(/tryListen\('/, () => true).map((line) => /tryListen\('([^']+)'/.exec(line)?.[1]),
    ).toEqual(['127.0.0.1', '127.0.0.1', '::1']);
    const asks = linesWith(/\bfetch\(|WebSocket|XMLHttpRequest|EventSource|sendBeacon/, () => true);
    expect(asks.filter((line) => !line.startsWith('src/web/page/state.ts: '))).toEqual([]);
    expect(asks).toHaveLength(2);
  });
});
