// The built manual page: all that the program offers is in it, formatters find nothing to complain about, and any text
// comes out of them as it went in.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { toRoff, toText } from '../../scripts/roff.ts';
import { buildProgram } from '../../src/program.ts';
import { queryGuide } from '../../src/render/query-guide.ts';
import { silentShell } from '../support/shell.ts';

const [path = ''] = packageJson.man;
const page = readFileSync(path, 'utf8');
const hasMandoc = spawnSync('mandoc', ['-T', 'lint'], { input: '' }).error === undefined;
const hasMan = spawnSync('man', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('man 2') ?? false;

function render(source: string): string {
  const { stdout } = spawnSync('mandoc', ['-T', 'utf8', '-O', 'width=300'], {
    input: source,
    encoding: 'utf8',
  });
  // Bold and underlined are printed over.
  return stdout.replace(/.\u0008/gu, '');
}

describe('the manual page', () => {
  test('has the sections people look for, in their order', () => {
    expect([...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading)).toEqual([
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'OPTIONS',
      'COMMANDS',
      'QUERY LANGUAGE',
      'FILES',
      'ENVIRONMENT',
      'EXIT STATUS',
      'EXAMPLES',
      'SEE ALSO',
    ]);
  });

  test('names every command, argument and flag, and what each is', async () => {
    const program = await buildProgram(silentShell);
    const help = program.createHelp();
    const words = page.replace(/\\f[BIR]|\\&/g, '').replace(/\s+/g, ' ');
    const commands = help.visibleCommands(program);
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) expect(words).toContain(toRoff(`.SS recall ${command.name()}`).slice(2));
    for (const option of [program, ...commands].flatMap((command) => help.visibleOptions(command))) {
      expect(words).toContain(toRoff(option.long ?? ''));
      expect(words).toContain(toRoff(option.description));
    }
    expect(words).not.toContain(toRoff('__complete'));
  });

  test('names the variables that the program reads', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join('src', name), 'utf8'));
    const read = [...sources, readFileSync('scripts/loader.mjs', 'utf8')].flatMap((source) =>
      [...source.matchAll(/\benv\??\.([A-Z][A-Z_]+)/g)].map(([, name]) => name ?? ''),
    );
    expect(read).toContain('RECALL_DB');
    const ofTheSystem = ['HOME', 'PATH', 'PWD', 'USERNAME', 'USERPROFILE'];
    expect(read.filter((name) => !ofTheSystem.includes(name) && !page.includes(name))).toEqual([]);
  });

  test('is ASCII', () => {
    expect(page).toMatch(/^[\n\x20-\x7e]*$/);
  });

  test.skipIf(!hasMandoc)('mandoc finds nothing (skipped where it is not installed)', () => {
    const { status, stdout } = spawnSync('mandoc', ['-T', 'lint', path], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  test.skipIf(!hasMan)('man finds nothing (skipped where it is not man-db)', () => {
    const { status, stderr } = spawnSync('man', ['--warnings', '-l', path], {
      encoding: 'utf8',
      env: { ...process.env, MANWIDTH: '80', MANPAGER: 'cat', LC_ALL: 'C.UTF-8' },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test.skipIf(!hasMandoc)('the query language reads as in help (skipped without mandoc)', () => {
    const shown = render(page).replace(/\s+/g, ' ');
    for (const { text, rows } of queryGuide) {
      expect(shown).toContain(text.replace(/\s+/g, ' '));
      for (const { examples } of rows) expect(shown).toContain(examples.join(', '));
    }
  });
});

describe.skipIf(!hasMandoc)('any text (skipped without mandoc)', () => {
  const lines = fc.sample(
    fc.string({
      unit: fc.constantFrom(...'.\\\'"-`^~ ab%{}$#&*()[]|…’é连'),
      minLength: 1,
      maxLength: 30,
    }),
    { numRuns: 500, seed: 7 },
  );
  const head = '.TH T 1 2026-01-01\n.SH S\n';

  test('a line comes out as it went in', () => {
    const shown = render(`${head}.nf\n${lines.map((line) => toRoff(line)).join('\n.br\n')}\n`);
    const wanted = lines.map((line) => line.trimEnd()).filter((line) => line !== '');
    const got = shown
      .split('\n')
      .slice(2, -2)
      .map((line) => line.slice(7).trimEnd())
      .filter((line) => line !== '');
    expect(got.slice(0, wanted.length)).toEqual(wanted);
  });

  test('prose keeps its words', () => {
    const prose = lines.join(' ');
    const shown = render(`${head}${toText(prose)}\n`).replace(/\s+/g, ' ');
    expect(shown).toContain(prose.trim().replace(/\s+/g, ' '));
  });
});
