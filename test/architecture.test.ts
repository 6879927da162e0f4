// Imports go one way, and only the top touches the process: what STYLE.md says under "Layout", checked.

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
  .filter((name) => name.endsWith('.ts'))
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
const leaves = ['records', 'batch', 'errors', 'text'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
  cli: ['program', 'commands', 'config'],
  program: ['definitions', 'commands', 'package.json'],
  definitions: ['commands', 'mcp'],
  mcp: ['commands', 'search', 'render', 'store', 'package.json'],
  config: [],
  commands: ['config', 'indexing', 'search', 'reading', 'render', 'setup', 'store', 'transcripts', 'shells'],
  indexing: ['store', 'transcripts'],
  search: ['store'],
  reading: ['search', 'store'],
  render: [],
  store: ['migrations'],
  transcripts: ['wasm'],
  /** The scanner of lines, in a language of its own. */
  wasm: [],
  /** Edits Claude Code's own settings, and knows nothing of the index. */
  setup: [],
  text: [],
  /** Scripts for shells, and no code of ours. */
  shells: [],
  records: [],
  batch: [],
  errors: [],
};

/** Types may also come from the stages that a page shows. */
const mayImportTypes: Readonly<Record<string, readonly string[]>> = {
  render: ['indexing', 'reading', 'search', 'setup', 'store'],
};

/** Pure helpers of search that a page needs as they are: what was matched, and how it was weighed. */
const sharedWithRender = ['src/search/snippet.ts', 'src/search/echo.ts', 'src/search/rank.ts'];

/** What the one place that catches errors needs to tell them: apart, so that it loads nothing else. */
const sharedWithCli = ['src/store/store-error.ts', 'src/render/json-text.ts', 'src/render/printable.ts'];

const own = imports.filter(
  ({ to }) => to.startsWith('src/') || to.startsWith('migrations/') || to.includes('.json'),
);

function isAllowed({ from, to, isTypeOnly: isType }: Import): boolean {
  const [party, other] = [partyOf(from), partyOf(to)];
  if (party === other || leaves.includes(other)) return true;
  if (mayImport[party]?.includes(other)) return true;
  if (isType && mayImportTypes[party]?.includes(other)) return true;
  if (party === 'cli') return sharedWithCli.includes(to);
  return party === 'render' && sharedWithRender.includes(to);
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

  test('search never imports a writer', () => {
    const writers = /(writer|settlement|forget|salvage|words-index|index-lock|last-results)\.ts$/;
    expect(own.filter(({ from, to }) => partyOf(from) === 'search' && writers.test(to)).map(toLine)).toEqual(
      [],
    );
  });

  test('only the store runs SQLite; others may name its types', () => {
    const sqlite = imports.filter(
      ({ from, to, isTypeOnly: isType }) =>
        !isType && (to === 'better-sqlite3' || to === 'kysely') && partyOf(from) !== 'store',
    );
    expect(sqlite.map(toLine)).toEqual([]);
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

const isTop = (file: string) =>
  ['cli', 'program', 'definitions', 'config', 'commands', 'mcp'].includes(partyOf(file));

/** How long to wait for another process is a matter of elapsed time, which no caller could pass in. */
const clockAllowed = ['src/store/open-store.ts'];

describe('the process', () => {
  test('only cli.ts ends it, or reads its environment, arguments and directory', () => {
    const used = linesWith(
      /process\.(exit|exitCode|env|argv|cwd|chdir|on)\b/,
      (file) => file !== 'src/cli.ts',
    );
    expect(used).toEqual([]);
  });

  test('only cli.ts writes to it', () => {
    const used = linesWith(/process\.std(out|err|in)|console\./, (file) => file !== 'src/cli.ts');
    expect(used).toEqual([]);
  });

  test('below the commands nobody reads the clock, the home or the machine', () => {
    const pattern =
      /Date\.now\(|new Date\(\)|performance\.now\(|homedir\(|hostname\(|process\.(pid|platform)/;
    expect(linesWith(pattern, (file) => !isTop(file) && !clockAllowed.includes(file))).toEqual([]);
  });
});

describe('words', () => {
  test('only store/match.ts says MATCH', () => {
    const used = linesWith(/\bmatch (@|\?|\$)/i, (file) => file !== 'src/store/match.ts');
    expect(used).toEqual([]);
  });

  test('no drawer of odds and ends, and every file says what it is for', () => {
    const drawer = /(^|[/-])(utils?|helpers?|common|manager|service|misc)(\.ts|\/)|\/index\.ts$/;
    // The one list of sources is what its name says.
    expect(files.filter((file) => drawer.test(file))).toEqual(['src/sources/index.ts']);
    expect(files.filter((file) => !sourceOf.get(file)?.startsWith('// '))).toEqual([]);
  });

  test('nothing leaves the machine: no module that could', () => {
    const network = /^(node:)?(http|https|http2|net|tls|dgram|dns)(\/|$)|^(undici|node-fetch|axios)$/;
    expect(imports.filter(({ to }) => network.test(to)).map(toLine)).toEqual([]);
    expect(linesWith(/\bfetch\(|WebSocket/, () => true)).toEqual([]);
  });
});
