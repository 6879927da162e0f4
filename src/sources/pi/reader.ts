// Reads sessions of pi: what loads everything that parsing needs, so only a run that reads loads it.

import { FieldReader } from '../json/read-fields.ts';
import type { SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { readWork } from '../transcript/read-work.ts';
import { parseEntry, sessionShape } from './parse-entry.ts';

const piLines: LineFormat = {
  entryReader: new FieldReader(sessionShape),
  subagentTools: [],
  isSilent: () => false,
  parseEntry,
  prompts: null,
};

export const piReader: SourceReader = {
  read: (job, options) => readTranscript(piLines, job, options),
  parseSidecar: () => null,
  readWork: (path, place, toText) => readWork(piLines, path, place, toText),
};
