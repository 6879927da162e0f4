// Writes the type declarations of the library: those of src/library.ts and what they are made of, and nothing else. Most
// files hold functions as well, which a user of the library cannot call and whose types would need packages of ours.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const entry = 'library.d.ts';

export function buildTypes(outdir) {
  const emitted = mkdtempSync(join(tmpdir(), 'recall-types-'));
  try {
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    const args = [tsc, '--project', 'scripts/library.tsconfig.json', '--outDir', emitted];
    const { status, stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
    });
    if (status !== 0 || !existsSync(join(emitted, 'src', entry)))
      throw new Error(`no type declarations (${status}):\n${stdout}`);
    copy(join(emitted, 'src'), outdir);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** Follows every name that the entry needs through the files that declare it. */
function copy(from, to) {
  const files = new Map();
  const open = (path) => {
    if (!files.has(path)) files.set(path, parse(readFileSync(join(from, path), 'utf8')));
    return files.get(path);
  };
  const needName = (path, name) => {
    for (const other of open(path).statements) if (other.names.includes(name)) need(path, other);
  };
  const need = (path, statement) => {
    if (statement.isNeeded) return;
    statement.isNeeded = true;
    const toTarget = (module) => `${normalize(join(dirname(path), module))}.d.ts`;
    for (const [, module, name] of statement.text.matchAll(/import\("(\.[^"]+)\.ts"\)\.([\w$]+)/g))
      needName(toTarget(module), name);
    for (const name of new Set(statement.text.match(/[\w$]+/g))) {
      needName(path, name);
      const imported = open(path).imports.get(name) ?? statement.imports?.get(name);
      if (imported === undefined) continue;
      imported.isNeeded = true;
      needName(toTarget(imported.from), imported.name);
    }
  };
  for (const statement of open(entry).statements) need(entry, statement);
  for (const [path, { statements, imports }] of files) {
    const lines = [...imports]
      .filter(([, { isNeeded }]) => isNeeded)
      .map(([local, { name, from: module }]) => toImport(local, name, module));
    const kept = statements.filter(({ isNeeded }) => isNeeded).map(({ text }) => text);
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(
      join(to, path),
      `${[...lines, ...kept].join('\n').replaceAll(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js')}\n`,
    );
  }
}

function toImport(local, name, module) {
  return `import type { ${name === local ? name : `${name} as ${local}`} } from '${module}.js';`;
}

/** Statements start in the first column, with the comment before them. */
const start = /\n(?=(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export|declare|import|interface|type|class)\b)/;

function parse(source) {
  const imports = new Map();
  const statements = [];
  for (const text of source.split(start)) {
    const [, clause, module] =
      /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)\.ts';/m.exec(text) ?? [];
    const names = toNames(clause);
    if (text.startsWith('import')) {
      for (const [local, name] of names) imports.set(local, { name, from: module });
      continue;
    }
    const own = /^(?:export )?(?:declare )?(?:const|class|interface|type|function|enum) ([\w$]+)/m.exec(
      text,
    )?.[1];
    const listed = toNames(/^export (?:type )?\{([^}]*)\};/m.exec(text)?.[1]);
    statements.push({
      text,
      names: [...(own === undefined ? [] : [own]), ...[...names.keys(), ...listed.keys()]],
      imports:
        module === undefined
          ? undefined
          : new Map([...names].map(([local, name]) => [local, { name, from: module }])),
      isNeeded: false,
    });
  }
  return { imports, statements: statements.filter(({ text }) => text.trim() !== '') };
}

/** `{ A, type B as C }` → C by the name B in its file. */
function toNames(clause = '') {
  const each = clause.split(',').map((name) => name.trim().replace(/^type /, ''));
  return new Map(
    each
      .filter((name) => name !== '')
      .map((name) => {
        const [from, local = from] = name.split(' as ');
        return [local, from];
      }),
  );
}
