// What parse-entry.ts reads of a line of a rollout; nothing else of it is ever decoded, least of all the histories that a
// compaction repeats.

import type { Shape } from '../json/wanted-fields.ts';

const texts = { type: true, text: true } satisfies Shape;

export const rolloutShape = {
  timestamp: true,
  ordinal: true,
  type: true,
  payload: {
    type: true,
    id: true,
    parent_thread_id: true,
    forked_from_id: true,
    cwd: true,
    cli_version: true,
    thread_source: true,
    agent_nickname: true,
    git: { branch: true },
    model: true,
    message: true,
    kind: true,
    item: {
      type: true,
      id: true,
      content: texts,
      command: true,
      exit_code: true,
      status: true,
      aggregated_output: true,
      changes: true,
      tool: true,
      prompt: true,
      server: true,
      arguments: true,
      query: true,
    },
    name: true,
    call_id: true,
    arguments: true,
    input: true,
    output: true,
    action: { command: true },
  },
} satisfies Shape;
