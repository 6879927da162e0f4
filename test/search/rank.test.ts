// The order of sessions, as a function of what was found in them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Corpus,
  type RankedMessage,
  type RankedSession,
  type RankedTerm,
  type RankedToolText,
  rankPassages,
  rankSessions,
  weights,
} from '../../src/search/rank.ts';

const corpus: Corpus = {
  meanMessageChars: 400,
  meanSessionChars: 8000,
  meanToolCalls: 10,
  meanToolTextChars: 600,
};
const oneTerm: RankedTerm[] = [{ weight: 4, sessionWeight: 2, isStrong: true, isCut: false }];
const twoTerms: RankedTerm[] = [...oneTerm, { weight: 3, sessionWeight: 1.5, isStrong: true, isCut: false }];

let lastId = 0;

function message(some: Partial<RankedMessage> = {}): RankedMessage {
  const counts = some.counts ?? [1];
  return {
    id: ++lastId,
    text: `passage ${lastId}`,
    speaker: 'assistant',
    chars: 400,
    exactCounts: counts,
    closeness: 0,
    isEcho: false,
    ...some,
    counts,
  };
}

function toolText(some: Partial<RankedToolText> = {}): RankedToolText {
  const counts = some.counts ?? [1];
  return { id: ++lastId, chars: 600, exactCounts: counts, closeness: 0, ...some, counts };
}

function session(some: Partial<RankedSession> = {}): RankedSession {
  const id = some.id ?? ++lastId;
  const messages = some.messages ?? [message()];
  const none = [false, false];
  const timesSaid = [0, 1].map((i) => messages.reduce((sum, { counts }) => sum + (counts[i] ?? 0), 0));
  const toolTexts = some.toolTexts ?? [];
  return {
    id,
    conversationId: id,
    modifiedAt: '2026-10-01T00:00:00.000Z',
    ageDays: 46,
    messageCount: 20,
    chars: 8000,
    isSubagent: false,
    isDeleted: false,
    memberIds: [id],
    ownMatches: messages.length,
    messageCounts: [messages.length, 0],
    occurrences: timesSaid,
    toolCallCount: 10,
    toolTextCounts: [toolTexts.length, 0],
    callCounts: [0, 0],
    inTitle: none,
    inFirstPrompt: none,
    inContext: none,
    ...some,
    messages,
    toolTexts,
  };
}

const order = (sessions: RankedSession[], terms = oneTerm) =>
  rankSessions(sessions, terms, corpus).map((entry) => entry.session.id);

describe('what comes first', () => {
  test('a word in the title beats the same word deep in a long session', () => {
    const titled = session({ inTitle: [true, false] });
    const long = session({
      messageCount: 2000,
      chars: 800_000,
      messages: Array.from({ length: 40 }, () => message()),
    });
    expect(order([long, titled])).toEqual([titled.id, long.id]);
  });

  test('title, then first prompt, then only a passage', () => {
    const plain = session();
    const prompted = session({ inFirstPrompt: [true, false] });
    const titled = session({ inTitle: [true, false] });
    expect(order([plain, prompted, titled])).toEqual([titled.id, prompted.id, plain.id]);
  });

  test('what the session says before what a subagent says, and that before a recap', () => {
    const by = (speaker: RankedMessage['speaker']) => session({ messages: [message({ speaker })] });
    const [assistant, agent, recap] = [by('assistant'), by('subagent'), by('recap')];
    expect(order([recap, agent, assistant])).toEqual([assistant.id, agent.id, recap.id]);
  });

  test('the person’s words count as much as the assistant’s', () => {
    const by = (speaker: RankedMessage['speaker']) => session({ messages: [message({ speaker })] });
    const sessions = [by('person'), by('assistant')];
    const ranked = rankSessions(sessions, oneTerm, corpus);
    expect(ranked[0]?.score).toBe(ranked[1]?.score);
    expect(ranked[0]?.parts).toEqual(ranked[1]?.parts);
  });

  test('the newer of two equal ones', () => {
    const older = session({ modifiedAt: '2026-09-01T00:00:00.000Z', ageDays: 76 });
    const newer = session({ modifiedAt: '2026-11-01T00:00:00.000Z', ageDays: 15 });
    expect(order([older, newer])).toEqual([newer.id, older.id]);
    const samePoint = [session({ id: 900_001 }), session({ id: 900_002 })];
    expect(order(samePoint)).toEqual([900_002, 900_001]);
  });

  test('an old, clearly better match is not buried', () => {
    const old = session({
      modifiedAt: '2021-01-01T00:00:00.000Z',
      ageDays: 2000,
      messages: [message({ counts: [2, 1], closeness: 3 }), message({ counts: [1, 1], closeness: 3 })],
      messageCounts: [2, 2],
    });
    const fresh = session({
      modifiedAt: '2026-11-16T00:00:00.000Z',
      ageDays: 0,
      messages: [message({ counts: [1, 0] })],
    });
    expect(order([fresh, old], twoTerms)).toEqual([old.id, fresh.id]);
  });

  test('5,000 messages do not win by number alone', () => {
    const short = session({
      messageCount: 4,
      chars: 1600,
      messages: [message({ counts: [2] }), message({ counts: [2] })],
    });
    const messages = Array.from({ length: 300 }, () => message({ counts: [1] }));
    const endless = session({ messageCount: 5000, chars: 2_000_000, messages, messageCounts: [300, 0] });
    expect(order([endless, short])).toEqual([short.id, endless.id]);
  });

  test('words close together beat words far apart', () => {
    const apart = session({ messages: [message({ counts: [1, 1] })], messageCounts: [1, 1] });
    const together = session({
      messages: [message({ counts: [1, 1], closeness: 3 })],
      messageCounts: [1, 1],
    });
    expect(order([apart, together], twoTerms)).toEqual([together.id, apart.id]);
  });

  test('the exact word beats others of the same stem', () => {
    const stem = session({ messages: [message({ counts: [2], exactCounts: [0] })] });
    const exact = session({ messages: [message({ counts: [2], exactCounts: [2] })] });
    expect(order([stem, exact])).toEqual([exact.id, stem.id]);
  });

  test('a subagent listed on its own comes after an equal session, an echo after everything', () => {
    const agent = session({ isSubagent: true });
    const main = session();
    const echo = session({ messages: [message({ isEcho: true, counts: [5] })] });
    expect(order([echo, agent, main])).toEqual([main.id, agent.id, echo.id]);
  });
});

