// What parse-entry.ts and parse-history.ts read of a line; nothing else of it is ever decoded.

import type { Shape } from '../json/wanted-fields.ts';

const textBlocks = { type: true, text: true } satisfies Shape;
const toolResult = { tool_use_id: true, is_error: true } satisfies Shape;
const origin = { kind: true } satisfies Shape;

export const entryShape = {
  type: true,
  uuid: true,
  sessionId: true,
  timestamp: true,
  cwd: true,
  gitBranch: true,
  version: true,
  message: {
    role: true,
    model: true,
    timestamp: true,
    content: { ...textBlocks, ...toolResult, id: true, name: true, input: true, content: textBlocks },
    ...toolResult,
  },
  isMeta: true,
  isSidechain: true,
  isCompactSummary: true,
  isApiErrorMessage: true,
  origin,
  promptSource: true,
  attachment: { type: true, prompt: textBlocks, isMeta: true, origin, promptSource: true },
  operation: true,
  content: textBlocks,
  subtype: true,
  summary: true,
  leafUuid: true,
  customTitle: true,
  agentName: true,
  aiTitle: true,
  lastPrompt: true,
  relocatedCwd: true,
  continuedInSessionId: true,
  prNumber: true,
  prUrl: true,
  prRepository: true,
  ...toolResult,
  tool_name: true,
  tool_input: true,
} satisfies Shape;

export const historyShape = {
  display: true,
  pastedContents: true,
  sessionId: true,
  project: true,
  timestamp: true,
} satisfies Shape;
