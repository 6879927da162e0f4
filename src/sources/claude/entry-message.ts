// The message of an entry, from its texts: typed by the person, answered by the assistant, or written by Claude Code itself.

import type { MessageKind } from '../../records.ts';
import { type JsonObject, objectField, stringField } from '../json/json-value.ts';
import type { EntryMessage } from '../transcript/entry.ts';
import { type PersonText, toPersonText } from './person-text.ts';

export function toRecap(texts: readonly string[], isSidechain: boolean): EntryMessage {
  return { role: 'user', kind: 'recap', text: texts.join('\n\n'), isSidechain };
}

export function isFromPerson(line: JsonObject): boolean {
  const origin = objectField(line, 'origin');
  if (origin !== null && (stringField(origin, 'kind') ?? 'human') !== 'human') return false;
  return stringField(line, 'promptSource') !== 'system';
}

/** What the person typed in these texts; of the kind given, or else of that of the first text. */
export function toTypedMessage(
  texts: readonly string[],
  kind: MessageKind | null,
  isSidechain: boolean,
): EntryMessage | null {
  const typed = joinTyped(texts);
  return typed === null ? null : { role: 'user', kind: kind ?? typed.kind, text: typed.text, isSidechain };
}

function joinTyped(texts: readonly string[]): PersonText | null {
  const typed = texts.map(toPersonText).filter((text) => text !== null);
  const first = typed[0];
  if (first === undefined) return null;
  return { kind: first.kind, text: typed.map((part) => part.text).join('\n\n') };
}

export function toAnswer(texts: readonly string[], isSidechain: boolean): EntryMessage | null {
  const text = texts.join('\n\n').trim();
  return text === '' ? null : { role: 'assistant', kind: 'reply', text, isSidechain };
}
