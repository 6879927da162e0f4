// Reads sessions of Cursor's agent: messages made of blocks, without ids or times.

import type { SessionKind } from '../../records.ts';
import { field, type JsonObject, objectField, stringField } from '../json/json-value.ts';
import { addBlocks, withoutReminders } from '../transcript/blocks.ts';
import { type Entry, newEntry } from '../transcript/entry.ts';
import { readsLines } from '../transcript/read-transcript.ts';

export const cursorReader = readsLines({ subagentTools: ['Agent', 'Task'], parseEntry });

function parseEntry(line: JsonObject, kind: SessionKind): Entry | null {
  const role = stringField(line, 'role');
  const type = stringField(line, 'type');
  if (role === null && type === null) return null;
  const entry = newEntry(role ?? type ?? '');
  if (role === null) entry.isUnknownType = type !== 'turn_ended';
  else addBlocks(entry, role, field(objectField(line, 'message'), 'content'), kind, toTyped);
  return entry;
}

/** What was typed is within a tag, after a time and what was attached; older versions have no tag. */
function toTyped(text: string): string {
  const [, typed = withoutReminders(text)] = /<user_query>(.*?)(?:<\/user_query>|$)/s.exec(text) ?? [];
  return typed;
}
