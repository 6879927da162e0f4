// Reads Claude Code's files: what loads everything that parsing needs, so only a run that reads loads it.

import { FieldReader } from '../json/read-fields.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { entryShape, historyShape } from './entry-shape.ts';
import { parseEntry } from './parse-entry.ts';
import { parseHistoryLine } from './parse-history.ts';
import { findRebuiltLines, rebuild, toRebuiltMarker } from './rebuild.ts';
import { redactLine } from './redact-line.ts';
import { parseSidecar } from './sidecars.ts';
import { isSilentLine } from './silent-lines.ts';

/** Claude Code's lines. */
export const claudeLines: LineFormat = {
  entryReader: new FieldReader(entryShape),
  // Older versions have the first.
  subagentTools: ['Task', 'Agent'],
  isSilent: isSilentLine,
  parseEntry,
  prompts: { reader: new FieldReader(historyShape), parse: parseHistoryLine },
};

export const claudeReader: SourceReader = {
  read: (job, options) => readTranscript(claudeLines, job, options),
  parseSidecar,
  rebuild,
  toRebuiltMarker,
  findRebuiltLines,
  redactLine,
};
