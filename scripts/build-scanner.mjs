// Compiles src/sources/json/wasm/scan-json.ts, which is AssemblyScript, into a module that holds the WebAssembly as text, so that
// the bundled program, its threads and the tests all find it the same way.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const source = 'src/sources/json/wasm/scan-json.ts';
const target = 'src/sources/json/wasm/scan-json.wasm.ts';
/** The window on the file starts after 18 MB of tables, most of them never touched; this leaves room for usual lines. */
const initialPages = 20 * 16;

export async function buildScanner() {
  const files = new Map();
  const { error, stderr } = await main(
    [
      source,
      ...['--outFile', 'scan-json.wasm', '--optimizeLevel', '3', '--noAssert', '--runtime', 'stub'],
      ...['--enable', 'simd', '--initialMemory', String(initialPages)],
    ],
    { writeFile: (name, contents) => files.set(name, contents) },
  );
  if (error !== null) throw new Error(`${source} could not be compiled\n${stderr}`, { cause: error });
  const base64 = Buffer.from(files.get('scan-json.wasm')).toString('base64');
  const text = `// Made from scan-json.ts by scripts/build-scanner.mjs.\nexport const scanJson =\n  '${base64}';\n`;
  if (readIfThere(target) === text) return;
  writeFileSync(`${target}.new`, text);
  renameSync(`${target}.new`, target);
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

// By itself before the types are checked, which need the module.
if (process.argv[1] === fileURLToPath(import.meta.url)) await buildScanner();
