// One line of a rollout → what it says. Codex writes the conversation twice: as the model is given it (response_item), mixed
// with instructions and environments, and as the person sees it (event_msg). The second is read. Older versions note calls
// of tools only in the first, so there these are taken from it. Pure and total.

import type { SessionKind } from '../../records.ts';
import {
  field,
  isObject,
  type JsonObject,
  objectField,
  stringField,
  toExcerpt,
  toTimestamp,
} from '../json/json-value.ts';
import type { Entry } from '../transcript/entry.ts';
import { type EntryDraft, newEntry } from '../transcript/new-entry.ts';
import { toItemCalls } from './item-calls.ts';
import { toLegacyCalls, toLegacyResults } from './legacy-calls.ts';
import { quietEvents, quietItems, quietTypes } from './silent-lines.ts';

/** Null when the line has no type and so is not an entry. */
export function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  const payload = objectField(line, 'payload') ?? {};
  const timestamp = toTimestamp(field(line, 'timestamp'));
  switch (type) {
    case 'session_meta':
      entry.timestamp = timestamp;
      fillFromMeta(entry, payload);
      break;
    case 'turn_context':
      entry.model = stringField(payload, 'model');
      break;
    case 'event_msg':
      fillFromEvent(entry, payload, kind);
      break;
    case 'response_item':
      // Numbered lines belong to a file in which events say everything.
      if (field(line, 'ordinal') === undefined) {
        entry.toolCalls = toLegacyCalls(payload);
        entry.toolResults = toLegacyResults(payload);
      }
      break;
    default:
      entry.isUnknownType = !quietTypes.has(type);
  }
  if (entry.message !== null || entry.toolCalls.length > 0) {
    entry.timestamp = timestamp;
    entry.isTurn = true;
  }
  return entry;
}

/** A fork has only its new turns, and says whose it continues; a subagent says who started it. */
function fillFromMeta(entry: EntryDraft, meta: JsonObject): void {
  const id = stringField(meta, 'id');
  const parent = stringField(meta, 'parent_thread_id');
  const origin = stringField(meta, 'forked_from_id');
  const isSubagent = stringField(meta, 'thread_source') === 'subagent' && parent !== null;
  if (isSubagent) entry.identity = { kind: 'subagent', nativeId: null, parentNativeId: parent };
  else entry.kin = [id, origin].filter((each) => each !== null);
  entry.cwd = stringField(meta, 'cwd');
  entry.branch = stringField(objectField(meta, 'git') ?? {}, 'branch');
  entry.version = stringField(meta, 'cli_version');
  const nickname = stringField(meta, 'agent_nickname')?.trim() ?? '';
  if (isSubagent && nickname !== '')
    entry.title = { source: 'agent-name', text: toExcerpt(nickname, maxNameChars) };
}

const maxNameChars = 200;

function fillFromEvent(entry: EntryDraft, event: JsonObject, kind: SessionKind): void {
  const type = stringField(event, 'type') ?? '';
  switch (type) {
    case 'item_completed':
      fillFromItem(entry, objectField(event, 'item') ?? {}, kind);
      break;
    case 'user_message':
      addPrompt(entry, stringField(event, 'message') ?? '', kind);
      break;
    case 'agent_message':
      addAnswer(entry, stringField(event, 'message') ?? '');
      break;
    case 'context_compacted':
      entry.isCompaction = true;
      break;
    default:
      nameUnknown(entry, type, quietEvents);
  }
}

function fillFromItem(entry: EntryDraft, item: JsonObject, kind: SessionKind): void {
  const type = stringField(item, 'type') ?? '';
  switch (type) {
    case 'UserMessage':
      entry.uuid = stringField(item, 'id');
      addPrompt(entry, toText(item), kind);
      break;
    case 'AgentMessage':
      entry.uuid = stringField(item, 'id');
      addAnswer(entry, toText(item));
      break;
    case 'ContextCompaction':
      entry.isCompaction = true;
      break;
    default: {
      const found = toItemCalls(item);
      if (found === null) nameUnknown(entry, type, quietItems);
      else {
        entry.toolCalls = found.calls;
        entry.toolResults = found.results;
      }
    }
  }
}

/** By its own name: `event_msg` alone would not say what is new. */
function nameUnknown(entry: EntryDraft, type: string, quiet: ReadonlySet<string>): void {
  if (quiet.has(type)) return;
  entry.type = `${entry.type} ${type}`;
  entry.isUnknownType = true;
}

function toText(item: JsonObject): string {
  const content = field(item, 'content');
  if (!Array.isArray(content)) return '';
  const texts = content.filter(isObject).flatMap((block) => {
    // `text` in a prompt, `Text` in an answer.
    return stringField(block, 'type')?.toLowerCase() === 'text' ? (stringField(block, 'text') ?? []) : [];
  });
  return texts.join('\n\n');
}

/** What Codex puts into the conversation in the person's name, in versions that note it as a prompt. */
const machineOpenings = [
  '<environment_context>',
  '<user_instructions>',
  '<subagent_notification>',
  '<turn_aborted>',
  '<skill>',
  '# AGENTS.md instructions for ',
];

function addPrompt(entry: EntryDraft, raw: string, kind: SessionKind): void {
  const text = raw.trim();
  if (text === '' || machineOpenings.some((opening) => text.startsWith(opening))) return;
  entry.message = { role: 'user', kind: kind === 'subagent' ? 'task' : 'prompt', text, isSidechain: false };
}

function addAnswer(entry: EntryDraft, raw: string): void {
  const text = raw.trim();
  if (text !== '') entry.message = { role: 'assistant', kind: 'reply', text, isSidechain: false };
}
