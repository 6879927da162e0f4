// What can be at the cursor, according to the definitions; also for a new command with new flags.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findExpected } from '../../src/commands/complete-command.ts';
import { buildProgram } from '../../src/program.ts';
import { silentShell } from '../support/shell.ts';

const program = await buildProgram(silentShell);

function expected(line: string, among = program): unknown {
  const { what } = findExpected(among, line.split(' '));
  return Array.isArray(what) ? what.map(({ value }) => value) : what;
}

describe('what is expected', () => {
  test('every command that help lists, in the same order, and no other', () => {
    const shown = program
      .createHelp()
      .visibleCommands(program)
      .map((command) => command.name());
    expect(expected('')).toEqual(shown);
    expect(shown).toEqual(expect.arrayContaining(['index', 'search', 'open', 'completion', 'help']));
    expect(shown).not.toContain('__complete');
  });

  test('after a command, its own flags and the global ones, each once', () => {
    const flags = expected('search x --limit 3 --');
    expect(flags).toEqual(expect.arrayContaining(['--project', '--json', '--help', '--no-refresh']));
    expect(flags).not.toContain('--limit');
    expect(expected('--')).not.toContain('--limit');
    expect(expected('--claude-dir a --')).toContain('--claude-dir');
    expect(expected('--json --')).not.toContain('--json');
  });

  test.each([
    ['open ', 'sessions'],
    ['--quiet open --run ', 'sessions'],
    ['--db x open ', 'sessions'],
    ['--db open open ', 'sessions'],
    ['open -- ', 'sessions'],
    ['forget -y aaaa', 'sessions'],
    ['open x ', []],
    ['search --project ', 'projects'],
    ['search --project=', 'projects'],
    ['search --project ./', 'directories'],
    ['search --project ~', 'directories'],
    ['--claude-dir ', 'directories'],
    ['search x --db ', 'files'],
    ['search x --db=', 'files'],
    ['search --file ', 'files'],
    ['search --kind ', ['main', 'subagent', 'transcript', 'precompact', 'history']],
    ['search --since ', ['today', 'yesterday', '7d', '30d']],
    ['search --limit ', []],
    ['search ', []],
    ['search jwt mid', []],
    ['search -- --', []],
    ['--limit 3 open ', 'sessions'],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell']],
    ['nonsense ', []],
    ['camera --kind ', ['main', 'subagent', 'transcript', 'precompact', 'history']],
  ])('%j: %j', (line, what) => {
    expect(expected(line)).toEqual(what);
  });

  test('after help, every topic with its description', () => {
    const { what } = findExpected(program, ['help', '']);
    expect(what).toContainEqual({ value: 'open', description: 'print the command that resumes a session' });
    expect(what).toContainEqual({ value: 'query', description: '' });
  });

  test('what comes before the value in its word is kept, unless the shell has cut it off', () => {
    expect(findExpected(program, ['search', '--sort=rec'])).toMatchObject({ typed: 'rec', lead: '--sort=' });
    expect(findExpected(program, ['search', '--sort', '=', 'rec'])).toMatchObject({ typed: 'rec', lead: '' });
    expect(findExpected(program, ['search', '--sort', '='])).toMatchObject({ typed: '', lead: '' });
    expect(findExpected(program, ['--sort=x', 'open', '='])).toMatchObject({ typed: '=', lead: '' });
  });

  test('a command that did not exist yesterday', async () => {
    const other = await buildProgram(silentShell);
    other.command('publish').argument('<ref>').argument('[others...]').option('--into <dir>', 'where to');
    expect(expected('publ', other)).toContain('publish');
    expect(expected('publish ', other)).toBe('sessions');
    expect(expected('publish --i', other)).toContain('--into');
    expect(expected('publish --into ', other)).toBe('directories');
  });

  test('any line has an answer', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'open',
        'search',
        '--db',
        '--color',
        '=',
        '--',
        '-',
        '',
        '--project=',
        'help',
        '__complete',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(findExpected(program, words).what).toBeDefined();
      }),
    );
  });
});
