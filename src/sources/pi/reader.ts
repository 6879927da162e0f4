// Reads sessions of pi. A session is a tree: all its branches are read, since what was said on one that was left was said all the
// same.

import type { SessionKind } from '../../records.ts';
import {
  field,
  integerField,
  isTrue,
  type JsonObject,
  objectField,
  stringField,
  timeField,
  trimmedField,
} from '../json/json-value.ts';
import { redactLine, textPlaceholder, withoutSignedBlocks } from '../json/redact.ts';
import {
  compaction,
  type Entry,
  type EntryDraft,
  joinTexts,
  newEntry,
  toBlocks,
  toPrompt,
  toReply,
  toTitleFact,
  toUserMessage,
} from '../transcript/entry.ts';
import { type LineFormat, readsLines } from '../transcript/read-transcript.ts';
import { toInputText, toOutputText, toToolCalls } from '../transcript/tool-call.ts';

const piLines: LineFormat = { subagentTools: [], parseEntry };

export const piReader = readsLines(piLines, {
  redactLine: (bytes, cleaning) =>
    redactLine(
      bytes,
      (line, isChanged) =>
        withoutSignedBlocks(line, 'content', ({ type }) => type === 'thinking', textPlaceholder, isChanged),
      cleaning,
    ),
});

const quietTypes = new Set(['custom', 'custom_message', 'label', 'session_init', 'thinking_level_change']);

export function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const type = stringField(line, 'type');
  if (type === null) return null;
  const entry = newEntry(type);
  switch (type) {
    case 'session':
      entry.cwd = stringField(line, 'cwd');
      entry.timestamp = timeField(line, 'timestamp');
      break;
    case 'title':
      entry.facts = toTitleFact('aiTitle', stringField(line, 'title'));
      break;
    case 'session_info':
      entry.facts = toTitleFact('customTitle', stringField(line, 'name'));
      break;
    case 'model_change':
      entry.model = stringField(line, 'modelId') ?? stringField(line, 'model')?.replace(/^.*\//s, '') ?? null;
      break;
    case 'message':
      addMessage(entry, line, objectField(line, 'message'), kind);
      break;
    case 'compaction':
    case 'branch_summary':
      if (type === 'compaction') entry.facts = compaction;
      addRecap(entry, line);
      break;
    default:
      entry.isUnknownType = !quietTypes.has(type);
  }
  return entry;
}

function addMessage(
  entry: EntryDraft,
  line: JsonObject,
  message: JsonObject | null,
  kind: SessionKind,
): void {
  const blocks = toBlocks(field(message, 'content'));
  switch (stringField(message, 'role')) {
    case 'user':
      // Reports of background work are the user's too.
      if (kind === 'subagent' || stringField(message, 'attribution') !== 'agent')
        entry.message = toPrompt(joinTexts(blocks).replace(added, ''), kind === 'subagent');
      break;
    case 'assistant':
      entry.model = stringField(message, 'model');
      entry.message = toReply(joinTexts(blocks));
      entry.toolCalls = blocks.flatMap((block) => {
        if (stringField(block, 'type') !== 'toolCall') return [];
        const given = objectField(block, 'arguments');
        return toToolCalls(stringField(block, 'id'), stringField(block, 'name'), given);
      });
      break;
    case 'toolResult': {
      const id = stringField(message, 'toolCallId');
      const output = toOutputText(joinTexts(blocks));
      // A command that failed is an error to pi, and to OpenClaw one that has completed.
      const code = integerField(objectField(message, 'details'), 'exitCode') ?? 0;
      const isError = isTrue(message, 'isError') || code !== 0;
      if (id !== null) entry.toolResults = [{ id, isError, output }];
      break;
    }
    case 'bashExecution':
      addShell(entry, message);
      break;
    default:
      return;
  }
  entry.uuid = toUuid(line);
  entry.timestamp = timeField(line, 'timestamp');
  entry.isTurn = true;
}

/** What oh-my-pi and OpenClaw put around the task of a subagent, and how OpenClaw reports on its own work. */
const added =
  /^Complete assignment thoroughly:\s+|^\[Subagent Context\].*?\[Subagent Task\]\s+|\s+Begin\. Execute the assigned task to completion\.$|<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>.*?(?:<<<END_OPENCLAW_INTERNAL_CONTEXT>>>|$)/gs;

function addShell(entry: EntryDraft, message: JsonObject | null): void {
  const command = trimmedField(message, 'command');
  if (command === '') return;
  const id = `shell ${command}`;
  const isError = (integerField(message, 'exitCode') ?? 0) !== 0;
  entry.message = toUserMessage('shell', command);
  entry.toolCalls = [{ id, name: 'bash', target: command, input: toInputText(command) }];
  entry.toolResults = [{ id, isError, output: toOutputText(stringField(message, 'output') ?? '') }];
}

function addRecap(entry: EntryDraft, line: JsonObject): void {
  entry.message = toUserMessage('recap', trimmedField(line, 'summary'));
  if (entry.message === null) return;
  entry.uuid = toUuid(line);
  entry.timestamp = timeField(line, 'timestamp');
}

/** Ids have eight digits, too few to be those of one session only; a fork copies them together with their times. */
function toUuid(line: JsonObject): string | null {
  const id = stringField(line, 'id');
  return id === null ? null : `${id} ${stringField(line, 'timestamp') ?? ''}`;
}
