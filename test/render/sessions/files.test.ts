// The sessions that touched a file: golden screens of the demo home, and lines that fit whatever text they contain.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileHistory } from '../../../src/api/answers.ts';
import { readFileHistory } from '../../../src/api/file-history.ts';
import { formatFilesPage } from '../../../src/render/sessions.ts';
import { type Indexed, indexed, now } from '../../search/ask.ts';
import { toHost, withDirectory } from '../../support/host.ts';
import { anyText, hit, toPlain } from '../made-hits.ts';

const plain = { columns: 80, useColor: false, now, homeDir: '/home/maya' };

describe('golden screens', () => {
  let index: Indexed;
  beforeAll(async () => {
    index = await indexed(() => {}, ['fixtures/demo-home']);
  });
  afterAll(() => index.close());

  function find(path: string): FileHistory {
    const history = readFileHistory(toHost(index.home), index.store, { path, limit: 3 });
    return { ...history, sessions: history.sessions.map(withDirectory) };
  }

  test.each([
    ['files-one-80', 'jwt-auth.ts', 80],
    ['files-one-40', 'jwt-auth.ts', 40],
    ['files-80', 'src', 80],
    ['files-40', 'src', 40],
    ['files-200', 'src', 200],
  ])('%s', async (name, path, columns) => {
    const page = `${formatFilesPage(find(path), { ...plain, columns })}\n`;
    await expect(page).toMatchFileSnapshot(`golden/${name}.txt`);
    for (const line of page.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
    expect(toPlain(formatFilesPage(find(path), { ...plain, columns, useColor: true }))).toBe(page.trimEnd());
  });
});

test('any text: every line fits, nothing active is printed', () => {
  const tools = fc.array(fc.record({ name: anyText, calls: fc.integer({ min: 1, max: 1e6 }) }), {
    minLength: 1,
    maxLength: 3,
  });
  const files = fc.array(fc.record({ path: anyText, tools, sessions: fc.integer({ min: 1, max: 1e5 }) }), {
    minLength: 1,
    maxLength: 12,
  });
  const title = fc.record({ title: anyText, project: anyText });
  fc.assert(
    fc.property(
      files,
      title,
      fc.nat(20),
      fc.integer({ min: 24, max: 220 }),
      (each, made, subagentCalls, columns) => {
        const session = { ...hit(made), tools: each[0]?.tools ?? [], files: each, subagentCalls };
        const touched = { path: 'x', files: each, sessions: [session], total: 5, emptiness: null };
        const page = formatFilesPage(touched, { ...plain, columns });
        for (const line of page.split('\n'))
          expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
        expect(page).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      },
    ),
    { numRuns: 300 },
  );
});
