// A project by path, by name, by a part of its name, and relative to the current directory.

import { describe, expect, test } from 'vitest';
import { findProjects } from '../../src/api/read-filters.ts';

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
  ])('%s', async (text, found) => {
    expect(find(text)).toEqual(found);
  });

  test('every absolute path is below /', async () => {
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
  ])('%s in %s', async (text, cwd, found) => {
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
  ])('%s', async (text, found) => {
    expect(find(text)).toEqual(found);
  });
});
