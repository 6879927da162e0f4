// An ES module as esbuild prints it → the body of a function that returns its exports. What is imported becomes a constant:
// as esbuild itself turns it, each use is a call of two getters, which is a tenth of what a search takes beyond node. No
// exported variable is set again later, and split modules never import each other in a circle. The statements are found by
// how esbuild prints them, so what was found is compared with what esbuild says of the module.

/** `imported` are the paths of the modules that it imports with statements: './chunk-ABC.cjs'. */
export function toFunctionBody(text, imported) {
  const found = [];
  let exportLists = 0;
  const body = text
    .replace(/^import (?:([^"]*?) from )?"([^"]+)";$/gm, (_, names, path) => {
      if (path.startsWith('./')) found.push(path);
      return toConstants(names, path);
    })
    .replace(/\bimport\(("[^"]+")\)/g, 'Promise.resolve().then(()=>require($1))')
    .replace(/^export \{([^}]*)\};$/gm, (_, names) => {
      exportLists++;
      return `return {${names.replace(/([^\s,]+) as ([^\s,]+)/g, '$2: $1')}};`;
    });
  if (exportLists > 1) throw new Error(`${exportLists} lists of exports in one module`);
  if (found.sort().join() !== [...imported].sort().join())
    throw new Error(`imports found: ${found.join(', ')}; imports there are: ${imported.join(', ')}`);
  // Modules are strict, functions are not by themselves.
  return `"use strict";${body}`;
}

function toConstants(names, path) {
  const required = `require(${JSON.stringify(path)})`;
  if (names === undefined) return `${required};`;
  const constants = names.startsWith('* as ') ? names.slice(5) : names.replace(/([^\s,]+) as /g, '$1: ');
  return `const ${constants} = ${required};`;
}

/** `importsOf` has what each module imports with statements. A module in a circle would get the exports of one that has none yet. */
export function refuseCircles(importsOf) {
  const done = new Set();
  const follow = (name, above) => {
    if (above.includes(name)) throw new Error(`modules in a circle: ${[...above, name].join(' → ')}`);
    if (done.has(name)) return;
    for (const imported of importsOf.get(name) ?? []) follow(imported, [...above, name]);
    done.add(name);
  };
  for (const name of importsOf.keys()) follow(name, []);
}
