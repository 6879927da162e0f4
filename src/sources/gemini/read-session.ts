// Reads a session of Gemini CLI. Its lines are messages and changes to the lines above them: a message is written again
// when its tools have answered, and a resumed session repeats those before. So the file is read twice: first which line has the
// last word about each message, then those lines, in the order in which the messages first came. What a change leaves out
// stays: it was said.

import { closeSync, readFileSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SkippedLine } from '../../batch.ts';
import type { SessionKind } from '../../records.ts';
import { openFile } from '../files/open-file.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  toTimestamp,
} from '../json/json-value.ts';
import { FieldReader } from '../json/read-fields.ts';
import { LineSplitter } from '../json/split-lines.ts';
import type { Entry } from '../transcript/entry.ts';
import type { FoundEntry } from '../transcript/gather-whole.ts';
import { newEntry } from '../transcript/new-entry.ts';
import { messageShape, parseMessage } from './parse-message.ts';

const head = { sessionId: true, startTime: true, kind: true, summary: true } as const;
const outline = new FieldReader({ ...head, id: true, type: true, $set: { ...head, messages: { id: true } } });
const lineReader = new FieldReader({ ...messageShape, $set: { messages: messageShape } });

/** The line that has the last word about a message, and where in it the message is; null for the line itself. */
interface Found {
  readonly from: number;
  readonly bytes: number;
  readonly nth: number | null;
}

/** A session that is one JSON value has to be held as a whole. */
const maxWholeBytes = 32 * 1024 * 1024;

export function* readEntries(path: string, named: SessionKind, sizeBytes: number): Generator<FoundEntry> {
  const whole = path.endsWith('.json') ? readWhole(path, sizeBytes) : null;
  if (typeof whole === 'string') {
    yield { line: 1, reason: whole };
    return;
  }
  const { heads, found, skipped } =
    whole === null ? readOutline(path) : { heads: [whole], found: [], skipped: [] };
  const about = toHead(heads, findDirectory(path));
  const kind = about.identity?.kind ?? named;
  yield about;
  yield* skipped;
  const messages = whole === null ? readMessages(path, found) : toMessages(whole);
  for (const message of messages) {
    const entry = parseMessage(message, kind);
    if (entry !== null) yield entry;
  }
}

function readWhole(path: string, sizeBytes: number): JsonObject | string {
  if (sizeBytes > maxWholeBytes) return `longer than ${maxWholeBytes / 1024 / 1024} MiB`;
  const fd = openFile(path);
  try {
    return parseJsonObject(readFileSync(fd, 'utf8')) ?? 'not a JSON object';
  } finally {
    closeSync(fd);
  }
}

function toMessages(session: JsonObject): JsonObject[] {
  const messages = field(session, 'messages');
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

function toHead(heads: readonly JsonObject[], directory: string | null): Entry {
  const last = (key: string) =>
    heads.map((each) => stringField(each, key)).findLast((text) => text !== null) ?? null;
  const entry = newEntry('session');
  const isSubagent = last('kind') === 'subagent';
  const nativeId = last('sessionId');
  const summary = last('summary')?.trim() ?? '';
  if (nativeId !== null || isSubagent)
    entry.identity = { kind: isSubagent ? 'subagent' : null, nativeId, parentNativeId: null };
  entry.cwd = directory;
  entry.timestamp = toTimestamp(
    heads.map((each) => field(each, 'startTime')).find((time) => time !== undefined),
  );
  if (summary !== '') entry.title = { source: 'ai-title', text: summary };
  return entry;
}

function readOutline(path: string) {
  const heads: JsonObject[] = [];
  const found = new Map<string, Found>();
  const skipped: SkippedLine[] = [];
  let lines = 0;
  const take = (line: Buffer, from: number) => {
    lines++;
    const value = readLine(outline, line);
    if (!isObject(value)) {
      const isBlank = line.toString('utf8').trim() === '';
      if (!isBlank) skipped.push({ line: lines, reason: 'not a JSON object' });
      return;
    }
    const change = objectField(value, '$set');
    const id = stringField(value, 'id');
    if (id !== null) found.set(id, { from, bytes: line.length, nth: null });
    else heads.push(change ?? value);
    const messages = change === null ? undefined : field(change, 'messages');
    for (const [nth, message] of (Array.isArray(messages) ? messages : []).entries()) {
      const own = isObject(message) ? stringField(message, 'id') : null;
      if (own !== null) found.set(own, { from, bytes: line.length, nth });
    }
  };
  const splitter = new LineSplitter({
    onLine: take,
    onTooLong: () => skipped.push({ line: ++lines, reason: 'too long' }),
  });
  const fd = openFile(path);
  try {
    for (let position = 0; ; ) {
      const room = splitter.room();
      const bytes = readSync(fd, room, 0, room.length, position);
      if (bytes === 0) break;
      splitter.push(bytes);
      position += bytes;
    }
  } finally {
    closeSync(fd);
  }
  // Half written, it is not a whole object, and is read when its end has come.
  const rest = splitter.rest();
  if (rest.length > 0 && isObject(readLine(outline, rest))) take(rest, splitter.completeBytes);
  return { heads, found: [...found.values()], skipped };
}

function* readMessages(path: string, found: readonly Found[]): Generator<JsonObject> {
  const fd = openFile(path);
  try {
    for (const { from, bytes, nth } of found) {
      const line = Buffer.alloc(bytes);
      readSync(fd, line, 0, bytes, from);
      const value = readLine(lineReader, line);
      if (!isObject(value)) continue;
      const changed = nth === null ? value : toChanged(value, nth);
      if (isObject(changed)) yield changed;
    }
  } finally {
    closeSync(fd);
  }
}

function toChanged(value: JsonObject, nth: number): unknown {
  const messages = field(objectField(value, '$set') ?? {}, 'messages');
  return Array.isArray(messages) ? messages[nth] : undefined;
}

/** Undefined where the bytes are not JSON, or make the reader give up. */
function readLine(reader: FieldReader, line: Buffer): unknown {
  try {
    return reader.read(line);
  } catch {
    return undefined;
  }
}

/** The directory of the project, which Gemini CLI notes once, in a file above all of its sessions. */
function findDirectory(path: string): string | null {
  let folder = dirname(path);
  for (let level = 0; level < 3; level++) {
    folder = dirname(folder);
    try {
      const text = readFileSync(join(folder, '.project_root'), 'utf8').trim();
      if (text !== '') return text;
    } catch {
      // Not at this level.
    }
  }
  return null;
}
