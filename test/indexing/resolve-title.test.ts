// The order in which sources name a session.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTitle, type TitleSources } from '../../src/indexing/settle.ts';

const all: TitleSources = {
  kind: 'main',
  sidecarTitle: 'sidecar',
  customTitle: 'custom-title',
  agentName: 'agent-name',
  aiTitle: 'ai-title',
  hintCustomTitle: 'index-custom-title',
  hintSummary: 'index-summary',
  summary: 'summary',
  subagentDescription: 'description',
  firstPrompt: 'first-prompt',
};

const none = Object.fromEntries(Object.keys(all).map((key) => [key, null])) as unknown as TitleSources;

/** The names of the sources, best first, found by taking the winner away each time. */
function orderOf(kind: TitleSources['kind']): string[] {
  const order: string[] = [];
  let left: TitleSources = { ...all, kind };
  for (;;) {
    const { title, source } = resolveTitle(left);
    order.push(source);
    if (title === null) return order;
    expect(title).toBe(source);
    const entries = Object.entries(left).filter(([, value]) => value !== title);
    left = { ...none, ...Object.fromEntries(entries), kind };
  }
}

describe('resolveTitle', () => {
  test.each(['main', 'transcript', 'precompact', 'history'] as const)('the order for kind %s', (kind) => {
    expect(orderOf(kind)).toEqual([
      ...['sidecar', 'custom-title', 'agent-name', 'ai-title', 'index-custom-title', 'index-summary'],
      ...['summary', 'first-prompt', 'none'],
    ]);
  });

  test('an agent is named by its description, else its first prompt, else the name it was given', () => {
    expect(orderOf('subagent')).toEqual(['description', 'first-prompt', 'agent-name', 'none']);
  });

  test('a source of nothing but space is passed over', () => {
    const sources = {
      ...none,
      kind: 'main' as const,
      sidecarTitle: ' \n ',
      customTitle: '',
      aiTitle: 'Real',
    };
    expect(resolveTitle(sources)).toEqual({ title: 'Real', source: 'ai-title' });
  });

  test('a title is one line of at most 200 characters that begins as its source does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', size: 'large' }), (text) => {
        const title = resolveTitle({ ...none, kind: 'main', firstPrompt: text }).title ?? '';
        expect(title.length).toBeLessThanOrEqual(200);
        expect(title).not.toMatch(/\n|\s\s|^\s|\s$/);
        expect(text.replace(/\s+/g, ' ').trim().startsWith(title.replace(/…$/, ''))).toBe(true);
      }),
    );
  });

  test.each([
    ['a ', '😀'.repeat(300), `a ${'😀'.repeat(197)}…`],
    ['', '😀'.repeat(300), `${'😀'.repeat(199)}…`],
    ['', '😀'.repeat(200), '😀'.repeat(200)],
    ['', 'x'.repeat(201), `${'x'.repeat(199)}…`],
    ['', 'x'.repeat(200), 'x'.repeat(200)],
  ])('a title longer than 200 characters is cut between two of them and says so', (start, rest, title) => {
    expect(resolveTitle({ ...none, kind: 'main', firstPrompt: start + rest }).title).toBe(title);
  });
});
