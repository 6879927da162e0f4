// What the text of a filter means: a project by path, by name, by a part of its name, and relative to the current directory. And
// why nothing was found: the filter that no session passes, several that none passes together, or days in the wrong order.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blameFilter, findProjects } from '../../src/api/read-filters.ts';
import type { FilterRequest } from '../../src/api/requests.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';
import { at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { indexHome } from '../support/index-home.ts';

describe('a project', () => {
  const paths = [
    '/home/maya/shop',
    '/home/maya/shop/packages/api',
    '/home/maya/shop-frontend',
    '/home/maya/ml/recsys',
    '/srv/Work/Billing-Service',
    'C:\\Users\\maya\\blog',
    '-home-maya-unknown',
  ];
  const projects = paths.map((path, i) => ({ id: i + 1, path }));
  const find = (text: string, cwd = '/home/maya/shop') =>
    findProjects(projects, text, cwd, '/home/maya').map((project) => project.path);

  const shop = ['/home/maya/shop', '/home/maya/shop/packages/api'];

  describe('a path means the directory and everything below it', () => {
    test.each([
      ['/home/maya/shop', shop],
      ['/home/maya/shop/', shop],
      ['/home/maya/shop///', shop],
      ['~/shop', shop],
      ['/home/maya/sho', []],
      ['/home/maya/shop/packages', ['/home/maya/shop/packages/api']],
      ['~', paths.filter((path) => path.startsWith('/home'))],
      ['C:\\Users\\maya\\blog', ['C:\\Users\\maya\\blog']],
      ['C:/Users/maya', ['C:\\Users\\maya\\blog']],
      ['/nowhere', []],
    ])('%s', (text, found) => {
      expect(find(text)).toEqual(found);
    });

    test('every absolute path is below /', () => {
      expect(find('/')).toEqual(paths.filter((path) => path.startsWith('/')));
    });
  });

  describe('relative to the current directory', () => {
    test.each([
      ['.', '/home/maya/shop', shop],
      ['./', '/home/maya/shop', shop],
      ['.', '/home/maya/shop/packages/api', ['/home/maya/shop/packages/api']],
      ['..', '/home/maya/shop/packages', shop],
      ['../shop-frontend', '/home/maya/shop', ['/home/maya/shop-frontend']],
      ['./packages', '/home/maya/shop', ['/home/maya/shop/packages/api']],
      ['.', '/tmp', []],
      ['../../../../../..', '/tmp', paths.filter((path) => path.startsWith('/'))],
    ])('%s in %s', (text, cwd, found) => {
      expect(find(text, cwd)).toEqual(found);
    });
  });

  describe('a name', () => {
    test.each([
      ['shop', shop],
      ['SHOP', shop],
      ['api', ['/home/maya/shop/packages/api']],
      ['ml/recsys', ['/home/maya/ml/recsys']],
      ['billing-service', ['/srv/Work/Billing-Service']],
      ['blog', ['C:\\Users\\maya\\blog']],
      ['front', ['/home/maya/shop-frontend']],
      ['unknown', ['-home-maya-unknown']],
      ['no such project', []],
    ])('%s', (text, found) => {
      expect(find(text)).toEqual(found);
    });
  });
});

describe('blame', () => {
  const home = new TempHome();
  let store: Store;
  beforeAll(async () => {
    home.writeSession('aaaaaaaa', [
      userLine('an okapi', { gitBranch: 'main', timestamp: at(0, '2026-03-05') }),
    ]);
    home.writeSession('bbbbbbbb', [
      userLine('a zebra', { gitBranch: 'stripes', timestamp: at(0, '2026-05-05') }),
    ]);
    await indexHome(home);
    store = await openStore(home.indexPath);
  });
  afterAll(() => {
    store.close();
    home.remove();
  });

  const blame = (request: FilterRequest, query = '') =>
    blameFilter(toHost(home), store, request, parseQuery(query));
  const named = (name: string, value: string, isInline = false) => ({ name, value, isInline });

  describe('nobody is to blame', () => {
    test.each([
      [{}, ''],
      [{ branch: 'main' }, ''],
      [{ branch: 'main' }, 'role:user'],
      // Some session has any role, so the words decide.
      [{ role: 'assistant' }, ''],
      // It may be the excluded one, or the other.
      [{ branch: 'main' }, '-branch:main'],
    ])('%j and “%s”', (request, query) => {
      expect(blame(request, query)).toBeNull();
    });
  });

  describe('one is', () => {
    test.each([
      [{ branch: 'no-such' }, '', named('branch', 'no-such')],
      [{}, 'okapi branch:no-such', named('branch', 'no-such', true)],
      [{ branch: 'main', model: 'gpt' }, '', named('model', 'gpt')],
      // The flag wins over the query.
      [{ branch: 'no-such' }, 'branch:main', named('branch', 'no-such')],
      [{ since: '2030' }, '', named('since', '2030')],
    ])('%j and “%s”', (request, query, filter) => {
      expect(blame(request, query)).toEqual({ type: 'one', filter, meant: filter.value });
    });

    test('a directory is named in full', () => {
      const { cwd } = toHost(home).at;
      expect(blame({ project: '.' })).toMatchObject({ filter: named('project', '.'), meant: cwd });
      expect(blame({ project: './a' })).toMatchObject({ meant: join(cwd, 'a') });
      expect(blame({ project: 'a.b' })).toMatchObject({ meant: 'a.b' });
    });
  });

  test('each is passed by a session, and no session passes both', () => {
    expect(blame({ branch: 'main', since: '2026-05' })).toEqual({
      type: 'together',
      filters: [named('since', '2026-05'), named('branch', 'main')],
    });
  });

  test('from a later day to an earlier one', () => {
    expect(blame({ since: '2026-05' }, 'until:2026-03')).toEqual({
      type: 'swapped',
      since: named('since', '2026-05'),
      until: named('until', '2026-03', true),
    });
  });
});
