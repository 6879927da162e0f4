// Reads rollouts: what loads everything that parsing needs, so only a run that reads loads it.

import type { SessionHint } from '../../records.ts';
import { parseJsonObject, stringField, toExcerpt } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import type { SidecarContent, SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { readWork } from '../transcript/read-work.ts';
import { rolloutShape } from './entry-shape.ts';
import { parseEntry } from './parse-entry.ts';
import { isCompressed } from './places.ts';
import { isSilentLine } from './silent-lines.ts';

export const codexLines: LineFormat = {
  entryReader: new FieldReader(rolloutShape),
  subagentTools: ['spawn_agent'],
  isSilent: isSilentLine,
  parseEntry,
  prompts: null,
};

/** With what reads compressed files, where there are any: it loads much that is of no other use. */
export function toReader(readCompressed: typeof readTranscript | null): SourceReader {
  return {
    read: (job, options) => {
      const read = isCompressed(job.path) ? readCompressed : readTranscript;
      if (read === null) throw new Error(`nobody announced ${job.path}`);
      return read(codexLines, job, options);
    },
    parseSidecar: (_file, text) => parseNames(text),
    // Finding one line of a compressed file would take as long as reading all of it.
    readWork: (path, place, toText) =>
      isCompressed(path) ? null : readWork(codexLines, path, place, toText),
  };
}

const maxNameChars = 1000;

/** The names that people gave to their sessions, a line each; the last one counts. */
function parseNames(text: string): SidecarContent {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const value = parseJsonObject(line);
    const id = value === null ? null : stringField(value, 'id');
    const name = value === null ? null : (stringField(value, 'thread_name')?.trim() ?? null);
    if (id !== null && name !== null && name !== '') names.set(id, toExcerpt(name, maxNameChars));
  }
  return { customTitle: null, meta: null, hints: [...names].map(([id, name]) => toHint(id, name)) };
}

function toHint(nativeId: string, customTitle: string): SessionHint {
  return {
    nativeId,
    customTitle,
    firstPrompt: null,
    summary: null,
    createdAt: null,
    modifiedAt: null,
    branch: null,
    projectPath: null,
    pullRequest: null,
  };
}
