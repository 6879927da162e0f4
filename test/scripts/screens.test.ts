// The script that keeps what the documents show of recall true notices when it is not, and mends it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';

const home = new TempHome();
afterAll(() => home.remove());

const screens = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/screens.mjs', ...args], { encoding: 'utf8' });

/** Lines break by the length of the folder, which elsewhere cannot be the same. */
const hasTmp = existsSync('/tmp') && realpathSync('/tmp') === '/tmp';

function writePage(page: string): string {
  const path = join(home.path, 'PAGE.md');
  writeFileSync(path, page);
  return path;
}

describe.skipIf(!hasTmp)('screens (skipped without a plain /tmp)', () => {
  test('one that is not is reported, and updated', () => {
    const page = `# Page\n\n<!-- screen -->\n\`\`\`console
$ recall search redis queue --limit 1 | head -1
 1 Something else

$ echo this is not run

$ recall index
indexed nothing new of 32 files in 1234 ms
\`\`\`\n\n\`\`\`console\n$ recall open 1\nnot a screen\n\`\`\`\n`;
    const path = writePage(page);
    const { status, stderr } = screens('--check', path);
    expect(status).toBe(1);
    expect(stderr).toContain('-  1 Something else');
    expect(stderr).toContain('+  1 Move the job queue from Postgres to Redis');
    expect(readFileSync(path, 'utf8')).toBe(page);
    expect(screens(path).status).toBe(0);
    const written = readFileSync(path, 'utf8');
    expect(written.split('\n').slice(0, 8)).toEqual([
      '# Page',
      '',
      '<!-- screen -->',
      '```console',
      '$ recall search redis queue --limit 1 | head -1',
      ' 1 Move the job queue from Postgres to Redis',
      '',
      '$ echo this is not run',
    ]);
    expect(written).toContain('not a screen');
    expect(written).not.toContain('/tmp/');
    expect(screens('--check', path).status).toBe(0);
  });

  test('so are JSON, tool calls and what is made from the program', () => {
    const path = writePage(`<!-- json: open 66c737db -->\n\`\`\`json\n{"id": "x", "resumable": true}\n\`\`\`

<!-- tool calls -->\n\`\`\`text\n→ list_sessions {"limit": 1}\nnothing\n\`\`\`

<!-- made: flags of open -->\nold\n<!-- end -->\n`);
    expect(screens('--check', path).status).toBe(1);
    expect(screens(path).status).toBe(0);
    const written = readFileSync(path, 'utf8');
    expect(written).toContain('"cwd": "/home/maya/shop"');
    expect(written).toContain('→ list_sessions {"limit": 1}\nA record of past conversations');
    expect(written).toContain('| `--run` |');
    expect(written).not.toMatch(/\nold\n|nothing/);
    expect(screens('--check', path).status).toBe(0);
  });

  test('a name under which nothing is made is an error', () => {
    const { status, stderr } = screens(
      '--check',
      writePage('<!-- made: flags of nothing -->\n<!-- end -->\n'),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('nothing is made under the name flags of nothing');
  });
});
