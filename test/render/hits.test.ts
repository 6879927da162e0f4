// The results page: golden screens of the demo home, and lines that fit whatever text they contain.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SearchAnswer } from '../../src/api/answers.ts';
import { searchSessions } from '../../src/api/search.ts';
import { formatHitsPage, type PageOptions } from '../../src/render/hits.ts';
import { parseQuery } from '../../src/search/query/parse-query.ts';
import { weights } from '../../src/search/rank.ts';
import { type Indexed, indexed, now } from '../search/ask.ts';
import { toHost, withDirectory } from '../support/host.ts';
import { anyText, hit, toPlain } from './made-hits.ts';

const plain: PageOptions = {
  columns: 80,
  useColor: false,
  now,
  homeDir: '/home/maya',
  explain: false,
  passages: 3,
};

describe('golden screens', () => {
  let index: Indexed;

  beforeAll(async () => {
    index = await indexed(() => {}, ['fixtures/demo-home']);
  });

  afterAll(() => index.close());

  const screen = async (query: string, options: Partial<PageOptions> = {}) => {
    const answer = await searchSessions(toHost(index.home), index.store, { query, limit: 3 });
    const shown = { ...answer, hits: answer.hits.map(withDirectory) };
    return `${formatHitsPage(shown, { ...plain, ...options })}\n`;
  };

  test.each([
    ['jwt-80', 'jwt middleware', {}],
    ['jwt-40', 'jwt middleware', { columns: 40 }],
    ['question-80', 'when did we move the queue to redis?', {}],
    ['chinese-80', '连接池', {}],
    ['chinese-40', '连接池', { columns: 40 }],
    ['path-80', 'create-order.ts', {}],
    ['path-40', 'create-order.ts', { columns: 40 }],
    ['japanese-40', '郵便番号', { columns: 40 }],
    ['korean-40', '평가', { columns: 40 }],
    ['accents-80', 'naive resume', {}],
    ['explain-80', 'stripe webhook', { explain: true }],
    ['explain-40', 'stripe webhook', { explain: true, columns: 40 }],
    ['did-you-mean-80', 'strpie webhook', {}],
    ['any-40', 'stripe gensim', { columns: 40 }],
    ['prefix-80', 'webho', {}],
    ['deleted-80', 'prometheus histogram', {}],
    ['agent-80', 'reduce initial value', {}],
    ['recent-80', '', {}],
  ] as const)('%s', async (name, query, options) => {
    const page = await screen(query, options);
    await expect(page).toMatchFileSnapshot(`golden/${name}.txt`);
    for (const line of page.split('\n')) {
      expect(stringWidth(line), line).toBeLessThanOrEqual('columns' in options ? options.columns : 80);
    }
  });

  test('colour adds nothing but colour', async () => {
    for (const query of ['jwt middleware', '连接池', 'strpie webhook']) {
      for (const columns of [40, 80]) {
        const coloured = await screen(query, { columns, useColor: true, explain: true });
        expect(coloured).toMatch(/\x1b\[1m/);
        expect(toPlain(coloured)).toBe(await screen(query, { columns, explain: true }));
      }
    }
  });
});

describe('any text', () => {
  const columns = fc.integer({ min: 32, max: 120 });
  const subagentType = fc.constantFrom('Explore', 'Plan', '\x1b[1mx', '数据');
  const work = fc.option(
    fc.record({
      kind: fc.constantFrom('tool-input' as const, 'tool-output' as const),
      tool: fc.option(anyText),
      target: fc.option(anyText.chain((text) => fc.constantFrom(text, `/${text}`, `C:\\${text}`))),
      isError: fc.constantFrom(0, 1),
    }),
    { nil: undefined },
  );
  const made = fc
    .record({ title: anyText, project: anyText, branch: anyText, subagentType, text: anyText, work })
    .map(({ work, ...each }) => (work === undefined ? each : { ...each, work }));

  test('every line fits the terminal', () => {
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 3 }),
        columns,
        fc.boolean(),
        (each, columns, explain) => {
          const page = formatHitsPage(resultOf(each.map(hit)), { ...plain, columns, explain });
          for (const line of page.split('\n'))
            expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('nothing active or invisible is printed, and colour adds only colour', () => {
    fc.assert(
      fc.property(made, columns, (each, columns) => {
        const result = resultOf([hit(each)]);
        const page = formatHitsPage(result, { ...plain, columns });
        expect(page).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        expect(toPlain(formatHitsPage(result, { ...plain, columns, useColor: true }))).toBe(page);
      }),
      { numRuns: 300 },
    );
  });

  test('the number of lines does not depend on the text', () => {
    fc.assert(
      fc.property(made, (each) => {
        const page = formatHitsPage(resultOf([hit(each)]), plain);
        expect(page.split('\n')).toHaveLength(5);
      }),
      { numRuns: 200 },
    );
  });

  test('the passage shows the word, wherever it occurs in the text', () => {
    const around = fc.string({
      unit: fc.constantFrom('a', 'b', ' ', '\n', '数', 'é', '\x1b'),
      maxLength: 400,
    });
    fc.assert(
      fc.property(around, around, fc.integer({ min: 40, max: 120 }), (before, after, columns) => {
        const text = `${before} redis ${after}`;
        const page = formatHitsPage(resultOf([hit({ text })]), { ...plain, columns });
        expect(page.split('\n')[2]).toContain('redis');
      }),
      { numRuns: 300 },
    );
  });
});

describe('a passage of what was done is named by', () => {
  const lineOf = (toolText: Parameters<typeof hit>[0]['toolText'], text = 'a redis line') =>
    formatHitsPage(resultOf([hit({ text, ...(toolText === undefined ? {} : { toolText }) })]), plain)
      .split('\n')[2]
      ?.trim();

  test.each<[string, Parameters<typeof hit>[0]['toolText'], string]>([
    ['the tool', { tool: 'Grep', target: 'redis' }, 'Grep '],
    [
      'the tool and the end of its path',
      { tool: 'Write', target: '/home/u/shop/src/x.ts' },
      'Write src/x.ts ',
    ],
    ['a path of Windows too', { tool: 'Edit', target: 'C:\\Users\\maya\\x.ts' }, 'Edit maya/x.ts '],
    ['a cross where it failed', { tool: 'Bash', kind: 'tool-output', isError: true }, 'Bash ✗ '],
    ['none where only the call is shown', { tool: 'Bash', kind: 'tool-input', isError: true }, 'Bash '],
    ['a word where the call is not known', { tool: null, target: null, kind: 'tool-output' }, 'tool '],
  ])('%s', (_, toolText, start) => {
    expect(lineOf(toolText)).toMatch(/: a redis line$/);
    expect(lineOf(toolText)?.startsWith(start)).toBe(true);
  });

  test('its target where the text cannot be read', () => {
    expect(lineOf({ tool: 'Bash', target: 'npm run redis' }, '')).toMatch(/^Bash.*: npm run redis$/);
    expect(lineOf({ tool: null, target: null }, '')).toMatch(/^tool.*:$/);
  });
});

describe('the page also says', () => {
  test('how to open one, and how to see more', () => {
    const few = formatHitsPage(resultOf([hit({})]), plain);
    expect(few).toMatch(/\n1 of 1 session {3}recall open <number> or show <number>$/);
    const many = formatHitsPage({ ...resultOf([hit({})]), total: 1234 }, plain);
    expect(many).toMatch(
      /\n1 of 1,234 sessions {3}recall open <number> or show <number> {3}more: --limit 3$/,
    );
  });

  test('both also if there is less room', () => {
    const footer = (columns: number, isTotalExact = true) =>
      formatHitsPage({ ...resultOf([hit({})]), total: 5000, isTotalExact }, { ...plain, columns })
        .split('\n\n')
        .at(-1);
    expect(footer(79, false)).toBe(
      '1 of more than 5,000 sessions   recall open or show <number>   more: --limit 3',
    );
    expect(footer(40)).toBe('1 of 5,000 sessions   more: --limit 3\nrecall open <number> or show <number>');
    expect(footer(30)).toBe('1 of 5,000 sessions\nmore: --limit 3\nrecall open or show <number>');
  });

  test('which tier answered', () => {
    const page = (some: Partial<SearchAnswer>) => formatHitsPage({ ...resultOf([hit({})]), ...some }, plain);
    expect(page({ tier: 'prefix' })).toMatch(/longer words that start with them/);
    expect(page({ tier: 'any' })).toMatch(/some of the words/);
    expect(page({ tier: 'fuzzy', corrections: [['rdis\x1b[2J', 'redis']] })).toMatch(
      /^did you mean “redis” for “rdis\[2J”\?/,
    );
    expect(page({ tier: 'all' })).toMatch(/^ 1 /);
    expect(page({ total: 5000, isTotalExact: false })).toMatch(/1 of more than 5,000 sessions/);
  });
});

function resultOf(hits: SearchAnswer['hits']): SearchAnswer {
  const { terms } = parseQuery('redis');
  return {
    query: 'redis',
    tier: 'all',
    total: hits.length,
    isTotalExact: true,
    hits,
    terms,
    corrections: [],
    completeHits: 0,
    shortened: [],
    lengthened: [],
    missing: [],
    hidden: [],
    begun: null,
    filters: { only: {}, without: {} },
    hiddenWords: null,
    facets: null,
    hub: null,
    matchingIds: null,
    excludedWords: [],
    time: null,
    tookMs: 1,
    unknownDays: [],
    weights,
    emptiness: null,
  };
}
