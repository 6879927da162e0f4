// docs/format.md 4: the title of a session is the first of these that exists, and what sessions-index.json may say.

import { A, B, type FormatCase } from './case.ts';

export const titleCases: readonly FormatCase[] = [
  {
    name: 'sidecar-title-wins',
    fact: 'custom-title.json wins over all',
    sessions: [{ title: 'By the sidecar', title_source: 'sidecar' }],
  },
  {
    name: 'custom-title-beats-agent-name',
    fact: 'then the last custom-title',
    sessions: [{ title: 'Custom title', title_source: 'custom-title' }],
  },
  {
    name: 'agent-name-beats-ai-title',
    fact: 'then the last agent-name',
    sessions: [{ title: 'cart-fixer', title_source: 'agent-name' }],
  },
  {
    name: 'ai-title-latest-wins',
    fact: 'then the last ai-title that is not empty',
    sessions: [{ title: 'Better guess', title_source: 'ai-title', message_count: 2 }],
  },
  {
    name: 'ai-title-beats-index',
    fact: 'a title in the transcript goes before the index of sessions',
    sessions: [{ title: 'By the model', title_source: 'ai-title', summary: 'Summary in the index' }],
  },
  {
    name: 'index-custom-title',
    fact: 'then the index’s customTitle',
    sessions: [
      { title: 'In the index', title_source: 'index-custom-title', summary: 'Summary in the index' },
    ],
  },
  {
    name: 'index-summary',
    fact: 'then the index’s summary; the transcript’s own branch and first prompt stay',
    sessions: [
      {
        ...{ title: 'Summary in the index', title_source: 'index-summary', branch: 'main' },
        first_prompt: 'first words',
      },
    ],
  },
  {
    name: 'summary-of-this-session',
    fact: 'then the last summary line that names an entry of this session',
    sessions: [{ title: 'The latest', title_source: 'summary', summary: 'The latest' }],
  },
  {
    name: 'summary-in-another-file',
    fact: 'a summary titles the session that holds its entry, not the file it is in',
    sessions: [
      { native_id: A, title: 'Written after the fact', title_source: 'summary' },
      { native_id: B, title: 'other words', title_source: 'first-prompt' },
    ],
  },
  {
    name: 'summary-not-resolving',
    fact: 'a summary of an entry that is nowhere titles nothing',
    sessions: [{ title: 'first words', title_source: 'first-prompt', summary: null }],
  },
  {
    name: 'first-prompt-title',
    fact: 'then the first real prompt, on one line',
    sessions: [
      { title: 'first real words', title_source: 'first-prompt', first_prompt: 'first  real\nwords' },
    ],
  },
  {
    name: 'no-title',
    fact: 'a session that nobody named or prompted has no title',
    sessions: [{ title: null, title_source: 'none', is_empty: 0 }],
  },
  {
    name: 'hint-only-session',
    fact: 'a session that only the index still names is recovered, without messages; a sidechain is not',
    sessions: [
      {
        ...{ native_id: A, kind: 'history', is_gone: 1, is_empty: 1, project: '/home/u/shop', branch: 'dev' },
        ...{
          title: 'Lost and found',
          title_source: 'index-summary',
          first_prompt: 'words of a lost session',
        },
        ...{ created_at: '2026-03-05T10:01:00.000Z', modified_at: '2026-03-05T10:09:00.000Z' },
      },
    ],
  },
  {
    name: 'index-and-history-agree',
    fact: 'what the index and history.jsonl say of a lost session comes together',
    sessions: [
      {
        ...{ native_id: A, kind: 'history', title: 'Lost and found', project: '/home/u/shop' },
        messages: ['1 user prompt: words of a lost session'],
      },
    ],
  },
  {
    name: 'index-never-decides',
    fact: 'a session that the index does not name is there all the same',
    sessions: [{ native_id: B, kind: 'main', message_count: 1 }],
  },
  {
    name: 'index-with-odd-fields',
    fact: 'missing and wrongly typed fields of the index say nothing',
    sessions: [{ native_id: A, title: 'first words', branch: 'main', summary: null }],
  },
  {
    name: 'index-broken',
    fact: 'a broken index is named and costs its own words only',
    sessions: [{ native_id: A, title: 'first words' }],
    skipped: ['sessions-index.json:1: not a JSON object'],
  },
];
