// Reads rollouts, plain and compressed, and the names that people gave to sessions.

import type { SessionHint } from '../../records.ts';
import { objectField, parseJsonObject, stringField } from '../json/json-value.ts';
import { readFirstLine } from '../json/lines.ts';
import { holdsSecret, redactLine as redact } from '../json/redact.ts';
import type { KeptBytes } from '../kept-files.ts';
import type { SidecarContent, SourceReader } from '../source.ts';
import { cutTitle } from '../transcript/entry.ts';
import { type LineFormat, readCompressed, readTranscript } from '../transcript/read-transcript.ts';
import { isSilentLine, parseEntry } from './parse.ts';
import { isCompressed } from './places.ts';

const codexLines: LineFormat = {
  subagentTools: ['spawn_agent'],
  isSilent: isSilentLine,
  parseEntry,
};

/** What reads compressed files. */
interface Packed {
  readonly readZstd: (path: string, sizeBytes: number) => Iterable<Buffer>;
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
      const { path, sizeBytes } = job;
      return isCompressed(path)
        ? readCompressed(codexLines, job, options, getPacked(path).readZstd(path, sizeBytes))
        : readTranscript(codexLines, job, options);
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

/** The names that people gave to their sessions, a line each; the last one counts. */
function parseNames(text: string): SidecarContent {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const value = parseJsonObject(line);
    const id = value === null ? null : stringField(value, 'id');
    const name = value === null ? '' : cutTitle(stringField(value, 'thread_name'));
    if (id !== null && name !== '') names.set(id, name);
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

/**
 * What the model has reasoned is encrypted and would be refused if it were edited: where it holds a secret, or looks as if, an item
 * that Codex passes over takes its place.
 */
function redactLine(bytes: Buffer): Buffer {
  return redact(bytes, (line) => {
    const payload = objectField(line, 'payload');
    const isReasoning = line.type === 'response_item' && payload?.type === 'reasoning';
    return isReasoning && holdsSecret(payload) ? { ...line, payload: { type: 'other' } } : line;
  });
}
