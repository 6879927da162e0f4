// Reads Claude Code's files: what loads everything that parsing needs, so only a run that reads loads it.

import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { parseEntry } from './parse-entry.ts';
import { parseHistoryLine } from './parse-history.ts';
import { findRebuiltLines, rebuild, toRebuiltMarker } from './rebuild.ts';
import { redactLine } from './redact-line.ts';
import { parseSidecar } from './sidecars.ts';
import { isSilentLine } from './silent-lines.ts';
import { claudeWorkReader } from './work-reader.ts';

/** Claude Code's lines. */
export const claudeLines: LineFormat = {
  // Older versions have the first.
  subagentTools: ['Task', 'Agent'],
  isSilent: isSilentLine,
  parseEntry,
  parsePrompt: parseHistoryLine,
};

export const claudeReader: SourceReader = {
  ...claudeWorkReader,
  read: (job, options) => readTranscript(claudeLines, job, options),
  parseSidecar,
  rebuild,
  toRebuiltMarker,
  findRebuiltLines,
  redactLine,
};
