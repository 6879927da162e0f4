// Reads rollouts: what loads everything that parsing needs, so only a run that reads loads it.

import type { SessionHint } from '../../records.ts';
import { objectField, parseJsonObject, stringField, toExcerpt } from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { readFirstLine } from '../json/split-lines.ts';
import type { KeptBytes } from '../kept-files.ts';
import type { SidecarContent, SourceReader } from '../source.ts';
import type { LineFormat } from '../transcript/line-format.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { rolloutShape } from './entry-shape.ts';
import { parseEntry } from './parse-entry.ts';
import { isCompressed } from './places.ts';
import { redactLine } from './redact-line.ts';
import { isSilentLine } from './silent-lines.ts';

export const codexLines: LineFormat = {
  entryReader: new FieldReader(rolloutShape),
  subagentTools: ['spawn_agent'],
  isSilent: isSilentLine,
  parseEntry,
  prompts: null,
};

/** What reads compressed files. */
export interface Packed {
  readonly read: typeof readTranscript;
  readonly readFirstLine: (chunks: Iterable<Buffer>) => Buffer | null;
}

/** `packed` where there are compressed files: it loads much that is of no other use. */
export function toReader(packed: Packed | null): SourceReader {
  const getPacked = (path: string) => {
    if (packed === null) throw new Error(`the reader was not loaded for compressed files: ${path}`);
    return packed;
  };
  return {
    read: (job, options) => {
      const read = isCompressed(job.path) ? getPacked(job.path).read : readTranscript;
      return read(codexLines, job, options);
    },
    parseSidecar: (_file, text) => parseNames(text),
    findNeeded: (file) =>
      findBase(isCompressed(file.path) ? getPacked(file.path).readFirstLine : readFirstLine, file),
    redactLine,
  };
}

/** A fork has only its new turns, and is not resumed without the rollout that has the others. */
function findBase(readFirst: Packed['readFirstLine'], file: KeptBytes): readonly string[] {
  const line = parseJsonObject(readFirst(file.chunks())?.toString() ?? '');
  const base = objectField(objectField(line ?? {}, 'payload') ?? {}, 'history_base');
  const id = base === null ? null : stringField(base, 'thread_id');
  return id === null ? [] : [id];
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
