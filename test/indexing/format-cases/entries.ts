// docs/format.md 3: what in a user or assistant entry is conversation, and whose words it is.

import { expect } from 'vitest';
import { A, type FormatCase } from './case.ts';

export const entryCases: readonly FormatCase[] = [
  {
    name: 'content-string-or-blocks',
    fact: 'content is a string or blocks; several text blocks are one message',
    sessions: [
      {
        messages: [
          '1 user prompt: as a string',
          '2 user prompt: as a block\n\nand another',
          '3 assistant reply: Blocks.',
          '4 assistant reply: A string.',
        ],
      },
    ],
  },
  {
    name: 'unknown-blocks',
    fact: 'unknown and oddly shaped blocks are ignored, the text beside them stays',
    sessions: [
      {
        messages: ['1 user prompt: what is in this picture', '2 assistant reply: A cat.'],
        toolCalls: ['2 web_search cat pictures'],
      },
    ],
  },
  {
    name: 'one-api-message-over-several-lines',
    fact: 'each line of one API message is a message of its own',
    sessions: [
      {
        messages: [
          '1 user prompt: fix it',
          '3 assistant reply: I will look.',
          '5 assistant reply: Found it.',
        ],
        toolCalls: ['4 Read src/a.ts'],
      },
    ],
  },
  {
    name: 'meta-lines',
    fact: 'meta lines are not the person’s words',
    sessions: [{ messages: ['3 user prompt: not meta'], first_prompt: 'not meta' }],
  },
  {
    name: 'local-command-wrappers',
    fact: 'what local commands print is not the person’s words',
    sessions: [{ messages: ['7 user prompt: the only prompt'] }],
  },
  {
    name: 'command-args',
    fact: 'the arguments of a slash command were typed, its name and message are not kept',
    sessions: [{ messages: ['1 user command: issue 42 in the cart'], title: 'issue 42 in the cart' }],
  },
  {
    name: 'bash-input',
    fact: 'a shell line was typed, what it printed was not',
    sessions: [
      {
        messages: ['1 user shell: git status --short', '3 user prompt: commit it'],
        first_prompt: 'commit it',
      },
    ],
  },
  {
    name: 'system-reminder-inside-prompt',
    fact: 'a reminder within a prompt is cut out, the rest stays',
    sessions: [{ messages: ['1 user prompt: rename the cart\n\nto basket', '2 user prompt: and the tests'] }],
  },
  {
    name: 'task-notification',
    fact: 'a task notification goes with all that follows it',
    sessions: [{ messages: ['2 user prompt: what did it say'] }],
  },
  {
    name: 'interrupted',
    fact: 'a note of an interruption is not a prompt',
    sessions: [{ messages: ['1 user prompt: delete the branch'], last_prompt: 'delete the branch' }],
  },
  {
    name: 'suggestion-mode-and-skills',
    fact: 'suggestion requests and skill texts are not prompts',
    sessions: [{ messages: ['3 user prompt: my own words'] }],
  },
  {
    name: 'origin-not-human',
    fact: 'an entry whose origin is not human is not a prompt',
    sessions: [{ messages: ['3 user prompt: from a person', '4 user prompt: also from a person'] }],
  },
  {
    name: 'prompt-source',
    fact: 'a prompt from the system is not the person’s, a typed one is',
    sessions: [{ messages: ['2 user prompt: typed by hand'] }],
  },
  {
    name: 'compact-recap',
    fact: 'a recap after compaction is a kind of its own and titles nothing',
    sessions: [
      {
        messages: [
          expect.stringMatching(/^1 user recap: .*It was about carts\.$/),
          expect.stringMatching(/^2 user recap: .*set no flag\.$/),
          '3 user prompt: go on',
        ],
        first_prompt: 'go on',
        title: 'go on',
      },
    ],
  },
  {
    name: 'inlined-sidechain',
    fact: 'inlined subagent talk is kept as such and does not title the session',
    sessions: [
      {
        messages: [
          '1 user prompt: look for dead code',
          '2 user ~task: list unused exports',
          '3 assistant ~reply: Seven exports are unused.',
          '4 assistant reply: There are seven.',
        ],
        last_prompt: 'look for dead code',
      },
    ],
  },
  {
    name: 'api-error-and-synthetic',
    fact: 'API errors and synthetic answers are not conversation',
    sessions: [
      {
        messages: ['1 user prompt: hello', '5 assistant reply: Hello.'],
        models: '["claude-sonnet-4-5"]',
      },
    ],
  },
  {
    name: 'warmup-agent',
    fact: 'an agent that was only warmed up is marked',
    sessions: [{ native_id: '1a2b3c4d', parent_native_id: A, is_warmup: 1 }],
  },
  {
    name: 'warmup-main-session',
    fact: 'a person who types “Warmup” is not an agent',
    sessions: [{ native_id: A, kind: 'main', is_warmup: 0, message_count: 1 }],
  },
  {
    name: 'thinking-never',
    fact: 'thinking is never indexed',
    sessions: [{ messages: ['1 user prompt: why', '2 assistant reply: Because.'] }],
  },
  {
    name: 'tool-targets',
    fact: 'of a tool call its name and target are kept, a path before a command, and of all else the words',
    sessions: [
      {
        toolCalls: [
          '1 Read src/a.ts',
          '1 NotebookEdit plots.ipynb',
          '1 Glob src',
          '1 Bash npm test',
          '1 Grep TODO',
          '1 WebFetch https://example.org',
          '1 WebSearch sqlite fts5',
          '1 Note tidy up',
          '1 Skill release',
          '1 Spawn Explore',
          '2 Edit src/b.ts',
          '2 TodoWrite',
        ],
        ...{ messages: [], tool_call_count: 12, is_empty: 1 },
      },
    ],
  },
  {
    name: 'tool-error',
    fact: 'of a tool result its failure is kept, and of its text the words',
    sessions: [{ toolCalls: ['1 Bash npm test !', '1 Bash npm run lint', '3 Read a.ts'], messages: [] }],
  },
  {
    name: 'order-is-the-files-order',
    fact: 'messages are in the order of the file, times are UTC, the session spans them all',
    sessions: [
      {
        times: ['2026-03-05T12:00:00.000Z', '2026-03-05T11:00:00.000Z', '2026-03-05T12:00:00.000Z'],
        ...{ created_at: '2026-03-05T11:00:00.000Z', modified_at: '2026-03-05T12:00:00.000Z' },
      },
    ],
  },
];
