// Which of many sessions are ranked, and which tool texts are worth reading.

import { describe, expect, test } from 'vitest';
import { keepBest, pickToolTexts, type WeighedTerm } from '../../src/search/candidates.ts';
import type { TermUse } from '../../src/search/find-terms.ts';
import type { Place, Relation } from '../../src/store/word-index.ts';

const many = Array.from({ length: 300 }, (_, i) => i + 1);
const nowhere: readonly Place[] = [];
const alone = (id: number): Relation => ({ id, ownerId: id, conversationId: id, modifiedAt: null });

const inSessions = (ids: readonly number[], how: Partial<TermUse>) =>
  new Map(ids.map((id) => [id, { said: 0, done: 0, calls: 0, isNamed: false, isCalled: false, ...how }]));

/** The first of several weighs 4, the others 3. */
const weigh = ([first, ...others]: WeighedTerm[]) => [
  ...(first === undefined ? [] : [{ ...first, weight: 4 }]),
  ...others,
];

function term(some: Partial<WeighedTerm> = {}): WeighedTerm {
  return {
    term: { text: 'word', forms: [], strength: 'strong', isPart: false },
    messages: nowhere,
    areMessagesCut: false,
    coveredShare: 1,
    toolTexts: nowhere,
    areToolTextsCut: false,
    toolTextCounts: new Map(),
    areToolTextCountsCut: false,
    toolCalls: [],
    areToolCallsCut: false,
    named: [],
    called: [],
    isNamedCut: false,
    sessions: new Map(),
    weight: 3,
    sessionWeight: 1,
    isStrong: true,
    isCut: false,
    ...some,
  };
}

describe('of many sessions', () => {
  const once = inSessions(many, { said: 1 });
  const keep = (terms: WeighedTerm[], some: Partial<Parameters<typeof keepBest>[0]> = {}) =>
    keepBest({
      relations: many.map(alone),
      matched: nowhere,
      terms: weigh(terms),
      toolTexts: new Map(),
      limit: 10,
      ...some,
    });

  test('few are all kept', () => {
    expect(keep([term()], { relations: [1, 2, 3].map(alone) })).toEqual(new Set([1, 2, 3]));
  });

  test('those with more of the words, with a name, a good message or a good tool text are kept', () => {
    const both = term({ sessions: inSessions([7], { said: 1 }) });
    expect(keep([term({ sessions: once }), both])).toContain(7);
    expect(
      keep([term({ sessions: new Map([...once, ...inSessions([8], { said: 1, isNamed: true })]) }), term()]),
    ).toContain(8);
    const named = inSessions([301], { isNamed: true });
    const often = inSessions(many, { said: 9, isNamed: true });
    const options = {
      relations: [...many, 301].map(alone),
      matched: many.map((id) => ({ id: id * 10, sessionId: id })),
    };
    const common = term({ sessions: new Map([...often, ...named]) });
    expect(keep([common, common], options)).not.toContain(301);
    const called = term({
      sessions: new Map([...often, ...inSessions([301], { isNamed: true, isCalled: true })]),
    });
    expect(keep([called, called], options)).toContain(301);
    const matched = [{ id: 90, sessionId: 9 }];
    expect(keep([term({ sessions: once }), term()], { matched })).toContain(9);
    const toolTexts = new Map([[10, [{ id: 1, sessionId: 10, words: 5 }]]]);
    expect(keep([term({ sessions: once }), term()], { toolTexts })).toContain(10);
  });

  test('as many as the results that are asked for need are kept, the newest of equals', () => {
    const kept = keep([term({ sessions: once }), term()]);
    expect(kept.size).toBe(40);
    expect(Math.min(...kept)).toBe(261);
    expect(keep([term({ sessions: once }), term()], { limit: 50 }).size).toBe(200);
  });
});

// Forty subagents of one session were all that was ranked, and a session that said it once was not found.
test('subagents or copies of one conversation do not take the place of others', () => {
  const sessions = new Map([...inSessions(many, { said: 9 }), ...inSessions([1], { said: 1 })]);
  const relations = many.map((id) => ({
    ...alone(id),
    ownerId: id === 1 ? 1 : 2,
    conversationId: id === 1 ? 1 : 2,
  }));
  const kept = keepBest({
    relations,
    matched: nowhere,
    terms: [term({ sessions })],
    toolTexts: new Map(),
    limit: 10,
  });
  expect(kept).toContain(1);
  expect(kept.size).toBe(13);
});

describe('tool texts', () => {
  const inTexts = (places: Place[], areToolTextsCut = false) => term({ toolTexts: places, areToolTextsCut });
  const pick = (terms: WeighedTerm[], withAll = nowhere) => [...pickToolTexts(weigh(terms), withAll)];

  test('are picked by the weight of the words that they hold, the newest of equals first', () => {
    const first = inTexts([
      { id: 11, sessionId: 1 },
      { id: 12, sessionId: 1 },
      { id: 21, sessionId: 2 },
    ]);
    const second = inTexts([
      { id: 13, sessionId: 1 },
      { id: 12, sessionId: 1 },
    ]);
    const [one, two] = pick([first, second]);
    expect(one).toMatchObject([
      1,
      [
        { id: 12, words: 7 },
        { id: 11, words: 4 },
        { id: 13, words: 3 },
      ],
    ]);
    expect(two).toMatchObject([2, [{ id: 21, words: 4 }]]);
  });

  test('with a word that is everywhere only count it where a rarer word found them', () => {
    const rare = inTexts([{ id: 11, sessionId: 1 }]);
    const common = inTexts(
      [
        { id: 11, sessionId: 1 },
        { id: 31, sessionId: 3 },
      ],
      true,
    );
    expect(pick([rare, common])).toMatchObject([[1, [{ id: 11, words: 7 }]]]);
  });

  test('with only words that are everywhere are those with all of them, and the newest of the rarest', () => {
    const common = inTexts(
      [
        { id: 41, sessionId: 4 },
        { id: 42, sessionId: 4 },
      ],
      true,
    );
    const rarest = term({ ...common, toolTexts: [{ id: 52, sessionId: 5 }] });
    const said = [
      { id: 1, sessionId: 1 },
      { id: 2, sessionId: 1 },
    ];
    const found = pick([{ ...common, messages: said }, rarest], [{ id: 51, sessionId: 5 }]);
    expect(found).toMatchObject([
      [
        5,
        [
          { id: 51, words: 7 },
          { id: 52, words: 3 },
        ],
      ],
    ]);
  });
});
