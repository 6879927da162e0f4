// The pager: only for output longer than the screen, fed while the rest is made, and skipped if there is
// none.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/command-line/context.ts';
import { page } from '../../src/command-line/pager.ts';
import { TempHome } from '../support/home.ts';

const home = new TempHome();
afterAll(() => home.remove());

function makeContext(env: Record<string, string>) {
  const printed: string[] = [];
  const context = {
    at: { env: { PATH: process.env.PATH, ...env } },
    stdout: { isTerminal: true, columns: 20, rows: 5 },
    print: (text: string) => printed.push(text),
    handOver: (run: () => Promise<unknown>) => run(),
  } as unknown as Context;
  return { context, printed };
}

async function* each(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`);

describe('a pager', () => {
  test('is not used for what fits on the screen', async () => {
    const file = join(home.path, 'unused');
    const { context, printed } = makeContext({ PAGER: `cat > ${file}` });
    expect(await page(context, each(lines(4)))).toBe(true);
    expect(printed).toEqual([lines(4).join('\n')]);
    expect(existsSync(file)).toBe(false);
  });

  test('gets what does not, as the shell reads its command', async () => {
    const file = join(home.path, 'paged');
    const { context, printed } = makeContext({ PAGER: `cat > ${file}` });
    expect(await page(context, each(lines(500)))).toBe(true);
    expect(printed).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(`${lines(500).join('\n')}\n`);
  });

  test('a line wider than the screen counts as the rows it takes', async () => {
    const file = join(home.path, 'wide');
    const { context } = makeContext({ PAGER: `cat > ${file}` });
    expect(await page(context, each(['x'.repeat(100)]))).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  test('that quits early stops the output', async () => {
    let made = 0;
    function* endless() {
      for (;;) {
        made++;
        yield 'x'.repeat(1000);
      }
    }
    const { context } = makeContext({ PAGER: 'head -c 10 > /dev/null' });
    expect(await page(context, each(endless()))).toBe(true);
    expect(made).toBeLessThan(100_000);
  });

  // Each wait for the pager left listeners behind, and Node.js printed a warning about them.
  test('that is slow does not cause a warning', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on('warning', listen);
    const slowly = 'for _ in $(seq 30); do head -c 100000 > /dev/null; sleep 0.03; done; cat > /dev/null';
    const { context } = makeContext({ PAGER: slowly });
    const pieces = Array.from({ length: 40 }, () => 'x'.repeat(99_999));
    expect(await page(context, each(pieces))).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  test.each(['/no/such/pager --flag', '', 'cat'])('%j is not a pager', async (command) => {
    const { context, printed } = makeContext({ PAGER: command });
    expect(await page(context, each(lines(50)))).toBe(false);
    expect(printed).toEqual([]);
  });

  test('is asked to show colours', async () => {
    const file = join(home.path, 'less');
    const { context } = makeContext({ PAGER: `cat > /dev/null; echo "$LESS" > ${file}` });
    await page(context, each(lines(50)));
    expect(readFileSync(file, 'utf8')).toBe('R\n');
  });
});
