// Calls of tools as older versions note them: what the model asked for, its arguments as JSON within JSON, and later what
// it was answered.

import {
  field,
  isObject,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
} from '../json/json-value.ts';
import type { EntryToolCall, EntryToolResult } from '../transcript/entry.ts';
import { toInputText, toOutputText, toToolCall } from '../transcript/work-text.ts';
import { toTarget } from './item-calls.ts';

export function toLegacyCalls(item: JsonObject): readonly EntryToolCall[] {
  const id = stringField(item, 'call_id');
  switch (stringField(item, 'type')) {
    case 'function_call':
      return toCalls(id, stringField(item, 'name'), stringField(item, 'arguments') ?? '');
    case 'custom_tool_call':
      return toCalls(id, stringField(item, 'name'), stringField(item, 'input') ?? '');
    case 'local_shell_call':
      return [toCommand(id, objectField(item, 'action') ?? {})];
    default:
      return [];
  }
}

const shellNames: ReadonlySet<string> = new Set(['shell', 'exec_command', 'local_shell', 'container.exec']);

function toCalls(id: string | null, name: string | null, given: string): EntryToolCall[] {
  if (name === null) return [];
  const input = parseJsonObject(given);
  if (shellNames.has(name) && input !== null) return [toCommand(id, input)];
  if (name === 'apply_patch') return toPatch(id, stringField(input ?? {}, 'input') ?? given);
  return [
    input === null ? { id, name, target: null, input: toInputText(given) } : toToolCall(id, name, input),
  ];
}

function toCommand(id: string | null, input: JsonObject): EntryToolCall {
  const command = field(input, 'command') ?? field(input, 'cmd');
  const last = Array.isArray(command) ? command.at(-1) : command;
  const text = typeof last === 'string' ? last : '';
  return { id, name: 'shell', target: toTarget(text), input: toInputText(text) };
}

const patchedFile = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** One call for each file, as newer versions note it. */
function toPatch(id: string | null, patch: string): EntryToolCall[] {
  const files = [...patch.matchAll(patchedFile)].map(([, path]) => path?.trim() ?? '');
  return (files.length === 0 ? [''] : files).map((path, i) => ({
    id,
    name: 'apply_patch',
    target: toTarget(path),
    input: i === 0 ? toInputText(patch) : '',
  }));
}

export function toLegacyResults(item: JsonObject): readonly EntryToolResult[] {
  const id = stringField(item, 'call_id');
  const type = stringField(item, 'type');
  if (id === null || (type !== 'function_call_output' && type !== 'custom_tool_call_output')) return [];
  const said = toSaid(field(item, 'output'));
  const wrapped = said.startsWith('{') ? parseJsonObject(said) : null;
  const output = wrapped === null ? said : (stringField(wrapped, 'output') ?? '');
  const code =
    wrapped === null ? findExitCode(said) : field(objectField(wrapped, 'metadata') ?? {}, 'exit_code');
  return [{ id, isError: typeof code === 'number' && code !== 0, output: toOutputText(output) }];
}

/** A text, or blocks of it. */
function toSaid(output: unknown): string {
  if (typeof output === 'string') return output;
  const blocks = Array.isArray(output) ? output : [output];
  return blocks
    .filter(isObject)
    .flatMap((block) => stringField(block, 'text') ?? [])
    .join('\n');
}

/** Among the first lines, before what the command printed. */
function findExitCode(said: string): number | null {
  const [, code] = /^(?:Exit code:|Process exited with code) (\d{1,4})$/m.exec(said.slice(0, 400)) ?? [];
  return code === undefined ? null : Number(code);
}