test('a title with all the words beats any passage with some of them', () => {
  const titled = session({ inTitle: [true, true], messages: [], messageCounts: [0, 0] });
  const told = session({
    messages: [message({ counts: [9, 0] }), message({ counts: [9, 0], speaker: 'person' })],
  });
  expect(order([told, titled], twoTerms)).toEqual([titled.id, told.id]);
});

test('subagent messages do not count towards focus', () => {
  const messages = Array.from({ length: 20 }, () => message({ speaker: 'subagent' }));
  const byAgents = session({ messages, ownMatches: 0 });
  expect(rankSessions([byAgents], oneTerm, corpus)[0]?.parts.focus).toBe(0);
});

/** By session id: the parts compare sessions of one search. */
function partsOf(sessions: readonly RankedSession[], terms = oneTerm) {
  const ranked = rankSessions(sessions, terms, corpus);
  return sessions.map(({ id }) => {
    const parts = ranked.find((entry) => entry.session.id === id)?.parts;
    if (parts === undefined) throw new Error(`session ${id} was not ranked`);
    return parts;
  });
}

describe('passages', () => {
  test('count for their words, each of them for less and less', () => {
    // A word once in a message of mean length is worth its weight.
    const times = (n: number) => session({ messages: Array.from({ length: n }, () => message()) });
    const [one, two, three, four] = partsOf([times(1), times(2), times(3), times(4)]);
    expect(one?.passages).toBeCloseTo(1 / 1.45);
    expect(two?.passages).toBeCloseTo(1.3 / 1.45);
    expect(three?.passages).toBe(1);
    expect(four?.passages).toBe(1);
  });

  test('closeness counts twice', () => {
    const of = (closeness: number) => session({ messages: [message({ counts: [1, 1], closeness })] });
    const [apart, close] = partsOf([of(0), of(3)], twoTerms);
    expect(close?.passages).toBe(1);
    expect(apart?.passages).toBeCloseTo((4 + 3) / (4 + 3 + 2 * 3));
  });

  test('what was done counts two fifths of the same words said, close together or not', () => {
    for (const closeness of [0, 3]) {
      const said = session({ messages: [message({ counts: [1, 1], closeness })] });
      const done = session({ messages: [], toolTexts: [toolText({ counts: [1, 1], closeness })] });
      const [ofSaid, ofDone] = partsOf([said, done], twoTerms);
      expect(ofSaid?.passages).toBe(1);
      expect(ofDone?.passages).toBeCloseTo(0.4);
      expect(order([done, said], twoTerms)).toEqual([said.id, done.id]);
    }
  });

  test('of what was done are weighed like messages: by length, repetition and the exact word', () => {
    const of = (some: Partial<RankedToolText>) => session({ messages: [], toolTexts: [toolText(some)] });
    const [usual, long, often, stem] = partsOf([
      of({}),
      of({ chars: 6000 }),
      of({ counts: [3] }),
      of({ exactCounts: [0] }),
    ]);
    expect(often?.passages).toBe(1);
    expect(usual?.passages).toBeCloseTo(1 / ((3 * 2.2) / (3 + 1.2)));
    expect(long?.passages).toBeLessThan((usual?.passages ?? 0) / 2);
    expect(stem?.passages).toBeLessThan(usual?.passages ?? 0);
  });

  test('are named best first, said and done together; of equals what was said', () => {
    const [far, good] = [message({ chars: 4000 }), message({ counts: [3] })];
    const [usual, strong] = [toolText(), toolText({ counts: [12] })];
    // Closeness alone: two fifths of 2 × 5, and 2 × 2.
    const done = toolText({ counts: [0], closeness: 5 });
    const said = message({ counts: [0], closeness: 2 });
    const mixed = session({ messages: [far, good], toolTexts: [usual, strong] });
    expect(rankPassages(mixed, oneTerm, corpus)).toMatchObject([
      { id: good.id, isToolText: false },
      { id: strong.id, isToolText: true },
      { id: usual.id, isToolText: true },
      { id: far.id, isToolText: false },
    ]);
    const tied = session({ messages: [said], toolTexts: [done] });
    expect(rankPassages(tied, oneTerm, corpus)[0]).toMatchObject({ isToolText: false });
  });
});

