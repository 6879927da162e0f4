// Reads sessions of Gemini CLI: what loads everything that parsing needs, so only a run that reads loads it.

import { redactLine } from '../json/redact-line.ts';
import type { SourceReader } from '../source.ts';
import { gatherWhole } from '../transcript/gather-whole.ts';
import { readEntries } from './read-session.ts';

const subagentTools = ['invoke_agent'];

export const geminiReader: SourceReader = {
  read: (job, options) =>
    gatherWhole(readEntries(job.path, job.kind, job.sizeBytes), subagentTools, job, options),
  parseSidecar: () => null,
  redactLine: (line) => redactLine(line),
};
