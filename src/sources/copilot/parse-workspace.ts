// The name of a session from its workspace.yaml. Of YAML only what Copilot CLI writes there is understood: keys with a plain,
// a quoted or a block text.

import { parseJsonObject, stringField, toExcerpt } from '../json/json-value.ts';

const maxTitleChars = 1000;

/** Null unless the person gave the name: else it is the first prompt. */
export function parseWorkspace(text: string): string | null {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^user_named:\s*true\s*$/.test(line))) return null;
  const at = lines.findIndex((line) => line.startsWith('name:'));
  const value = (lines[at] ?? '').slice('name:'.length).trim();
  const name = /^[|>][+-]?$/.test(value) ? toBlockText(lines.slice(at + 1)) : toScalar(value);
  const title = toExcerpt(name.trim(), maxTitleChars);
  return title === '' ? null : title;
}

/** The lines that are indented. */
function toBlockText(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^\S/.test(line));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.trim())
    .join('\n');
}

function toScalar(value: string): string {
  if (value.startsWith("'")) return value.replace(/^'|'$/g, '').replaceAll("''", "'");
  // The escapes of a double-quoted text that matter are those of JSON.
  if (value.startsWith('"')) return stringField(parseJsonObject(`{"name":${value}}`) ?? {}, 'name') ?? '';
  return value;
}
