// The text of a call or an answer, read again from the line of a transcript that holds it.

import { closeSync, fstatSync, readSync } from 'node:fs';
import { redact } from '../../text/redact.ts';
import { openFile } from '../files/open-file.ts';
import { parseJsonObject } from '../json/json-value.ts';
import type { ToWorkText, WorkPassage, WorkPlace } from '../source.ts';
import { type Entry, redactCall } from './entry.ts';
import type { LineFormat } from './read-transcript.ts';

/** A longer line is not read for a passage of it. */
const maxLineBytes = 4 * 1024 * 1024;

/** Null where the transcript is no longer as it was. */
export function readWork(
  parseEntry: LineFormat['parseEntry'],
  path: string,
  place: WorkPlace,
  toText: ToWorkText,
): WorkPassage | null {
  const line = readWorkLine(path, place);
  return line === null ? null : parseWork(parseEntry, line, place, toText);
}

export function parseWork(
  parseEntry: LineFormat['parseEntry'],
  line: Buffer,
  place: WorkPlace,
  toText: ToWorkText,
): WorkPassage | null {
  const value = parseJsonObject(line.toString());
  const entry = value === null ? null : parseEntry(value, place.kind);
  return entry === null ? null : toPassage(entry, place, toText);
}

/** Null where it is too long, or no longer there. */
export function readWorkLine(path: string, { lineFrom, lineBytes }: WorkPlace): Buffer | null {
  let fd: number;
  try {
    fd = openFile(path);
  } catch {
    return null;
  }
  try {
    if (fstatSync(fd).size < lineFrom + lineBytes) return null;
    return findWorkLine({ lineFrom, lineBytes }, (from, to) => {
      const buffer = Buffer.alloc(to - from);
      return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from));
    });
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

const newline = 10;

/** Null where what was there before is no line any more. `read` gives fewer bytes at the end. */
export function findWorkLine(
  { lineFrom, lineBytes }: Pick<WorkPlace, 'lineFrom' | 'lineBytes'>,
  read: (from: number, to: number) => Buffer | null,
): Buffer | null {
  if (lineBytes === 0 || lineBytes > maxLineBytes) return null;
  // With the byte before it and the byte after it, which are line ends.
  const start = Math.max(0, lineFrom - 1);
  const end = lineFrom + lineBytes + 1;
  const found = read(start, end);
  if (found === null) return null;
  const line = found.subarray(lineFrom - start, lineFrom - start + lineBytes);
  const isStart = lineFrom === 0 || found[0] === newline;
  const isEnd = found.length < end - start || found[found.length - 1] === newline;
  return isStart && isEnd && !line.includes(newline) ? line : null;
}

const maxFirstLineBytes = 1024 * 1024;

/** Null where it is longer than any first line. */
export function readFirstLine(chunks: Iterable<Buffer>): Buffer | null {
  const parts: Buffer[] = [];
  let length = 0;
  for (const chunk of chunks) {
    const end = chunk.indexOf(newline);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) return Buffer.concat(parts);
    if (length > maxFirstLineBytes) return null;
  }
  return null;
}

/** Secrets go before `toText` cuts anything: half of one would not be recognised. */
export function toPassage(
  { toolCalls, toolResults, timestamp }: Entry,
  { nth, isOutput, isRedacting }: WorkPlace,
  toText: ToWorkText,
): WorkPassage | null {
  if (isOutput) {
    const output = toolResults[nth]?.output;
    if (output === undefined) return null;
    return { text: toText(isRedacting ? redact(output) : output), timestamp };
  }
  const call = toolCalls[nth];
  if (call === undefined) return null;
  const { input, given } = isRedacting ? redactCall(call) : call;
  return { text: toText(input, given), timestamp };
}
