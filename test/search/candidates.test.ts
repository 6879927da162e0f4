// Which of many sessions are ranked, and which tool texts are worth reading.

import { describe, expect, test } from 'vitest';
import { keepBest, pickToolTexts } from '../../src/search/candidates.ts';
import type { FoundTerm } from '../../src/search/find-terms.ts';
import type { RankedTerm } from '../../src/search/rank.ts';
import type { Place, Relation } from '../../src/store/word-index.ts';

const many = Array.from({ length: 300 }, (_, i) => i + 1);
const weights: RankedTerm[] = [4, 3].map((weight) => ({
  weight,
  sessionWeight: 1,
  isStrong: true,
  isCut: false,
}));
const nowhere: readonly Place[] = [];
const alone = (id: number): Relation => ({ id, ownerId: id, conversationId: id, modifiedAt: null });

function term(some: Partial<FoundTerm> = {}): FoundTerm {
  return {
    term: { text: 'word', forms: [], strength: 'strong', isPart: false },
    messages: nowhere,
    areMessagesCut: false,
    coveredShare: 1,
    messageCounts: new Map(),
    toolTexts: nowhere,
    areToolTextsCut: false,
    toolTextCounts: new Map(),
    areToolTextCountsCut: false,
    toolCalls: [],
    areToolCallsCut: false,
    callCounts: new Map(),
    named: [],
    called: [],
    isNamedCut: false,
    namedSessions: new Set(),
    calledSessions: new Set(),
    ...some,
  };
}

describe('of many sessions', () => {
  const once = new Map(many.map((id) => [id, 1]));
  const keep = (terms: FoundTerm[], some: Partial<Parameters<typeof keepBest>[0]> = {}) =>
    keepBest({
      relations: many.map(alone),
      matched: nowhere,
      terms,
      weights,
      toolTexts: new Map(),
      limit: 10,
      ...some,
    });

  test('few are all kept', () => {
    expect(keep([term()], { relations: [1, 2, 3].map(alone) })).toEqual(new Set([1, 2, 3]));
  });

  test('those with more of the words, with a name, a good message or a good tool text are kept', () => {
    const both = term({ messageCounts: new Map([[7, 1]]) });
    expect(keep([term({ messageCounts: once }), both])).toContain(7);
    expect(keep([term({ messageCounts: once, namedSessions: new Set([8]) }), term()])).toContain(8);
    const often = {
      messageCounts: new Map(many.map((id) => [id, 9])),
      namedSessions: new Set([...many, 301]),
    };
    const options = {
      relations: [...many, 301].map(alone),
      matched: many.map((id) => ({ id: id * 10, sessionId: id })),
    };
    expect(keep([term(often), term(often)], options)).not.toContain(301);
    const called = term({ ...often, calledSessions: new Set([301]) });
    expect(keep([called, called], options)).toContain(301);
    const matched = [{ id: 90, sessionId: 9 }];
    expect(keep([term({ messageCounts: once }), term()], { matched })).toContain(9);
    const toolTexts = new Map([[10, [{ id: 1, sessionId: 10, words: 5 }]]]);
    expect(keep([term({ messageCounts: once }), term()], { toolTexts })).toContain(10);
  });

  test('as many as the results that are asked for need are kept, the newest of equals', () => {
    const kept = keep([term({ messageCounts: once }), term()]);
    expect(kept.size).toBe(40);
    expect(Math.min(...kept)).toBe(261);
    expect(keep([term({ messageCounts: once }), term()], { limit: 50 }).size).toBe(200);
  });
});

// Forty subagents of one session were all that was ranked, and a session that said it once was not found.
test('subagents or copies of one conversation do not take the place of others', () => {
  const messageCounts = new Map(many.map((id) => [id, id === 1 ? 1 : 9]));
  const relations = many.map((id) => ({
    ...alone(id),
    ownerId: id === 1 ? 1 : 2,
    conversationId: id === 1 ? 1 : 2,
  }));
  const kept = keepBest({
    relations,
    matched: nowhere,
    terms: [term({ messageCounts })],
    weights,
    toolTexts: new Map(),
    limit: 10,
  });
  expect(kept).toContain(1);
  expect(kept.size).toBe(13);
});

describe('tool texts', () => {
  const inTexts = (places: Place[], areToolTextsCut = false) => term({ toolTexts: places, areToolTextsCut });
  const pick = (terms: FoundTerm[], withAll = nowhere) => [...pickToolTexts(terms, weights, withAll)];

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
