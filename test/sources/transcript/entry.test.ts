// Facts of two stretches of a transcript merge into the facts of both.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionFacts, SessionKind } from '../../../src/records.ts';
import { mergeFacts, noFacts } from '../../../src/records.ts';
import { parseEntry } from '../../../src/sources/claude/parse.ts';
import { findFacts } from '../../../src/sources/transcript/entry.ts';
import { assistantLine, at, type Line, userLine } from '../../support/home.ts';

function factsOf(lines: readonly Line[], kind: SessionKind = 'main'): SessionFacts {
  return lines
    .map((line) => parseEntry(line, kind))
    .filter((entry) => entry !== null)
    .map((entry) => findFacts(entry, kind))
    .reduce(mergeFacts, noFacts);
}

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'Warmup', '/x');
const envelope = fc.record(
  {
    timestamp: fc.integer({ min: 0, max: 20 }).map((minute) => at(minute)),
    ...{ cwd: word, gitBranch: word, version: word, sessionId: word, isSidechain: fc.boolean() },
  },
  { requiredKeys: [] },
);

const line: fc.Arbitrary<Line> = fc.oneof(
  fc.tuple(word, envelope).map(([content, extra]) => ({ type: 'user', message: { content }, ...extra })),
  fc.tuple(word, word, envelope).map(([text, model, extra]) => ({
    ...{ type: 'assistant', message: { model, content: [{ type: 'text', text }] }, ...extra },
  })),
  word.map((content) => ({ type: 'queue-operation', operation: 'enqueue', content })),
  word.map((customTitle) => ({ type: 'custom-title', customTitle })),
  word.map((agentName) => ({ type: 'agent-name', agentName })),
  word.map((aiTitle) => ({ type: 'ai-title', aiTitle })),
  word.map((lastPrompt) => ({ type: 'last-prompt', lastPrompt })),
  word.map((relocatedCwd) => ({ type: 'relocated', relocatedCwd })),
  word.map((continuedInSessionId) => ({ type: 'continued-in', continuedInSessionId })),
  fc
    .record({ prNumber: fc.nat(), prUrl: word }, { requiredKeys: [] })
    .map((pr) => ({ type: 'pr-link', ...pr })),
  fc.constant({ type: 'system', subtype: 'compact_boundary' }),
);

const stretch = fc.array(line, { maxLength: 8 });
const kind = fc.constantFrom<SessionKind>('main', 'subagent', 'precompact', 'transcript');

describe('mergeFacts', () => {
  test('the facts of a whole are the merged facts of its parts, wherever it is cut', () => {
    fc.assert(
      fc.property(stretch, stretch, kind, (earlier, later, kind) => {
        const whole = factsOf([...earlier, ...later], kind);
        expect(mergeFacts(factsOf(earlier, kind), factsOf(later, kind))).toEqual(whole);
      }),
    );
  });

  test('it does not matter which parts are merged first', () => {
    fc.assert(
      fc.property(stretch, stretch, stretch, (...stretches) => {
        const [a, b, c] = stretches.map((lines) => factsOf(lines)) as [
          SessionFacts,
          SessionFacts,
          SessionFacts,
        ];
        expect(mergeFacts(mergeFacts(a, b), c)).toEqual(mergeFacts(a, mergeFacts(b, c)));
      }),
    );
  });

  test('nothing merges into anything without a trace', () => {
    fc.assert(
      fc.property(stretch, (lines) => {
        const facts = factsOf(lines);
        expect(mergeFacts(facts, noFacts)).toEqual(facts);
        expect(mergeFacts(noFacts, facts)).toEqual(facts);
      }),
    );
  });
});

describe('findFacts', () => {
  test('first things stay, last things move, lists gather', () => {
    const facts = factsOf([
      userLine('one', { cwd: '/a', gitBranch: 'main', version: '1', timestamp: at(5) }),
      assistantLine('yes', { cwd: '/b', version: '2', timestamp: at(1) }),
      userLine('two', { cwd: '/c', gitBranch: 'dev', version: '1', timestamp: at(9) }),
    ]);
    expect(facts).toMatchObject({
      ...{ firstCwd: '/a', lastCwd: '/c', branch: 'dev', versions: ['1', '2'] },
      ...{ createdAt: at(1), modifiedAt: at(9), firstPrompt: 'one', lastPrompt: 'two' },
      models: ['claude-sonnet-4-5'],
    });
  });

  test.each<[SessionKind, string | null]>([
    ['main', null],
    ['transcript', null],
    ['subagent', 's1'],
    ['precompact', 's1'],
  ])('the session named inside is the parent of kind %s: %s', (kind, parent) => {
    expect(factsOf([userLine('hi', { sessionId: 's1' })], kind).parentNativeId).toBe(parent);
  });

  test.each<[string, Line, SessionKind, string | null]>([
    ['a prompt', userLine('hello'), 'main', 'hello'],
    ['arguments of a command', userLine('<command-args>fix it</command-args>'), 'main', 'fix it'],
    ['a queued prompt', { type: 'queue-operation', operation: 'enqueue', content: 'next' }, 'main', 'next'],
    ['an agent’s task', userLine('look', { isSidechain: true }), 'subagent', 'look'],
    ['an inlined task', userLine('look', { isSidechain: true }), 'main', null],
    ['a shell line', userLine('<bash-input>ls</bash-input>'), 'main', null],
    ['a recap', userLine('so far', { isCompactSummary: true }), 'main', null],
    ['an answer', assistantLine('hello'), 'main', null],
  ])('%s as the first prompt', (_, line, kind, prompt) => {
    expect(factsOf([line], kind).firstPrompt).toBe(prompt);
  });

  test('a prompt kept beside the session is cut without breaking a character', () => {
    const prompt = factsOf([userLine(`${'x'.repeat(1999)}😀 and more`)]).firstPrompt;
    expect(prompt?.length).toBe(2000);
    expect(prompt?.isWellFormed()).toBe(true);
  });
});
