// Queries built with kysely: run at once, with values by place and by name, and loaded only by what is not hot.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/store/open/database.ts';
import { migrate } from '../../../src/store/open/migrate.ts';
import { all, anyOf, condition, get, query } from '../../../src/store/open/typed-query.ts';
import { TempHome, userLine } from '../../support/home.ts';
import { runRecall } from '../../support/program.ts';

const db = openDatabase(':memory:');
const projects = ['/a', '/b', '/c'];
beforeAll(async () => {
  await migrate(db);
  for (const path of projects) db.prepare('insert into project (path) values (?)').run(path);
});
afterAll(() => {
  db.close();
});

const paths = query.selectFrom('project').select('path').orderBy('path');

describe('a query', () => {
  test('gives rows, or the one row that must be there', () => {
    expect(all(db, paths)).toEqual(projects.map((path) => ({ path })));
    expect(get(db, paths)).toEqual({ path: '/a' });
    expect(() => get(db, paths.where('path', '=', '/x'))).toThrow('no row for: select');
  });

  test('takes values by place beside those that raw SQL names', () => {
    const found = paths.where('path', '>', '/a').where(condition('path < @below'));
    expect(all(db, found, { below: '/c' })).toEqual([{ path: '/b' }]);
  });

  test('takes a list of any length', () => {
    const many = Array.from({ length: 50_000 }, (_, i) => `/${i}`);
    expect(all(db, paths.where('path', 'in', anyOf([...many, '/c'])))).toEqual([{ path: '/c' }]);
    expect(all(db, paths.where('path', 'in', anyOf<string>([])))).toEqual([]);
  });
});

test('what a search, a list, open and a refresh load is without kysely', () => {
  const home = new TempHome();
  try {
    const env = { XDG_CACHE_HOME: join(home.path, 'cache') };
    home.writeSession('aaaaaaaa', [userLine('the okapi incident')]);
    runRecall(home, ['index'], { env });
    home.writeSession('bbbbbbbb', [userLine('another okapi')]);
    for (const args of [['search', 'okapi'], ['list'], ['open', '1'], ['projects']])
      expect(runRecall(home, args, { env }).code).toBe(0);
    // What was compiled of each script is kept by command.
    const kept = readdirSync(join(env.XDG_CACHE_HOME, 'recall')).map((name) => name.split('.')[0]);
    const count = (command: string) => kept.filter((each) => each === command).length;
    expect(['search', 'list', 'open', 'projects'].map(count)).toEqual([1, 1, 1, 2]);
  } finally {
    home.remove();
  }
});
