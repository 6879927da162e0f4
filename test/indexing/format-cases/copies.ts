// docs/format.md 5: sessions that hold the same entries are one conversation, and each keeps all its messages.

import { A, B, C, type FormatCase } from './case.ts';

export const copyCases: readonly FormatCase[] = [
  {
    name: 'resumed-copy',
    fact: 'a resumed session and its original are one conversation',
    sessions: [
      { native_id: A, copies: 2, message_count: 2 },
      { native_id: B, copies: 2, message_count: 3 },
      { native_id: C, copies: 1, message_count: 1 },
    ],
  },
  {
    name: 'copy-of-a-copy',
    fact: 'a copy of a copy belongs to the same conversation',
    sessions: [
      { native_id: A, copies: 3 },
      { native_id: B, copies: 3 },
      { native_id: C, copies: 3 },
    ],
  },
  {
    name: 'entries-appended-again',
    fact: 'entries that are written a second time into the same file count once',
    sessions: [
      {
        native_id: A,
        message_count: 4,
        tool_call_count: 1,
        compaction_count: 1,
        messages: [
          '1 user prompt: Why does the queue stall?',
          '2 assistant reply: I look at the worker.',
          '6 user prompt: And how is it fixed?',
          '12 assistant reply: With a shorter lock.',
        ],
      },
    ],
  },
  {
    name: 'named-branch',
    fact: 'a branch that somebody named is a session of its own; one that Claude Code named is a copy',
    sessions: [
      { native_id: A, copies: 2, branched_from: null },
      { native_id: B, copies: 1, branched_from: A, title: 'queue with redis' },
      { native_id: C, copies: 2, branched_from: null },
    ],
  },
  {
    name: 'forked-session',
    fact: 'a fork has the name of its origin until somebody names it',
    sessions: [
      { native_id: A, copies: 2, branched_from: null },
      { native_id: B, copies: 2, branched_from: null, own_branched_from: A },
    ],
  },
  {
    name: 'renamed-fork',
    fact: 'a fork that somebody named is a session of its own',
    sessions: [
      { native_id: A, copies: 1, branched_from: null },
      { native_id: B, copies: 1, branched_from: A },
    ],
  },
  {
    name: 'renamed-copy',
    fact: 'so is one that does not say where it comes from, but goes on where another one ends',
    sessions: [
      { native_id: A, copies: 1, branched_from: null },
      { native_id: B, copies: 1, branched_from: A },
    ],
  },
  {
    name: 'agent-under-two-slugs',
    fact: 'one agent file under two projects is one conversation',
    sessions: [
      { native_id: '1a2b3c4d', slug: '-home-u-shop', parent_native_id: A, copies: 2 },
      { native_id: '1a2b3c4d', slug: '-home-u-shop-api', parent_native_id: A, copies: 2 },
    ],
  },
];
