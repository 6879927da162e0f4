// The description of the query language is true: every example is a query that means what its section says, and exactly
// the existing filters are named.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterNames } from '../../src/filters.ts';
import { widthOf } from '../../src/render/columns.ts';
import { formatQueryHelp, queryGuide, tierGuide } from '../../src/render/query-guide.ts';
import { findTime, parseQuery } from '../../src/search/query/parse-query.ts';
import { ask, type Indexed, idsOf, indexed } from '../search/ask.ts';

let index: Indexed;
beforeAll(async () => {
  index = await indexed(() => {}, ['fixtures/demo-home']);
});
afterAll(() => index.close());

const examplesOf = (heading: string) =>
  queryGuide
    .filter((section) => section.heading === heading)
    .flatMap(({ rows }) => rows.flatMap(({ examples }) => examples));
const all = queryGuide.flatMap(({ rows }) => rows.flatMap(({ examples }) => examples));

describe('the query guide', () => {
  test.each(all)('%s: is accepted', async (query) => {
    await expect(ask(index.store, query)).resolves.toBeDefined();
  });

  test.each(examplesOf('Words'))('%s: words and no filter', (query) => {
    expect(parseQuery(query).filters).toEqual({});
    expect(parseQuery(query).terms.length).toBeGreaterThan(0);
  });

  test.each([...examplesOf('Filters'), ...examplesOf('Days')])('%s: a filter and no words', (query) => {
    const { filters, excludedFilters } = parseQuery(query);
    expect(Object.keys(query.startsWith('-') ? excludedFilters : filters)).toHaveLength(1);
    expect(parseQuery(query).terms).toEqual([]);
  });

  test('names every filter and nothing else', () => {
    const named = examplesOf('Filters').map((example) => example.replace(/^-/, '').split(':')[0]);
    expect([...new Set(named)].sort()).toEqual([...filterNames].sort());
  });

  test('makes true statements', async () => {
    const only = (query: string) => parseQuery(query);
    expect(only('redis -docker').excluded).toHaveLength(1);
    expect(only('redis -rf').excluded).toHaveLength(0);
    expect(only('redis OR valkey').terms).toHaveLength(1);
    expect(only('role:admin').filters).toEqual({});
    expect(only('project:"my shop"').filters).toEqual({ project: 'my shop' });
    expect(idsOf(await ask(index.store, '66c737db'))).toEqual(['66c737db-5f67-4dd0-9273-a03a6dc911d8']);
    const isAlone = (query: string) => findTime(only(query), new Date('2026-11-16'))?.isAlone;
    expect(['last week', 'what did I do yesterday?', 'redis last week'].map(isAlone)).toEqual([
      true,
      true,
      false,
    ]);
    expect((await ask(index.store, 'jwt middleware')).tier).toBe('all');
    expect(tierGuide.tiers.map(([tier]) => tier).sort()).toEqual(['all', 'any', 'fuzzy', 'prefix']);
  });

  test.each([40, 60, 80, 200])('fits into %i columns', (columns) => {
    const lines = formatQueryHelp(columns).split('\n');
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(Math.min(columns, 100));
    // A cut would show as an ellipsis.
    expect(lines.filter((line) => line.includes('…'))).toEqual([]);
  });
});
