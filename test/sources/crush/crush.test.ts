// Crush keeps a database in each project; its own folder only lists them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runRecall } from '../../support/program.ts';
import { SevenHome } from '../../support/seven-home.ts';

const id = 'c7054000-0000-4000-8000-0000000000a1';

test('sessions are found in the folders of projects, and resumed there', () => {
  using home = new SevenHome([]);
  const data = join(home.shop, '.crush');
  home.fill('crush', data);
  const list = join(home.path, '.local/share/crush/projects.json');
  mkdirSync(dirname(list), { recursive: true });
  const gone = join(home.path, 'gone/.crush');
  const projects = [data, gone, '../elsewhere', 7].map((dir) => ({ path: home.shop, data_dir: dir }));
  writeFileSync(list, JSON.stringify({ projects }));
  const json = (...args: string[]) => JSON.parse(runRecall(home, [...args, '--json']).stdout);
  expect(json('list', '--agent', 'crush').sessions).toEqual(
    expect.arrayContaining([expect.objectContaining({ id, project: home.shop })]),
  );
  expect(json('search', 'oven.ts thermostats').hits[0]).toMatchObject({ id });
  expect(json('open', id)).toMatchObject({
    cwd: home.shop,
    argv: ['crush', '--data-dir', data, '--session', id],
  });
});

test('a list that is broken names no folder', () => {
  using home = new SevenHome(['crush']);
  writeFileSync(join(home.path, '.local/share/crush/projects.json'), '{"projects": [');
  expect(runRecall(home, ['search', 'kettle', '--agent', 'crush'])).toMatchObject({ code: 0 });
});
