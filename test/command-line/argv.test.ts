// A hint can be typed as it is: it names the same index and folders as the command that printed it. Flags before their command
// are moved after it, with their values, and nothing else is moved.

import { describe, expect, test } from 'vitest';
import { findGivenFlags, putCommandFirst } from '../../src/command-line/argv.ts';
import { buildProgram } from '../../src/program.ts';
import { silentShell } from '../support/shell.ts';

describe('the flags that were given', () => {
  test.each<[string[], string]>([
    [[], ''],
    [['doctor', '--repair'], ''],
    [['doctor', '--db', 'g.db'], ' --db g.db'],
    [['--db=g.db', 'doctor'], ' --db g.db'],
    [['search', 'x', '--db', 'my index.db'], " --db 'my index.db'"],
    [['list', '--db', "it's=1.db"], " --db 'it'\\''s=1.db'"],
    [['list', '--db', '-x'], " --db '-x'"],
    [
      ['list', '--claude-dir', '/a', '--claude-dir=/b=c', '--db', '~/x'],
      " --claude-dir /a --claude-dir /b=c --db '~/x'",
    ],
    [['search', '--', '--db', 'x'], ''],
    [['doctor', '--db'], ''],
  ])('%j', (argv, flags) => {
    expect(findGivenFlags(argv)).toBe(flags);
  });
});

const program = await buildProgram(silentShell);
const arranged = (line: string) => putCommandFirst(program, line.split(' ')).argv.join(' ');

describe('flags before the command', () => {
  test.each([
    ['--limit 3 search jwt', 'search --limit 3 jwt'],
    ['--limit=3 search jwt', 'search --limit=3 jwt'],
    ['--json --limit 3 --quiet search jwt', '--json --quiet search --limit 3 jwt'],
    ['--db search search x', '--db search search x'],
    ['-y forget 5b60', 'forget -y 5b60'],
    ['--rebuild index', 'index --rebuild'],
    ['--projct y search x', 'search --projct y x'],
    ['--limit 3 camera ptz', 'search --limit 3 camera ptz'],
    ['--json camera', '--json search camera'],
    ['camera --limit 3', 'search camera --limit 3'],
  ])('%s → %s', (line, expected) => {
    expect(arranged(line)).toBe(expected);
  });

  test.each(['search --limit 3 x', '--limit', '--help', '-- search x', '--bogus search x'])(
    '%s stays as it is',
    (line) => {
      expect(arranged(line)).toBe(line);
    },
  );
});
