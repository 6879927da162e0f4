// Messages made of blocks as Anthropic's API has them, which several agents store as they are.

import type { SessionKind } from '../../records.ts';
import { field, isTrue, type JsonObject, objectField, stringField } from '../json/json-value.ts';
import { type EntryDraft, joinTexts, toBlocks, toPrompt, toReply } from './entry.ts';
import { toOutputText, toToolCalls } from './tool-call.ts';

/** `toTyped` gives the part of a text that a person typed. */
export function addBlocks(
  entry: EntryDraft,
  role: string | null,
  content: unknown,
  kind: SessionKind,
  toTyped: (text: string) => string = (text) => text,
): void {
  const blocks = toBlocks(content);
  entry.isTurn = true;
  if (role === 'user') {
    entry.message = toPrompt(toTyped(joinTexts(blocks)).trim(), kind === 'subagent');
    entry.toolResults = blocks.flatMap(findResult);
  } else if (role === 'assistant') {
    entry.message = toReply(joinTexts(blocks));
    entry.toolCalls = blocks.flatMap((block) => {
      if (!/^tool[_-](?:use|call)$/.test(stringField(block, 'type') ?? '')) return [];
      return toToolCalls(stringField(block, 'id'), stringField(block, 'name'), objectField(block, 'input'));
    });
  } else entry.isUnknownType = true;
}

function findResult(block: JsonObject): EntryDraft['toolResults'] {
  const id = stringField(block, 'tool_use_id');
  if (stringField(block, 'type') !== 'tool_result' || id === null) return [];
  const output = joinTexts(toBlocks(field(block, 'content')));
  return [{ id, isError: isTrue(block, 'is_error'), output: toOutputText(output) }];
}

const reminder = /<system-reminder>.*?(?:<\/system-reminder>|$)/gs;

export function withoutReminders(text: string): string {
  return text.replace(reminder, '');
}
