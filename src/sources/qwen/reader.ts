// Reads chats of Qwen Code: what loads everything that parsing needs, so only a run that reads loads it.

import { type JsonObject, parseJsonObject, stringField } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { redactLine, withoutSignedBlocks } from '../json/redact-line.ts';
import type { SidecarContent, SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { chatShape, parseEntry } from './parse-entry.ts';

const qwenLines: LineFormat = {
  entryReader: new FieldReader(chatShape),
  subagentTools: ['agent', 'task'],
  isSilent: isSilentLine,
  parseEntry,
  prompts: null,
};

const telemetry = Buffer.from('"type":"system","provenance":"system"');
const uiTelemetry = Buffer.from('"subtype":"ui_telemetry"');
/** The type comes after the ids, the subtype after the directory and the branch. */
const typeWithin = 400;
const subtypeWithin = 1200;

/** Most of a chat's bytes, and all that is repeated. A line that starts in another way is parsed. */
export function isSilentLine(line: Buffer): boolean {
  if (!line.subarray(0, typeWithin).includes(telemetry)) return false;
  const payload = line.indexOf('"systemPayload"');
  const subtype = line.subarray(0, subtypeWithin).indexOf(uiTelemetry);
  return subtype >= 0 && subtype < payload;
}

function leaveOutSigned(line: JsonObject): JsonObject {
  return withoutSignedBlocks(line, 'parts', ({ thought }) => thought === true, { text: '[redacted]' });
}

export const qwenReader: SourceReader = {
  read: (job, options) => readTranscript(qwenLines, job, options),
  parseSidecar: (_file, text) => parseMeta(text),
  redactLine: (line) => redactLine(line, leaveOutSigned),
};

/** What a subagent is for. */
function parseMeta(text: string): SidecarContent | null {
  const value = parseJsonObject(text);
  if (value === null) return null;
  const meta = {
    subagentType: stringField(value, 'agentType'),
    description: stringField(value, 'description'),
    toolUseId: stringField(value, 'toolUseId'),
  };
  return { customTitle: null, meta, hints: [] };
}
