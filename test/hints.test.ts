// A hint is to be typed as it is: after each command that it names come the flags that say which index and folders are
// meant, and nowhere else.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UserError } from '../src/errors.ts';
import {
  type CommandHint,
  commandNames,
  type Hint,
  hint,
  indexParameter,
  parameter,
  recall,
  toHintText,
} from '../src/hints.ts';
import { buildProgram } from '../src/program.ts';
import { silentShell } from './support/shell.ts';

const flags = ' --db g.db';

describe('a hint', () => {
  test.each<[Hint, string, string]>([
    [hint`${recall('doctor', '--repair')}`, 'recall doctor --repair', 'recall doctor --db g.db --repair'],
    [
      hint`find it with: ${recall('search', '<words>')}`,
      'find it with: recall search <words>',
      'find it with: recall search --db g.db <words>',
    ],
    [
      hint`${recall('setup', 'claude', '--write')}`,
      'recall setup claude --write',
      'recall setup claude --db g.db --write',
    ],
    [
      hint`recall: 3 changed files not indexed yet; to index them: ${recall('index')}`,
      'recall: 3 changed files not indexed yet; to index them: recall index',
      'recall: 3 changed files not indexed yet; to index them: recall index --db g.db',
    ],
    [
      hint`recall: nothing\n  try: ${recall('list')} or ${recall('search', '<words>')}`,
      'recall: nothing\n  try: recall list or recall search <words>',
      'recall: nothing\n  try: recall list --db g.db or recall search --db g.db <words>',
    ],
    [[recall(null, '--help')], 'recall --help', 'recall --db g.db --help'],
    ['recall index --help', 'recall index --help', 'recall index --help'],
    [hint`recall ${'index'} is text`, 'recall index is text', 'recall index is text'],
    ['another recall is reading the index', ...twice('another recall is reading the index')],
    ['recall never writes there', ...twice('recall never writes there')],
    ['--limit', ...twice('--limit')],
    [hint``, '', ''],
  ])('%j', (given, plain, whole) => {
    expect(toHintText(given)).toBe(plain);
    expect(toHintText(given, '')).toBe(plain);
    expect(toHintText(given, flags)).toBe(whole);
  });

  test('a parameter is a flag on the command line, and a name for programs', () => {
    const given = hint`${parameter('since')} needs a value; ${indexParameter} too`;
    expect(toHintText(given)).toBe('since needs a value; db too');
    expect(toHintText(given, '')).toBe('--since needs a value; --db <file> too');
    const error = new UserError(given, { code: 'usage' });
    expect(error.message).toBe('since needs a value; db too');
    expect(toHintText(error.wording, flags)).toBe('--since needs a value; --db <file> too');
  });

  test('a command alone is one too', () => {
    expect(toHintText(recall('show', '66c737db'), flags)).toBe('recall show --db g.db 66c737db');
  });

  test('within a hint stays what it is', () => {
    const inner = hint`run ${recall('index')} again`;
    expect(toHintText(hint`a.db is changed; ${inner}`, flags)).toBe(
      'a.db is changed; run recall index --db g.db again',
    );
  });
});

test('any hint: the flags come after each command and nowhere else', () => {
  // A flag that no text holds.
  const marker = ' --db \u0001';
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('recall index', 'recall setup claude', 'recall: ', ''),
  );
  const command = fc
    .tuple(
      fc.constantFrom(...commandNames),
      fc.array(fc.constantFrom('--repair', '<words>', 'claude', '66c737db')),
    )
    .map(([name, args]) => recall(name, ...args));
  const words = (name: CommandHint['command'], args: readonly string[]) =>
    (name === 'setup' || name === 'archive' || name === 'hub' || name === 'labels') && args.length > 0
      ? 1
      : 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(text, command)), (parts) => {
      const given = parts.reduce<Hint>((before, part) => hint`${before}${part}`, hint``);
      const shown = toHintText(given, marker);
      expect(shown.replaceAll(marker, '')).toBe(toHintText(given));
      const commands = parts.filter((part) => typeof part !== 'string');
      const expected = parts.map((part) => {
        if (typeof part === 'string') return part;
        const own = words(part.command, part.args);
        const name = ['recall', part.command, ...part.args.slice(0, own)].join(' ');
        return [`${name}${marker}`, ...part.args.slice(own)].join(' ');
      });
      expect(shown).toBe(expected.join(''));
      expect(shown.split(marker)).toHaveLength(commands.length + 1);
    }),
  );
});

test('the names are those of the commands that help lists, in its order', async () => {
  const program = await buildProgram(silentShell);
  const listed = program
    .createHelp()
    .visibleCommands(program)
    .map((command) => command.name());
  expect(listed.filter((name) => name !== 'help')).toEqual([...commandNames]);
});

function twice(text: string): [string, string] {
  return [text, text];
}
