// Reads sessions of pi: what loads everything that parsing needs, so only a run that reads loads it.

import type { JsonObject } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { redactLine, withoutSignedBlocks } from '../json/redact-line.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { parseEntry, sessionShape } from './parse-entry.ts';

const piLines: LineFormat = {
  entryReader: new FieldReader(sessionShape),
  subagentTools: [],
  isSilent: () => false,
  parseEntry,
  prompts: null,
};

function leaveOutSigned(line: JsonObject): JsonObject {
  const placeholder = { type: 'text', text: '[redacted]' };
  return withoutSignedBlocks(line, 'content', ({ type }) => type === 'thinking', placeholder);
}

export const piReader: SourceReader = {
  read: (job, options) => readTranscript(piLines, job, options),
  parseSidecar: () => null,
  redactLine: (line) => redactLine(line, leaveOutSigned),
};
