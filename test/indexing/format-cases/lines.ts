// docs/format.md 2: what is taken from each type of line, and what damage costs.

import { A, B, type FormatCase } from './case.ts';

export const lineCases: readonly FormatCase[] = [
  {
    name: 'key-order-and-spacing',
    fact: 'the order of keys and the space between them do not matter',
    sessions: [
      {
        messages: ['1 user prompt: keys in another order', '2 assistant reply: Spaces between.'],
        first_cwd: '/home/u/shop',
      },
    ],
  },
  {
    name: 'no-trailing-newline',
    fact: 'a whole last line without newline is taken',
    sessions: [{ messages: ['1 user prompt: whole line', '2 assistant reply: Whole, without its newline.'] }],
  },
  {
    name: 'half-written-last-line',
    fact: 'a half-written last line is left for next time and is no bad line',
    sessions: [{ messages: ['1 user prompt: whole line'] }],
  },
  {
    name: 'bom-and-crlf',
    fact: 'a byte order mark, carriage returns and empty lines do no harm',
    sessions: [
      { messages: ['1 user prompt: saved on Windows', '3 assistant reply: With carriage returns.'] },
    ],
  },
  {
    name: 'malformed-lines',
    fact: 'bad lines cost themselves only and are named',
    sessions: [{ messages: ['1 user prompt: before the damage', '8 assistant reply: After the damage.'] }],
    skipped: [
      `${A}.jsonl:2: not valid JSON`,
      `${A}.jsonl:3: not valid JSON`,
      `${A}.jsonl:4: not valid JSON`,
      `${A}.jsonl:5: not a JSON object`,
      `${A}.jsonl:6: not a JSON object`,
      `${A}.jsonl:7: has no type`,
    ],
  },
  {
    name: 'foreign-bytes',
    fact: 'a file overwritten with foreign bytes is an empty session',
    sessions: [{ native_id: A, is_empty: 1 }],
    skipped: [`${A}.jsonl:1: not valid JSON`, `${A}.jsonl:2: not valid JSON`],
  },
  {
    name: 'empty-file',
    fact: 'a file of 0 bytes is an empty session',
    sessions: [{ native_id: A, is_empty: 1, title: null, title_source: 'none', project: '-home-u-shop' }],
  },
  {
    name: 'no-conversation',
    fact: 'a file without user or assistant lines is an empty session',
    sessions: [{ native_id: A, is_empty: 1, title: null }],
  },
  {
    name: 'progress-skipped',
    fact: 'progress is skipped',
    sessions: [{ messages: ['2 user prompt: only this counts'] }],
  },
  {
    name: 'queued-command-attachment',
    fact: 'the prompt of a queued command is the person’s, unless it is a notification',
    sessions: [
      {
        messages: [
          '1 user prompt: start the server',
          '2 user prompt: and use port 8080',
          '3 user prompt: as in this picture',
        ],
      },
    ],
  },
  {
    name: 'other-attachments',
    fact: 'all other attachments are noise',
    sessions: [{ messages: ['1 user prompt: look at the file'], toolCalls: [] }],
  },
  {
    name: 'system-lines',
    fact: 'system lines hold no conversation; a compaction is counted',
    sessions: [{ messages: ['1 user prompt: a long day'], compaction_count: 1 }],
  },
  {
    name: 'queue-operation-only',
    fact: 'what was typed while the assistant was busy is a prompt',
    sessions: [
      {
        messages: [
          '1 user prompt: run the tests',
          '2 user queued: only the fast ones',
          '3 assistant reply: All pass.',
        ],
        last_prompt: 'only the fast ones',
      },
    ],
  },
  {
    name: 'queue-operation-alone',
    fact: 'a session of nothing but a queued prompt holds it and has its time',
    sessions: [
      {
        messages: ['1 user queued: only ever queued'],
        ...{ title: 'only ever queued', is_empty: 0, created_at: '2026-03-05T10:02:00.000Z' },
      },
    ],
  },
  {
    name: 'queue-operation-also-user',
    fact: 'a queued prompt that came through as a user entry counts once',
    sessions: [{ messages: ['1 user prompt: run the tests', '4 user prompt: then commit'] }],
  },
  {
    name: 'queue-operation-also-queued-command',
    fact: 'a queued prompt that came through as a queued command counts once',
    sessions: [{ messages: ['1 user prompt: run the tests', '3 user prompt: then push'] }],
  },
  {
    name: 'queue-operation-commands-and-tags',
    fact: 'queued commands, notifications and empty prompts are not conversation',
    sessions: [{ messages: ['1 user prompt: run the tests'] }],
  },
  {
    name: 'queue-operation-with-print',
    fact: 'a prompt of claude -p is queued and taken at once, and counts once',
    sessions: [
      {
        messages: [
          '3 user prompt: which key is idempotent?',
          '4 assistant reply: The delivery id.',
          '7 user prompt: and without redis?',
          '8 assistant reply: The offset.',
        ],
        ...{ first_prompt: 'which key is idempotent?', last_prompt: 'and without redis?', message_count: 4 },
      },
    ],
  },
  {
    name: 'queue-operation-absorbed',
    fact: 'a prompt that was taken into a running turn counts once, though it has no user entry',
    sessions: [
      {
        messages: [
          '1 user prompt: start the slow check',
          '6 user prompt: also look at the lathe',
          '7 assistant reply: Both are done.',
        ],
        last_prompt: 'also look at the lathe',
      },
    ],
  },
  {
    name: 'request-notes',
    fact: 'notes about requests, and attachments of what the model is told, say nothing about a session',
    sessions: [
      {
        messages: ['12 user prompt: list the tests', '21 assistant reply: There are none.'],
        ...{
          first_cwd: '/home/u/shop',
          project: '/home/u/shop',
          versions: '["2.1.325"]',
          parent_native_id: null,
        },
        ...{ created_at: '2026-11-05T10:01:00.000Z', modified_at: '2026-11-05T10:30:00.000Z' },
      },
    ],
  },
  {
    name: 'file-history-snapshot-collides',
    fact: 'ids in file history snapshots make no copies of a conversation',
    sessions: [
      { native_id: A, copies: 1 },
      { native_id: B, copies: 1, messages: ['1 user prompt: another session'] },
    ],
  },
  {
    name: 'last-prompt',
    fact: 'the latest last-prompt line is the last prompt',
    sessions: [{ first_prompt: 'the first', last_prompt: 'the very last', message_count: 2 }],
  },
  {
    name: 'notes-of-2.1.326',
    fact: 'what Claude Code 2.1.326 notes for itself is known and says nothing',
    sessions: [{ native_id: A, message_count: 2, modified_at: '2026-11-01T10:02:00.000Z' }],
  },
  {
    name: 'tag-and-origin',
    fact: 'the last tag counts, a branch names its origin, and a work tree where it was made',
    sessions: [{ native_id: A, tag: 'urgent', own_branched_from: B, original_cwd: '/home/u/main' }],
  },
  {
    name: 'silent-types',
    fact: 'types known to hold nothing are skipped without being counted as unknown',
    sessions: [{ messages: ['1 user prompt: only this counts'] }],
  },
  {
    name: 'relocated',
    fact: 'the latest relocation moves the session to another project',
    sessions: [{ relocated_cwd: '/srv/shop', first_cwd: '/home/u/shop', project: '/srv/shop' }],
  },
  {
    name: 'continued-in',
    fact: 'a session names its successor',
    sessions: [{ native_id: A, continued_in: B }],
  },
  {
    name: 'pr-link',
    fact: 'the latest pull request is kept with the session',
    sessions: [
      {
        pr_number: 42,
        pr_url: 'https://example.org/u/shop/pull/42',
        pr_repository: 'u/shop',
        message_count: 1,
      },
    ],
  },
  {
    name: 'unknown-type-counted',
    fact: 'unknown types are counted by type and version, the last version seen where none is said',
    sessions: [
      {
        messages: ['1 user prompt: hello'],
        unknownByVersion: ['mood-ring 2.1.120 1', 'mood-ring 2.1.121 2', 'tide-table 2.1.121 1'],
      },
    ],
    unknownTypes: { 'mood-ring': 3, 'tide-table': 1 },
  },
  {
    name: 'old-tool-result-form-float-timestamps',
    fact: 'tool results of their own type and times in seconds are understood',
    sessions: [
      {
        messages: ['1 user prompt: run pytest', '2 assistant reply: Running.'],
        times: ['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:21.500Z'],
        modified_at: '2023-11-14T22:13:22.000Z',
        toolCalls: ['2 Bash pytest !'],
      },
    ],
  },
  {
    name: 'missing-fields',
    fact: 'an entry without id, time, directory or content keeps what it has',
    sessions: [
      {
        messages: ['1 user prompt: nothing but words', '2 assistant reply: No model, no id.'],
        times: [null, null],
        models: '[]',
        first_cwd: null,
      },
    ],
  },
];
