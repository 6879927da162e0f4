// ES modules become functions: what is rewritten by its look must be what esbuild meant, or the build stops.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refuseCircles, toFunctionBody } from '../../scripts/function-body.mjs';

/** What a module exports whose imports are these. */
function run(text: string, modules: Record<string, object> = {}): unknown {
  const body = toFunctionBody(text, Object.keys(modules));
  return new Function('require', body)((name: string) => modules[name]);
}

describe('a module', () => {
  test('imports and exports by any name', () => {
    const text =
      'import {\n  $a as b,\n  c as $d,\n  e\n} from "./one.cjs";\nimport * as f from "./two.cjs";\nimport "./three.cjs";\nvar $g = [b, $d, e, f];\nexport {\n  $g as h,\n  $g as $i,\n  $g\n};\n';
    const two = {};
    const modules = { './one.cjs': { $a: 1, c: 2, e: 3 }, './two.cjs': two, './three.cjs': {} };
    const found = [1, 2, 3, two];
    expect(run(text, modules)).toEqual({ h: found, $i: found, $g: found });
  });

  test('is strict', () => {
    expect(
      run('var isStrict = (function () { return this === undefined; })();\nexport {\n  isStrict\n};\n'),
    ).toEqual({
      isStrict: true,
    });
  });

  test.each([
    ['an import that was not found', 'import{a}from"./one.cjs";\n', ['./one.cjs']],
    ['a text that looks like an import', 'var a = `\nimport b from "./one.cjs";\n`;\n', []],
    ['a second list of exports', 'export {\n  a\n};\nvar text = `\nexport {};\n`;\n', []],
  ])('with %s is refused', (_, text, imported) => {
    expect(() => toFunctionBody(text, imported)).toThrow(/^imports found|^2 lists of exports/);
  });
});

test('modules that import each other in a circle are refused', () => {
  const chain: [string, string[]][] = [
    ['a', ['b', 'c']],
    ['b', ['c']],
    ['c', []],
  ];
  expect(() => refuseCircles(new Map(chain))).not.toThrow();
  expect(() => refuseCircles(new Map([...chain, ['c', ['a']]]))).toThrow(
    'modules in a circle: a → b → c → a',
  );
});

test('every module of the built program is strict', () => {
  for (const pack of readdirSync('dist').filter((name) => name.endsWith('.pack'))) {
    const modules =
      readFileSync(join('dist', pack), 'utf8').match(
        /"[\w-]+\.cjs":function\(require,__filename\)\{.{12}/g,
      ) ?? [];
    expect(modules.length).toBeGreaterThan(3);
    for (const start of modules) expect(start).toMatch(/\{"use strict"$/);
  }
});
