// Reads conversations of Antigravity. A line is a step: what was typed, an answer with calls of tools, or what a tool returned.
// Steps are numbered, and what a call returned is the step after that of the call.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  type JsonObject,
  objectField,
  objectsField,
  stringField,
  timeField,
  trimmedField,
} from '../json/json-value.ts';
import { type Entry, type EntryToolCall, newEntry, toNames, toPrompt, toReply } from '../transcript/entry.ts';
import { readsLines } from '../transcript/read-transcript.ts';
import { toOutputText, toToolCall } from '../transcript/tool-call.ts';

export const antigravityReader = readsLines({ subagentTools: [], parseEntry });

/** Steps of the program itself. */
const quiet = toNames(`CHECKPOINT CONVERSATION_HISTORY EPHEMERAL_MESSAGE ERROR_MESSAGE KNOWLEDGE_ARTIFACTS
  SYSTEM_MESSAGE`);

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const source = stringField(line, 'source');
  const type = stringField(line, 'type') ?? findType(source);
  if (type === null) return null;
  const entry = newEntry(type);
  const text = trimmedField(line, 'content');
  const step = integerField(line, 'step_index');
  entry.timestamp = timeField(line, 'created_at');
  entry.isTurn = true;
  if (type === 'USER_INPUT') {
    // Others than the person give input too.
    if (source === 'USER_EXPLICIT') entry.message = toPrompt(toTyped(text), kind === 'subagent');
  } else if (type === 'PLANNER_RESPONSE') {
    entry.message = toReply(text);
    entry.toolCalls = objectsField(line, 'tool_calls').flatMap((call, i) => toCall(call, toId(step, i + 1)));
  } else if (source === 'MODEL') {
    // Each tool has a type of its own.
    const id = toId(step, 0);
    const isError = stringField(line, 'status') === 'ERROR';
    if (id !== null) entry.toolResults = [{ id, isError, output: toOutputText(text) }];
  } else {
    entry.isTurn = false;
    entry.isUnknownType = !quiet.has(type);
  }
  return entry;
}

/** Some lines have no type. */
function findType(source: string | null): string | null {
  return source === 'USER_EXPLICIT' ? 'USER_INPUT' : source === 'MODEL' ? 'PLANNER_RESPONSE' : null;
}

/** What is added to a prompt, the time for example, comes after it. */
function toTyped(text: string): string {
  const [, typed = text] = /<USER_REQUEST>(.*?)(?:<\/USER_REQUEST>|$)/s.exec(text) ?? [];
  return typed.replace(/<(ADDITIONAL_METADATA|USER_SETTINGS_CHANGE)>.*?(?:<\/\1>|$)/gs, '').trim();
}

function toId(step: number | null, further: number): string | null {
  return step === null ? null : `step ${step + further}`;
}

const targets = 'AbsolutePath CommandLine DirectoryPath Query SearchPath TargetFile Url'.split(' ');

/** Each value of a call is a text that holds JSON. */
function toCall(call: JsonObject, id: string | null): EntryToolCall[] {
  const name = stringField(call, 'name');
  const args = Object.entries(objectField(call, 'args') ?? {});
  const given = Object.fromEntries(args.map(([key, value]) => [key, unquote(value)]));
  const target = targets.map((key) => field(given, key)).find((value) => typeof value === 'string');
  return name === null ? [] : [{ ...toToolCall(id, name, given), target: target ?? null }];
}

function unquote(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
