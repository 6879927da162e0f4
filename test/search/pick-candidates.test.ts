// Which of many sessions are ranked.

import { expect, test } from 'vitest';
import { keepBest } from '../../src/search/candidates.ts';
import type { FoundTerm } from '../../src/search/find-terms.ts';
import type { RankedTerm, RankedWork } from '../../src/search/rank.ts';
import { sessionFactor } from '../../src/store/row-ids.ts';

const many = Array.from({ length: 300 }, (_, i) => i + 1);
const weights: RankedTerm[] = [4, 3].map((weight) => ({
  weight,
  sessionWeight: 1,
  isStrong: true,
  isCut: false,
}));
const noWork = new Map<number, RankedWork[]>();

function term(some: Partial<FoundTerm> = {}): FoundTerm {
  return {
    term: { text: 'word', forms: [], strength: 'strong', isPart: false },
    expression: '',
    messages: [],
    isCommon: false,
    bySession: new Map(),
    toolCalls: new Map(),
    work: new Map(),
    isCommonInWork: false,
    isWorkCut: false,
    areCallsCut: false,
    workBySession: new Map(),
    named: new Set(),
    isNamedCut: false,
    ...some,
  };
}

const once = new Map(many.map((id) => [id, 1]));
const keep = (terms: FoundTerm[], matched: number[] = [], work = noWork, limit = 10) =>
  keepBest(new Set(many), matched, terms, weights, work, limit);

test('few sessions are all kept', async () => {
  const few = new Set([1, 2, 3]);
  expect(keepBest(few, [], [term()], weights, noWork, 10)).toBe(few);
});

test('of many, those with more of the words, with a name, a good message or a good work text', async () => {
  const both = term({ bySession: new Map([[7, 1]]) });
  expect(keep([term({ bySession: once }), both])).toContain(7);
  expect(keep([term({ bySession: once, named: new Set([8]) }), term()])).toContain(8);
  expect(keep([term({ bySession: once }), term()], [9 * sessionFactor])).toContain(9);
  const work = new Map([[10, [{ id: 1, words: 5, closeness: 0 }]]]);
  expect(keep([term({ bySession: once }), term()], [], work)).toContain(10);
});

test('as many as the results that are asked for need, the newest of equals', async () => {
  const kept = keep([term({ bySession: once }), term()]);
  expect(kept.size).toBe(40);
  expect(Math.min(...kept)).toBe(261);
  expect(keep([term({ bySession: once }), term()], [], noWork, 50).size).toBe(200);
});
