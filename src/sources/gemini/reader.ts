// Reads sessions of Gemini CLI. Their lines are messages and changes to the lines above them: a message is written again when its
// tools have answered, and a resumed session repeats those before. So a file is read twice: first which line has the last word
// about each message, then those lines, in the order in which the messages first came. What a change leaves out stays: it was said.

import { closeSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SkippedLine } from '../../batch.ts';
import { openFile, readForeignFile } from '../../open-file.ts';
import type { SessionKind } from '../../records.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  objectsField,
  stringField,
  timeField,
  toTimestamp,
} from '../json/json-value.ts';
import { LineSplitter, tryParseLine } from '../json/lines.ts';
import { redactLine } from '../json/redact.ts';
import type { SourceReader } from '../source.ts';
import {
  type Entry,
  type EntryToolResult,
  joinTexts,
  newEntry,
  toBlocks,
  toPrompt,
  toReply,
  toTitleFact,
} from '../transcript/entry.ts';
import { type FoundEntry, gatherWhole, readJsonFile } from '../transcript/read-whole.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

export const geminiReader: SourceReader = {
  read: (job, options) =>
    gatherWhole(readEntries(job.path, job.kind, job.sizeBytes), ['invoke_agent'], job, options),
  parseSidecar: () => null,
  redactLine: (line, cleaning) => redactLine(line, undefined, cleaning),
};

/** The line that has the last word about a message, and where in it the message is; null for the line itself. */
interface FoundMessage {
  readonly from: number;
  readonly bytes: number;
  readonly nth: number | null;
}

function* readEntries(path: string, named: SessionKind, sizeBytes: number): Generator<FoundEntry> {
  const whole = path.endsWith('.json') ? readJsonFile(path, sizeBytes) : null;
  if (typeof whole === 'string') {
    yield { line: 1, reason: whole };
    return;
  }
  const { heads, found, skipped } =
    whole === null ? readOutline(path) : { heads: [whole], found: [], skipped: [] };
  const about = describeHeads(heads, findDirectory(path));
  const kind = about.identity?.kind ?? named;
  yield about;
  yield* skipped;
  const messages = whole === null ? readMessages(path, found) : objectsField(whole, 'messages');
  for (const message of messages) {
    const entry = parseMessage(message, kind);
    if (entry !== null) yield entry;
  }
}

function describeHeads(heads: readonly JsonObject[], directory: string | null): Entry {
  const last = (key: string) =>
    heads.map((each) => stringField(each, key)).findLast((text) => text !== null) ?? null;
  const entry = newEntry('session');
  const isSubagent = last('kind') === 'subagent';
  const nativeId = last('sessionId');
  if (nativeId !== null || isSubagent)
    entry.identity = { kind: isSubagent ? 'subagent' : null, nativeId, parentNativeId: null };
  entry.cwd = directory;
  const started = heads.map((each) => field(each, 'startTime'));
  entry.timestamp = toTimestamp(started.find((time) => time !== undefined));
  entry.facts = toTitleFact('aiTitle', last('summary'));
  return entry;
}

function readOutline(path: string) {
  const heads: JsonObject[] = [];
  const found = new Map<string, FoundMessage>();
  const skipped: SkippedLine[] = [];
  let lines = 0;
  const take = (line: Buffer, from: number) => {
    lines++;
    const value = tryParseLine(line);
    if (!isObject(value)) {
      const isBlank = line.toString('utf8').trim() === '';
      if (!isBlank) skipped.push({ line: lines, reason: 'not a JSON object' });
      return;
    }
    const change = objectField(value, '$set');
    const id = stringField(value, 'id');
    if (id !== null) found.set(id, { from, bytes: line.length, nth: null });
    else {
      const { sessionId, startTime, kind, summary } = change ?? value;
      heads.push({ sessionId, startTime, kind, summary });
    }
    const messages = field(change, 'messages');
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
  // A half-written last line is not a whole object; it is read when the rest of it is there.
  const rest = splitter.rest();
  if (rest.length > 0 && isObject(tryParseLine(rest))) take(rest, splitter.completeBytes);
  return { heads, found: [...found.values()], skipped };
}

function* readMessages(path: string, found: readonly FoundMessage[]): Generator<JsonObject> {
  const fd = openFile(path);
  try {
    for (const { from, bytes, nth } of found) {
      const line = Buffer.alloc(bytes);
      readSync(fd, line, 0, bytes, from);
      const value = tryParseLine(line);
      if (!isObject(value)) continue;
      const messages = field(objectField(value, '$set'), 'messages');
      const changed = nth === null ? value : Array.isArray(messages) ? messages[nth] : undefined;
      if (isObject(changed)) yield changed;
    }
  } finally {
    closeSync(fd);
  }
}

/** The directory of the project, which Gemini CLI notes once, in a file above all of its sessions. */
function findDirectory(path: string): string | null {
  let folder = dirname(path);
  for (let level = 0; level < 3; level++) {
    folder = dirname(folder);
    try {
      const text = readForeignFile(join(folder, '.project_root')).toString().trim();
      if (text !== '') return text;
    } catch {
      // Not at this level.
    }
  }
  return null;
}

const quietTypes = new Set(['info', 'error', 'warning', 'about', 'help', 'stats', 'quit']);

function parseMessage(message: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(message, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  switch (type) {
    case 'user':
      entry.message = toPrompt(findTyped(message), kind === 'subagent');
      break;
    case 'gemini': {
      const calls = objectsField(message, 'toolCalls');
      entry.model = stringField(message, 'model');
      entry.message = toReply(joinTexts(toBlocks(field(message, 'content'))));
      entry.toolCalls = calls.flatMap((call) =>
        toToolCalls(stringField(call, 'id'), stringField(call, 'name'), objectField(call, 'args')),
      );
      entry.toolResults = calls.flatMap(findResult);
      break;
    }
    default:
      entry.isUnknownType = !quietTypes.has(type);
      return entry;
  }
  if (entry.message === null && entry.toolCalls.length === 0) return entry;
  entry.uuid = stringField(message, 'id');
  entry.timestamp = timeField(message, 'timestamp');
  entry.isTurn = true;
  return entry;
}

const machineOpenings = ['<session_context>', '<state_snapshot>', 'You have stopped calling tools'];
/** Followed by the files that the person named with @. */
const filesOpening = '--- Content from referenced files ---';

/** What the person typed, where the file keeps it apart from what was sent; answers of tools are nobody's prompt. */
function findTyped(message: JsonObject): string {
  const blocks = toBlocks(field(message, 'displayContent') ?? field(message, 'content'));
  if (blocks.some((block) => field(block, 'functionResponse') !== undefined)) return '';
  const end = blocks.findIndex((block) => stringField(block, 'text')?.trimStart().startsWith(filesOpening));
  const text = joinTexts(end < 0 ? blocks : blocks.slice(0, end));
  return machineOpenings.some((opening) => text.startsWith(opening)) ? '' : text;
}

/** A command that failed has the status `success`: only what is answered to the model says so. */
function findResult(call: JsonObject): EntryToolResult[] {
  const id = stringField(call, 'id');
  const status = stringField(call, 'status');
  if (id === null || status === null) return [];
  const said = objectsField(call, 'result')
    .map((each) => objectField(objectField(each, 'functionResponse'), 'response'))
    .map((response) => stringField(response, 'output') ?? stringField(response, 'error') ?? '')
    .join('\n')
    .replace(/<\/?untrusted_context>\n?/g, '');
  const isError = status !== 'success' || /^Exit Code: [1-9]/m.test(said);
  return [{ id, isError, output: toOutputText(said) }];
}
