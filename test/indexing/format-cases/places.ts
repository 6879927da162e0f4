// docs/format.md 1: which file is which session, whose child it is, and which project it belongs to.

import { A, B, type FormatCase } from './case.ts';

export const placeCases: readonly FormatCase[] = [
  {
    name: 'main-session',
    fact: 'a file in a project folder is a main session',
    sessions: [
      {
        ...{ native_id: A, kind: 'main', parent_native_id: null, slug: '-home-u-shop', branch: 'main' },
        ...{ models: '["claude-sonnet-4-5"]', versions: '["2.1.100"]', is_empty: 0, is_gone: 0 },
        ...{ created_at: '2026-03-05T10:01:00.000Z', modified_at: '2026-03-05T10:02:00.000Z' },
        messages: ['1 user prompt: why does the login fail', '2 assistant reply: The token has expired.'],
      },
    ],
  },
  {
    name: 'several-session-ids-in-one-file',
    fact: 'the id of a session is the name of its file, whatever ids are inside',
    sessions: [{ native_id: A, kind: 'main', parent_native_id: null, message_count: 3 }],
  },
  {
    name: 'non-uuid-ids',
    fact: 'ids of sessions and entries need not be uuids',
    sessions: [
      { native_id: '2024-11-23-session', kind: 'main', messages: ['1 user prompt: fix the header'] },
      { native_id: 'session-abc123', kind: 'main', messages: ['1 user prompt: fix the footer'] },
    ],
  },
  {
    name: 'flat-agent',
    fact: 'an older flat agent belongs to the session named inside it',
    sessions: [
      {
        ...{ native_id: '1a2b3c4d', kind: 'subagent', parent_native_id: A, title_source: 'first-prompt' },
        messages: ['1 user ~task: list unused exports', '2 assistant ~reply: Seven exports are unused.'],
      },
      { native_id: A, kind: 'main' },
    ],
  },
  {
    name: 'nested-agent-with-meta',
    fact: 'a nested agent belongs to the session of its folder and is described by its meta.json',
    sessions: [
      {
        ...{ native_id: 'a1b2c3', kind: 'subagent', parent_native_id: A, subagent_type: 'Explore' },
        ...{ subagent_description: 'Find dead code', title: 'Find dead code', title_source: 'description' },
        ...{ subagent_tool_use_id: 'toolu_01', first_prompt: 'list unused exports', project: '/home/u/shop' },
      },
      { native_id: A, kind: 'main', toolCalls: ['2 Task Find dead code'] },
    ],
  },
  {
    name: 'agent-meta-without-description',
    fact: 'an agent without description is titled by its first prompt',
    sessions: [
      { subagent_type: 'general-purpose', title: 'list unused exports', title_source: 'first-prompt' },
    ],
  },
  {
    name: 'agent-meta-broken',
    fact: 'a broken meta.json costs its own words only',
    sessions: [{ subagent_type: null, title: 'list unused exports', is_empty: 0 }],
    skipped: ['agent-a1b2c3.meta.json:1: not a JSON object'],
  },
  {
    name: 'agent-whose-parent-is-gone',
    fact: 'an agent outlives the file of its parent',
    sessions: [{ native_id: 'a1b2c3', kind: 'subagent', parent_native_id: A }],
  },
  {
    name: 'agent-inside-names-another-session',
    fact: 'the folder of a nested agent says who its parent is, not the session named inside',
    sessions: [{ native_id: 'a1b2c3', parent_native_id: A }],
  },
  {
    name: 'named-agent',
    fact: 'an agent id may hold a name',
    sessions: [{ native_id: 'areviewer-9f8e7d', kind: 'subagent', is_machinery: 0, message_count: 1 }],
  },
  {
    name: 'workflow-agent-and-journal',
    fact: 'a workflow’s agents are agents of the session, its journal is not a session',
    sessions: [
      {
        ...{ native_id: 'd4e5f6', kind: 'subagent', parent_native_id: A, subagent_type: 'workflow' },
        title: 'Translate the strings to French',
      },
    ],
  },
  {
    name: 'machinery-agents',
    fact: 'Claude Code’s own helpers are recorded without their text',
    sessions: [
      { native_id: A, is_machinery: 0, message_count: 1 },
      { native_id: 'acompact-1a2b', kind: 'subagent', parent_native_id: A, is_machinery: 1, is_empty: 1 },
      { native_id: 'aprompt_suggestion-3c4d', is_machinery: 1, is_empty: 1, title: null },
      { native_id: 'aside_question-5e6f', is_machinery: 1, is_empty: 1 },
    ],
  },
  {
    name: 'tool-results-folder-and-memory-skipped',
    fact: 'spilled tool results and memory notes are not sessions',
    sessions: [{ native_id: A, message_count: 1 }],
  },
  {
    name: 'transcripts-export',
    fact: 'a compact export is a session of kind transcript, named by its file',
    sessions: [
      {
        ...{ native_id: 'ses_4f5e6d7c8b9a', kind: 'transcript', slug: null, project: null },
        messages: ['1 user prompt: rename the helper'],
        toolCalls: ['2 Edit src/helper.ts'],
        modified_at: '2026-03-05T10:04:00.000Z',
      },
    ],
  },
  {
    name: 'set-aside',
    fact: 'a transcript that was set aside is an earlier state of the session it names, as is a folder',
    sessions: [
      { native_id: 'a1b2c3', kind: 'subagent', parent_native_id: A },
      { native_id: A, kind: 'main', title: 'Why does the queue stall?', copies: 1, message_count: 3 },
      {
        ...{ native_id: 'orphaned-1793527260000-0a1b2c3d', kind: 'precompact', parent_native_id: A },
        messages: ['1 user prompt: Start again with the ibis.'],
      },
      {
        ...{ native_id: 'superseded-1793527200000', kind: 'precompact', parent_native_id: A },
        message_count: 3,
      },
    ],
  },
  {
    name: 'precompact-history',
    fact: 'a history saved before compaction belongs to its main session and is no copy of it',
    sessions: [
      {
        native_id: '2026-03-05-aaaaaaaa',
        kind: 'precompact',
        parent_native_id: A,
        project: '/home/u/shop',
        copies: 1,
      },
      { native_id: A, kind: 'main', compaction_count: 1, message_count: 3, copies: 1 },
    ],
  },
  {
    name: 'history-recovers-deleted',
    fact: 'history.jsonl gives back the prompts of a session whose file is gone, and nothing to one that is there',
    sessions: [
      {
        ...{ native_id: A, kind: 'history', is_gone: 1, project: '/home/u/shop', slug: null },
        ...{ title: 'why is the build slow', title_source: 'first-prompt', last_prompt: 'the cache rules' },
        messages: ['1 user prompt: why is the build slow', '2 user command: the cache rules'],
        times: ['2026-03-05T10:01:00.000Z', '2026-03-05T10:03:00.000Z'],
      },
      { native_id: B, kind: 'main', is_gone: 0, message_count: 1 },
    ],
  },
  {
    name: 'history-without-session-id',
    fact: 'old history lines are gathered by project and day, unless a transcript covers them',
    sessions: [
      { native_id: A, kind: 'main' },
      {
        ...{ kind: 'history', project: '/home/u/shop', created_at: '2026-03-05T10:01:00.000Z' },
        messages: ['1 user prompt: an early question', '2 user prompt: a second one that day'],
      },
      { kind: 'history', project: '/home/u/blog', messages: ['1 user prompt: elsewhere'] },
      { kind: 'history', project: '/home/u/shop', messages: ['1 user prompt: next day'] },
    ],
  },
  {
    name: 'history-pasted-contents',
    fact: 'pasted text is put back where history.jsonl still holds it',
    sessions: [
      {
        messages: [
          '1 user prompt: explain TypeError: x is undefined\n  at main.ts please',
          '2 user prompt: and [Pasted text #1]',
        ],
      },
    ],
  },
  {
    name: 'other-state-skipped',
    fact: 'plans, todos, logs, snapshots and settings are not sessions',
    sessions: [{ native_id: A, message_count: 1 }],
  },
  {
    name: 'project-path-from-first-cwd',
    fact: 'the project is the first directory of the session, whatever the index says',
    sessions: [{ project: '/home/u/shop', first_cwd: '/home/u/shop', last_cwd: '/home/u/shop/api' }],
  },
  {
    name: 'project-path-from-any-line',
    fact: 'a directory counts on whatever type of line it is',
    sessions: [{ project: '/home/u/shop', first_cwd: '/home/u/shop', last_cwd: '/home/u/shop/api' }],
  },
  {
    name: 'project-path-from-index',
    fact: 'without a directory the project is what sessions-index.json says of the session',
    sessions: [{ project: '/home/u/shop', first_cwd: null }],
  },
  {
    name: 'project-path-from-index-original',
    fact: 'failing that, the project is the folder’s originalPath',
    sessions: [{ project: '/home/u/shop', first_cwd: null }],
  },
  {
    name: 'project-path-from-slug',
    fact: 'failing that, the project is the folder’s name as it is',
    sessions: [{ project: '-home-u-shop', first_cwd: null }],
  },
  {
    name: 'windows-path',
    fact: 'a Windows path is kept as it is',
    sessions: [{ project: 'C:\\Users\\maya\\blog', slug: 'C--Users-maya-blog' }],
  },
];
