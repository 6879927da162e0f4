// Reads sessions of Kimi Code. A line is an event; the conversation is in those of the `context`, and all others repeat it or are
// the program's own bookkeeping.

import type { SessionKind } from '../../records.ts';
import {
  field,
  isTrue,
  type JsonObject,
  objectField,
  parseJsonObject,
  stringField,
  timeField,
  trimmedField,
} from '../json/json-value.ts';
import type { SidecarContent } from '../source.ts';
import {
  compaction,
  type Entry,
  type EntryDraft,
  joinTexts,
  newEntry,
  toBlocks,
  toNames,
  toPrompt,
  toReply,
  toUserMessage,
} from '../transcript/entry.ts';
import { readsLines } from '../transcript/read-transcript.ts';
import { toOutputText, toToolCalls } from '../transcript/tool-call.ts';

export const kimiReader = readsLines(
  { subagentTools: ['Agent', 'AgentSwarm'], isSilent, parseEntry },
  { parseSidecar: ({ nativeId }, text) => parseState(nativeId ?? '', text) },
);

const silent = ['llm.tools_snapshot', 'profile.bind'].map((type) => `{"type":"${type}"`);

/** System prompts and lists of tools. */
function isSilent(line: Buffer): boolean {
  const start = line.toString('latin1', 0, 40);
  return silent.some((opening) => start.startsWith(opening));
}

/** `cwd` was `workDir` before version 2. A title that nobody gave is the start of the first prompt. */
function parseState(nativeId: string, text: string): SidecarContent | null {
  const state = parseJsonObject(text);
  if (state === null) return null;
  const hint = {
    nativeId,
    projectPath: stringField(state, 'cwd') ?? stringField(state, 'workDir'),
    customTitle: isTrue(state, 'isCustomTitle') ? stringField(state, 'title') : null,
  };
  return { hints: [hint] };
}

/** What types start with. */
const known =
  toNames(`agent config context cron file_history full_compaction goal hook llm mcp metadata micro_compaction
  permission plan plan_mode plugin profile prompt runtime session skill subagent swarm task todo token_counting tools turn usage`);

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  entry.timestamp = timeField(line, 'time');
  switch (type) {
    case 'metadata':
      entry.timestamp = timeField(line, 'created_at');
      break;
    case 'llm.request':
      entry.model = stringField(line, 'model');
      break;
    case 'context.append_message':
      addMessage(entry, objectField(line, 'message'), kind);
      break;
    case 'context.append_loop_event':
      addEvent(entry, objectField(line, 'event'));
      break;
    case 'context.apply_compaction': {
      const { summary } = line;
      const said =
        typeof summary === 'string'
          ? summary
          : joinTexts(toBlocks(field(objectField(line, 'summary'), 'content')));
      entry.facts = compaction;
      entry.message = toUserMessage('recap', said.trim());
      break;
    }
    default:
      entry.isUnknownType = !known.has(type.split('.', 1)[0] ?? '');
  }
  return entry;
}

/** Reminders are the user's too, but for their origin; older versions name none for what was typed. */
function addMessage(entry: EntryDraft, message: JsonObject | null, kind: SessionKind): void {
  const origin = stringField(objectField(message, 'origin'), 'kind') ?? 'user';
  const isTask = kind === 'subagent' && origin === 'system_trigger';
  if (stringField(message, 'role') !== 'user' || (origin !== 'user' && !isTask)) return;
  const text = joinTexts(toBlocks(field(message, 'content'))).replace(gitContext, '');
  entry.message = toPrompt(text, kind === 'subagent');
  entry.uuid = stringField(message, 'id');
  entry.isTurn = true;
}

/** Comes before the task of a subagent. */
const gitContext = /^<git-context>.*?(?:<\/git-context>\s*|$)/s;

function addEvent(entry: EntryDraft, event: JsonObject | null): void {
  const id = stringField(event, 'toolCallId');
  entry.isTurn = true;
  switch (stringField(event, 'type')) {
    case 'content.part': {
      const part = objectField(event, 'part');
      if (stringField(part, 'type') === 'text') entry.message = toReply(trimmedField(part, 'text'));
      entry.uuid = stringField(event, 'uuid');
      break;
    }
    case 'tool.call':
      entry.toolCalls = toToolCalls(id, stringField(event, 'name'), objectField(event, 'args'));
      break;
    case 'tool.result': {
      const result = objectField(event, 'result');
      const output = toOutputText(joinTexts(toBlocks(field(result, 'output'))));
      if (id !== null) entry.toolResults = [{ id, isError: isTrue(result, 'isError'), output }];
      break;
    }
    default:
      entry.isTurn = false;
  }
}
