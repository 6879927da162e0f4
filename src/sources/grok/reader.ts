// Reads what Grok sends to its model. The stream of updates beside it says the same in pieces of some words, with times; those of
// a session are in its summary. Which session is a subagent, and whose, only other files say.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readForeignFile } from '../../open-file.ts';
import type { Identity, SessionKind } from '../../records.ts';
import {
  field,
  type JsonObject,
  objectField,
  objectsField,
  parseJsonObject,
  stringField,
  timeField,
} from '../json/json-value.ts';
import { redactLine } from '../json/redact.ts';
import type { SidecarContent } from '../source.ts';
import {
  type Entry,
  joinTexts,
  newEntry,
  toBlocks,
  toNames,
  toPrompt,
  toReply,
} from '../transcript/entry.ts';
import { type LineFormat, readsLines, readTranscript } from '../transcript/read-transcript.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

const lines: LineFormat = { subagentTools: ['spawn_subagent'], parseEntry };

export const grokReader = readsLines(lines, {
  read: (job, options) => {
    const identity = findIdentity(job.path);
    const isSubagent = identity !== null;
    const withIdentity = (line: JsonObject) => {
      const entry = parseEntry(line, isSubagent ? 'subagent' : job.kind);
      return entry?.type === 'system' ? { ...entry, identity } : entry;
    };
    return readTranscript({ ...lines, parseEntry: withIdentity }, job, options);
  },
  parseSidecar: ({ nativeId }, text) => parseSummary(nativeId ?? '', text),
  redactLine: (bytes, cleaning) =>
    redactLine(
      bytes,
      (line, isChanged) =>
        line.type === 'reasoning' && isChanged(line) ? { type: line.type, id: line.id, summary: [] } : line,
      cleaning,
    ),
});

/** Null for a session of its own. The one that started a subagent notes that in its folder, beside that of the subagent. */
function findIdentity(path: string): Identity | null {
  const folder = dirname(path);
  try {
    const summary = parseJsonObject(readForeignFile(join(folder, 'summary.json')).toString());
    if (stringField(summary, 'session_kind') !== 'subagent') return null;
    const beside = dirname(folder);
    const parent = readdirSync(beside).find((name) =>
      existsSync(join(beside, name, 'subagents', basename(folder), 'meta.json')),
    );
    return { kind: 'subagent', nativeId: null, parentNativeId: parent ?? null };
  } catch {
    return null;
  }
}

/** Without a model for titles, a title is the start of the first prompt, as the summary is. */
function parseSummary(nativeId: string, text: string): SidecarContent | null {
  const summary = parseJsonObject(text);
  if (summary === null) return null;
  const title = stringField(summary, 'generated_title');
  const hint = {
    nativeId,
    projectPath: stringField(objectField(summary, 'info'), 'cwd'),
    branch: stringField(summary, 'head_branch'),
    summary: title === stringField(summary, 'session_summary') ? null : title,
    createdAt: timeField(summary, 'created_at'),
    modifiedAt: timeField(summary, 'last_active_at') ?? timeField(summary, 'updated_at'),
  };
  return { hints: [hint] };
}

const quiet = toNames('backend_tool_call reasoning system');

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  entry.isTurn = true;
  switch (type) {
    case 'user':
      // A message that nobody typed has a `synthetic_reason`, or no `prompt_index`.
      if (field(line, 'prompt_index') !== undefined && field(line, 'synthetic_reason') === undefined)
        entry.message = toPrompt(toTyped(joinTexts(toBlocks(field(line, 'content')))), kind === 'subagent');
      break;
    case 'assistant':
      entry.model = stringField(line, 'model_id');
      entry.message = toReply(joinTexts(toBlocks(field(line, 'content'))));
      entry.toolCalls = objectsField(line, 'tool_calls').flatMap((call) => {
        const given = parseJsonObject(stringField(call, 'arguments') ?? '');
        return toToolCalls(stringField(call, 'id'), stringField(call, 'name'), given);
      });
      break;
    case 'tool_result': {
      const id = stringField(line, 'tool_call_id');
      const output = joinTexts(toBlocks(field(line, 'content')));
      const isError = /^exit: (?!0\b)/.test(output);
      if (id !== null) entry.toolResults = [{ id, isError, output: toOutputText(output) }];
      break;
    }
    default:
      entry.isTurn = false;
      entry.isUnknownType = !quiet.has(type);
  }
  return entry;
}

function toTyped(text: string): string {
  const [, typed = text] = /^<user_query>\n?(.*?)\n?<\/user_query>/s.exec(text) ?? [];
  return typed.startsWith('<system-reminder>') ? '' : typed.trim();
}
