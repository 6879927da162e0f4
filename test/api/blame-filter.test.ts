// Why nothing was found: the filter that no session passes, several that none passes together, or days in the wrong order.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blameFilter, type FilterRequest } from '../../src/api/read-filters.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { openStore, type Store } from '../../src/store/open/open-store.ts';
import { at, TempHome, userLine } from '../support/home.ts';
import { toHost } from '../support/host.ts';
import { indexHome } from '../support/index-home.ts';

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
