// Reads sessions of Copilot CLI: what loads everything that parsing needs, so only a run that reads loads it.

import { type JsonObject, objectField } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { holdsSecret, redactLine } from '../json/redact-line.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { eventShape, parseEntry } from './parse-entry.ts';
import { parseWorkspace } from './parse-workspace.ts';

const copilotLines: LineFormat = {
  entryReader: new FieldReader(eventShape),
  subagentTools: [],
  isSilent: isSilentLine,
  parseEntry,
  prompts: null,
};

const openings = ['system.message', 'session.usage_record', 'session.shutdown'].map((type) =>
  Buffer.from(`{"type":"${type}",`),
);

/** The longest lines, among them the system prompt with all that was injected into it. */
function isSilentLine(line: Buffer): boolean {
  return openings.some((opening) => line.subarray(0, opening.length).equals(opening));
}

/** The model's reasoning, as it was sent and as it is sent back. */
function leaveOutSigned(line: JsonObject): JsonObject {
  const data = objectField(line, 'data');
  if (data === null) return line;
  const { reasoningText, reasoningOpaque, encryptedContent, ...rest } = data;
  return holdsSecret({ reasoningText, reasoningOpaque, encryptedContent }) ? { ...line, data: rest } : line;
}

export const copilotReader: SourceReader = {
  read: (job, options) => readTranscript(copilotLines, job, options),
  parseSidecar: (_file, text) => ({ customTitle: parseWorkspace(text), meta: null, hints: [] }),
  redactLine: (line) => redactLine(line, leaveOutSigned),
};
