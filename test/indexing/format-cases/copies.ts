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
    name: 'agent-under-two-slugs',
    fact: 'one agent file under two projects is one conversation',
    sessions: [
      { native_id: '1a2b3c4d', slug: '-home-u-shop', parent_native_id: A, copies: 2 },
      { native_id: '1a2b3c4d', slug: '-home-u-shop-api', parent_native_id: A, copies: 2 },
    ],
  },
];
