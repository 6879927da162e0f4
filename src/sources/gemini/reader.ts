// Reads sessions of Gemini CLI: what loads everything that parsing needs, so only a run that reads loads it.

import { redactLine } from '../json/redact-line.ts';
import type { SourceReader, ToWorkText, WorkPassage, WorkPlace } from '../source.ts';
import { gatherWhole } from '../transcript/gather-whole.ts';
import { readWorkLine, toPassage } from '../transcript/read-work.ts';
import { readEntries, readMessage } from './read-session.ts';

const subagentTools = ['invoke_agent'];

function parseWork(line: Buffer, place: WorkPlace, toText: ToWorkText): WorkPassage | null {
  const entry = readMessage(line, place.kind);
  return entry === null ? null : toPassage(entry, place, toText);
}

export const geminiReader: SourceReader = {
  read: (job, options) =>
    gatherWhole(readEntries(job.path, job.kind, job.sizeBytes), subagentTools, job, options),
  parseSidecar: () => null,
  readWork: (path, place, toText) => {
    const line = readWorkLine(path, place);
    return line === null ? null : parseWork(line, place, toText);
  },
  parseWork,
  redactLine: (line) => redactLine(line),
};
