// What a tool was pointed at: the one field of its input worth keeping. The rest of the input (file contents,
// patches) is 5% of all bytes and is never indexed.

import { type JsonObject, stringField, toExcerpt } from '../json/json-value.ts';

export const targetFields = [
  'file_path',
  'notebook_path',
  'path',
  'command',
  'pattern',
  'url',
  'query',
  'description',
  'skill',
  'subagent_type',
] as const;

/** Long enough for any path and for the telling part of a command; a here-document is cut. */
const maxTargetChars = 400;

export function toToolTarget(input: JsonObject): string | null {
  for (const name of targetFields) {
    const value = stringField(input, name);
    if (value !== null) return toExcerpt(value, maxTargetChars);
  }
  return null;
}
