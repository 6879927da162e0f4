// Reads Claude Code's files: what loads everything that parsing needs, so only a run that reads loads it.

import { isObject } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import type { SourceReader } from '../source.ts';
import { withoutMark } from '../transcript/batch-builder.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { entryShape, historyShape } from './entry-shape.ts';
import { parseEntry } from './parse-entry.ts';
import { parseHistoryLine } from './parse-history.ts';
import { parseSidecar } from './sidecars.ts';
import { isSilentLine } from './silent-lines.ts';
import { cutWork } from './work-text.ts';

/** Claude Code's lines. */
export const claudeLines: LineFormat = {
  entryReader: new FieldReader(entryShape),
  promptReader: new FieldReader(historyShape),
  isSilent: isSilentLine,
  cutWork,
  parseEntry,
  parsePrompt: parseHistoryLine,
};

export const claudeReader: SourceReader = {
  read: (job, options) => readTranscript(claudeLines, job, options),
  parseSidecar,
  parseWork: (line, { nth, isOutput, kind }, clean) => {
    const value = claudeLines.entryReader.read(withoutMark(line));
    const entry = isObject(value) ? parseEntry(value, kind) : null;
    const text = isOutput ? entry?.toolResults[nth]?.output : entry?.toolCalls[nth]?.input;
    if (entry === null || text === undefined) return null;
    return { text: cutWork(clean(text), isOutput), timestamp: entry.timestamp };
  },
};
