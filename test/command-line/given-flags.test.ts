// A hint is to be typed as it stands: it names the same index and folders as the command that gave it.

import { describe, expect, test } from 'vitest';
import { toGivenFlags, withFlags } from '../../src/command-line/hint-flags.ts';

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

describe('a hint', () => {
  test.each([
    ['recall doctor --repair', 'recall doctor --db g.db --repair'],
    ['find it with: recall search <words>', 'find it with: recall search --db g.db <words>'],
    ['recall setup claude --write', 'recall setup claude --db g.db --write'],
    [
      'recall: 3 changed files left for later: recall index',
      'recall: 3 changed files left for later: recall index --db g.db',
    ],
    ['recall: nothing\n  try: recall list', 'recall: nothing\n  try: recall list --db g.db'],
    ['recall search jwt --db g.db', 'recall search jwt --db g.db'],
    ['recall index --help', 'recall index --help'],
    ['recall doctor --claude-dir <dir>', 'recall doctor --claude-dir <dir>'],
    ['another recall is reading the index', 'another recall is reading the index'],
    ['recall never writes there', 'recall never writes there'],
    ['--limit', '--limit'],
  ])('%s', (hint, whole) => {
    expect(withFlags(hint, ' --db g.db')).toBe(whole);
    expect(withFlags(hint, '')).toBe(hint);
  });
});
