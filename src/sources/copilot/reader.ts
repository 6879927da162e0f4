// Reads sessions of Copilot CLI: what loads everything that parsing needs, so only a run that reads loads it.

import { FieldReader } from '../json/read-fields.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { readWork } from '../transcript/read-work.ts';
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

export const copilotReader: SourceReader = {
  read: (job, options) => readTranscript(copilotLines, job, options),
  parseSidecar: (_file, text) => ({ customTitle: parseWorkspace(text), meta: null, hints: [] }),
  readWork: (path, place, toText) => readWork(copilotLines, path, place, toText),
};
