// The JSON in the README is what the program prints for the demo home, shortened only where it says so.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { TempHome } from '../support/home.ts';
import { runRecall } from '../support/program.ts';

const home = new TempHome();
afterAll(() => home.remove());

/** These depend on the machine, the order of files and how results are weighed. */
const varying = ['tookMs', 'score', 'messageId'];

test('the sample of search --json has the fields and values of the real one', () => {
  const script = `import('./scripts/install-demo-home.mjs').then((it) => it.installDemoHome(${JSON.stringify(home.path)}))`;
  expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stderr).toBe('');
  const [, block = ''] =
    /<!-- json -->\n```json\n([\s\S]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const sample = JSON.parse(block) as { query: string };
  const cwd = join(home.path, 'shop');
  const { stdout } = runRecall(home, ['search', ...sample.query.split(' '), '--json'], { cwd });
  compare(sample, JSON.parse(stdout.replaceAll(home.path, '/home/maya')), 'sample');
});

function compare(shown: unknown, real: unknown, where: string): void {
  const name = where.split('.').at(-1) ?? '';
  if (varying.includes(name)) expect(typeof real, where).toBe(typeof shown);
  else if (Array.isArray(shown)) {
    const items = real as unknown[];
    if (!/hits$|matches$/.test(where)) expect(items.length, where).toBe(shown.length);
    for (const [i, each] of shown.entries()) compare(each, items[i], `${where}.${i}`);
  } else if (shown !== null && typeof shown === 'object') {
    expect(Object.keys(real as object), where).toEqual(Object.keys(shown));
    for (const [key, value] of Object.entries(shown))
      compare(value, (real as Record<string, unknown>)[key], `${where}.${key}`);
  } else if (typeof shown === 'string' && shown.endsWith('…'))
    expect((real as string).startsWith(shown.slice(0, -1)), where).toBe(true);
  else expect(real, where).toBe(shown);
}
