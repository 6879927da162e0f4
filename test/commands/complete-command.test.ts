// A word as a shell passes it while it is being typed: what is completed is what it means.

import { expect, test } from 'vitest';
import { Argument } from '../../src/command-line/commander.ts';
import type { Context } from '../../src/command-line/context.ts';
import { buildProgram } from '../../src/program.ts';
import { silentShell } from '../support/shell.ts';

/** What is offered for a word of an argument that takes these values. */
async function complete(choices: readonly string[], word: string): Promise<readonly string[]> {
  let printed = '';
  const context = { recall: { close: () => {} }, print: (text: string) => (printed += text) };
  const buildContext = () => context as unknown as Context;
  const program = await buildProgram({ ...silentShell, buildContext });
  program.command('toy').addArgument(new Argument('<what>').choices(choices));
  await program.parseAsync(['__complete', 'toy', word], { from: 'user' });
  return printed
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[0] ?? '');
}

test.each([
  ['plain', 'plain'],
  ['"open quote', 'open quote'],
  ["'it'\\''s'", "it's"],
  ['a\\ b', 'a b'],
  ['"a\\"b"', 'a"b'],
  ["'a\\b'", 'a\\b'],
  ['end\\', 'end\\'],
])('%j is %j', async (word, text) => {
  // It starts with what was typed, and anything shorter does not.
  expect(await complete([text.slice(0, -1), text, `${text}er`], word)).toEqual([text, `${text}er`]);
});

test('an empty word matches everything', async () => {
  expect(await complete(['one', 'two'], '')).toEqual(['one', 'two']);
});
