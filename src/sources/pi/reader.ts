// Reads sessions of pi: what loads everything that parsing needs, so only a run that reads loads it.

import type { JsonObject } from '../json/json-value.ts';
import { redactLine, withoutSignedBlocks } from '../json/redact-line.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { parseWork, readWork } from '../transcript/read-work.ts';
import { parseEntry } from './parse-entry.ts';

const piLines: LineFormat = {
  subagentTools: [],
  isSilent: () => false,
  parseEntry,
};

function leaveOutSigned(line: JsonObject): JsonObject {
  const placeholder = { type: 'text', text: '[redacted]' };
  return withoutSignedBlocks(line, 'content', ({ type }) => type === 'thinking', placeholder);
}

export const piReader: SourceReader = {
  read: (job, options) => readTranscript(piLines, job, options),
  parseSidecar: () => null,
  readWork: (path, place, toText) => readWork(parseEntry, path, place, toText),
  parseWork: (line, place, toText) => parseWork(parseEntry, line, place, toText),
  redactLine: (line) => redactLine(line, leaveOutSigned),
};