describe('the session as a whole', () => {
  const session1 = (some: Partial<RankedSession>) =>
    session({ messages: [], messageCounts: [1, 0], ...some });

  test('counts how often a word occurs, not in how many messages', () => {
    const [once, often] = partsOf([session1({ occurrences: [1, 0] }), session1({ occurrences: [4, 0] })]);
    expect(often?.session).toBe(1);
    expect(once?.session).toBeCloseTo(1 / ((4 * 2.2) / (4 + 1.2)));
    const [inOne, inMany] = partsOf([
      session1({ occurrences: [4, 0] }),
      session1({ occurrences: [4, 0], messageCounts: [4, 0] }),
    ]);
    expect(inOne?.session).toBe(inMany?.session);
  });

  test('a longer session needs more of it', () => {
    const [short, long] = partsOf([
      session1({ occurrences: [2, 0], chars: 8000 }),
      session1({ occurrences: [2, 0], chars: 80_000 }),
    ]);
    expect(long?.session).toBeLessThan((short?.session ?? 0) / 2);
  });

  test('what was done counts a quarter, by the number of calls', () => {
    const [said, done, busy] = partsOf([
      session1({ occurrences: [1, 0] }),
      session1({ occurrences: [0, 0], toolTextCounts: [4, 0] }),
      session1({ occurrences: [0, 0], toolTextCounts: [4, 0], toolCallCount: 1000 }),
    ]);
    expect(done?.session).toBeCloseTo(said?.session ?? 0);
    expect(busy?.session).toBeLessThan((done?.session ?? 0) / 10);
  });
});

test('a word that only tools used is not lacking', () => {
  const done = session({ messages: [message()], toolTexts: [toolText()], toolTextCounts: [0, 1] });
  const not = session({ messages: [message()] });
  const ranked = rankSessions([done, not], twoTerms, corpus);
  const lackingOf = (id: number) => ranked.find((entry) => entry.session.id === id)?.lacking;
  expect([lackingOf(done.id), lackingOf(not.id)]).toEqual([[], [1]]);
});

describe('copies', () => {
  test('the newest of equally good ones is shown, once', () => {
    const messages = [message()];
    const older = session({
      conversationId: 77,
      messages,
      modifiedAt: '2026-10-01T00:00:00.000Z',
      ageDays: 46,
    });
    const newer = session({
      conversationId: 77,
      messages,
      modifiedAt: '2026-10-02T00:00:00.000Z',
      ageDays: 45,
    });
    const [shown, ...rest] = rankSessions([newer, older], oneTerm, corpus);
    expect(rest).toEqual([]);
    expect(shown).toMatchObject({ session: { id: newer.id } });
  });

  test('the one that contains the match is shown although another is newer', () => {
    const older = session({ conversationId: 78, messages: [message({ counts: [3] })] });
    const newer = session({
      conversationId: 78,
      modifiedAt: '2026-11-15T00:00:00.000Z',
      ageDays: 1,
      messages: [message({ counts: [1], chars: 4000 })],
    });
    expect(order([newer, older])).toEqual([older.id]);
  });

  test('the one that has the word in its branch is shown, unless the word may be in the others unseen', () => {
    const messages = [message({ counts: [1, 0] })];
    const named = session({ conversationId: 79, messages, inContext: [false, true] });
    const newer = session({ conversationId: 79, messages, modifiedAt: '2026-11-15T00:00:00.000Z' });
    expect(order([newer, named], twoTerms)).toEqual([named.id]);
    const common = twoTerms.map((term) => ({ ...term, isCut: true }));
    expect(order([newer, named], common)).toEqual([newer.id]);
  });
});

