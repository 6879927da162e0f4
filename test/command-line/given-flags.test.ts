// A hint can be typed as it is: it names the same index and folders as the command that printed it.

import { describe, expect, test } from 'vitest';
import { toGivenFlags } from '../../src/command-line/given-flags.ts';

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
    expect(toGivenFlags(argv)).toBe(flags);
  });
});
