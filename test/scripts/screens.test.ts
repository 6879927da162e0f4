// The screens in the README are what the program prints, and what keeps them so notices when they are not.

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

describe.skipIf(!hasTmp)('screens (skipped without a plain /tmp)', () => {
  test('those of the README are true', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('<!-- screen -->');
    const { status, stderr } = screens('--check');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('one that is not is told, and written anew', () => {
    const path = join(home.path, 'PAGE.md');
    const page = `# Page\n\n<!-- screen -->\n\`\`\`console
$ recall search redis queue --limit 1 | head -1
 1 Something else

$ echo this is not run

$ recall index
indexed nothing new of 32 files in 1234 ms
\`\`\`\n\n\`\`\`console\n$ recall open 1\nnot a screen\n\`\`\`\n`;
    writeFileSync(path, page);
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
});