describe('the score', () => {
  const nat = fc.nat({ max: 5 });
  const anyMessage = fc.record({
    id: fc.nat({ max: 10_000_000 }),
    speaker: fc.constantFrom('person' as const, 'assistant' as const, 'recap' as const, 'subagent' as const),
    chars: fc.integer({ min: 1, max: 100_000 }),
    counts: fc.tuple(nat, nat),
    closeness: fc.double({ min: 0, max: 10, noNaN: true }),
    isEcho: fc.boolean(),
  });
  const anyToolText = fc.record({
    id: fc.nat({ max: 10_000_000 }),
    chars: fc.nat({ max: 16_000 }),
    counts: fc.tuple(nat, nat),
    closeness: fc.double({ min: 0, max: 10, noNaN: true }),
  });
  const flags = fc.tuple(fc.boolean(), fc.boolean());
  const anySession = fc
    .record({
      id: fc.nat(),
      conversationId: fc.nat({ max: 12 }),
      day: fc.integer({ min: 1, max: 28 }),
      messageCount: fc.integer({ min: 1, max: 6000 }),
      chars: fc.integer({ min: 0, max: 1_000_000 }),
      isSubagent: fc.boolean(),
      isDeleted: fc.boolean(),
      messages: fc.uniqueArray(anyMessage, { maxLength: 6, selector: (each) => each.id }),
      toolTexts: fc.uniqueArray(anyToolText, { maxLength: 4, selector: (each) => each.id }),
      toolCallCount: fc.nat({ max: 3000 }),
      toolTextCounts: fc.tuple(nat, nat),
      messageCounts: fc.tuple(nat, nat),
      occurrences: fc.tuple(nat, nat),
      callCounts: fc.tuple(nat, nat),
      inTitle: flags,
      inFirstPrompt: flags,
      inContext: flags,
    })
    .map(({ day, messages, toolTexts, ...rest }) => ({
      ...rest,
      memberIds: [rest.id],
      ownMatches: messages.length,
      modifiedAt: `2026-10-${String(day).padStart(2, '0')}T00:00:00.000Z`,
      ageDays: 46 - day,
      messages: messages.map((each) => ({ ...each, text: `passage ${each.id}`, exactCounts: each.counts })),
      toolTexts: toolTexts.map((each) => ({ ...each, exactCounts: each.counts })),
    }));
  const anySessions = fc.uniqueArray(anySession, { maxLength: 15, selector: (each) => each.id });

  test('does not depend on the order of the sessions or of their messages', () => {
    fc.assert(
      fc.property(anySessions, fc.infiniteStream(fc.nat()), (sessions, keys) => {
        const shuffle = <T>(items: readonly T[]) =>
          items
            .map((item) => ({ item, key: keys.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const shuffled = shuffle(sessions).map((each) => ({
          ...each,
          messages: shuffle(each.messages),
          toolTexts: shuffle(each.toolTexts),
        }));
        const digest = (of: readonly RankedSession[]) =>
          rankSessions(of, twoTerms, corpus).map((entry) => ({
            id: entry.session.id,
            score: entry.score.toFixed(9),
            passages: rankPassages(entry.session, twoTerms, corpus).map(({ id, isToolText }) => [
              id,
              isToolText,
            ]),
          }));
        expect(digest(shuffled)).toEqual(digest(sessions));
      }),
      { numRuns: 300 },
    );
  });

  test('is between 0 and 1 and falls from hit to hit, one per conversation', () => {
    fc.assert(
      fc.property(anySessions, (sessions) => {
        const ranked = rankSessions(sessions, twoTerms, corpus);
        const scores = ranked.map((entry) => entry.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
        expect(ranked.length).toBe(new Set(sessions.map((each) => each.conversationId)).size);
      }),
      { numRuns: 300 },
    );
  });

  test('its weights are in the order that the design requires', () => {
    expect(weights.title).toBeGreaterThan(weights.firstPrompt);
    expect(weights.recency).toBe(Math.min(...Object.values(weights)));
  });
});
