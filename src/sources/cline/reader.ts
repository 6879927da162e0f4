// Reads sessions of Cline, each of which is one JSON value that is written anew after every step.

import type { SessionKind } from '../../records.ts';
import {
  field,
  isTrue,
  type JsonObject,
  objectField,
  objectsField,
  parseJsonObject,
  stringField,
  timeField,
} from '../json/json-value.ts';
import { redactLine } from '../json/redact.ts';
import type { SidecarContent, SourceReader } from '../source.ts';
import { type Entry, joinTexts, newEntry, toBlocks, toPrompt, toReply } from '../transcript/entry.ts';
import { type FoundEntry, gatherWhole, readJsonFile } from '../transcript/read-whole.ts';
import { toOutputText, toToolCall } from '../transcript/tool-call.ts';

export const clineReader: SourceReader = {
  read: (job, options) =>
    gatherWhole(readEntries(job.path, job.kind, job.sizeBytes), ['spawn_agent'], job, options),
  redactLine: (line, cleaning) => redactLine(line, undefined, cleaning),
  parseSidecar: ({ nativeId }, text) => parseAbout(nativeId ?? '', text),
};

function parseAbout(nativeId: string, text: string): SidecarContent | null {
  const about = parseJsonObject(text);
  if (about === null) return null;
  const title = stringField(objectField(about, 'metadata'), 'title');
  const prompt = stringField(about, 'prompt') ?? '';
  const hint = {
    nativeId,
    projectPath: stringField(about, 'cwd'),
    // A title that nobody gave is the first line of the prompt.
    customTitle: title !== null && prompt.startsWith(title) ? null : title,
  };
  return { hints: [hint] };
}

function* readEntries(path: string, kind: SessionKind, sizeBytes: number): Generator<FoundEntry> {
  const whole = readJsonFile(path, sizeBytes);
  if (typeof whole === 'string') {
    yield { line: 1, reason: whole };
    return;
  }
  const version = stringField(objectField(whole, 'origin'), 'version');
  for (const message of objectsField(whole, 'messages')) yield { ...parseMessage(message, kind), version };
}

function parseMessage(message: JsonObject, kind: SessionKind): Entry {
  const role = stringField(message, 'role') ?? '';
  const entry = newEntry(`message ${role}`);
  const blocks = toBlocks(field(message, 'content'));
  if (role === 'user') {
    entry.message = toPrompt(toTyped(joinTexts(blocks)), kind === 'subagent');
    entry.toolResults = blocks.flatMap(findResult);
  } else if (role === 'assistant') {
    entry.model = stringField(objectField(message, 'modelInfo'), 'id');
    entry.message = toReply(joinTexts(blocks));
    entry.toolCalls = blocks.flatMap((block) => {
      const name = stringField(block, 'name');
      if (stringField(block, 'type') !== 'tool_use' || name === null) return [];
      const given = objectField(block, 'input');
      const call = toToolCall(stringField(block, 'id'), name, given);
      return [{ ...call, target: call.target ?? findTarget(given) }];
    });
  } else entry.isUnknownType = true;
  entry.uuid = stringField(message, 'id');
  entry.timestamp = timeField(message, 'ts');
  entry.isTurn = true;
  return entry;
}

/** One call may run several commands or read several files. */
function findTarget(given: JsonObject | null): string | null {
  const { commands, task } = given ?? {};
  if (Array.isArray(commands)) return commands.filter((each) => typeof each === 'string').join('; ');
  return typeof task === 'string' ? task : null;
}

/** Notices of the program are before or after what was typed. */
function toTyped(text: string): string {
  const [, typed = text] = /<user_input[^>]*>(.*?)<\/user_input>/s.exec(text) ?? [];
  return typed.replace(/<(mode_notice|environment_details)>.*?(?:<\/\1>|$)/gs, '').trim();
}

/** A tool that is given several things answers each of them. */
function findResult(block: JsonObject): Entry['toolResults'] {
  const id = stringField(block, 'tool_use_id');
  if (stringField(block, 'type') !== 'tool_result' || id === null) return [];
  const parts = toBlocks(field(block, 'content'));
  const said = parts.map((part) => stringField(part, 'result') ?? stringField(part, 'text') ?? '');
  const isError = isTrue(block, 'is_error') || parts.some((part) => field(part, 'success') === false);
  return [{ id, isError, output: toOutputText(said.join('\n')) }];
}
