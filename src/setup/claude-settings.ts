// What recall puts into Claude Code's settings, and how it distinguishes its own entries from those of others. Takes the text of
// a settings file and returns the new one; nothing here writes to the disk.

import type { Surroundings } from '../config.ts';
import { UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { findClaudeFiles } from '../sources/claude/source.ts';
import { addItem, atEnd, findRepeatedKey, type JsonPath, removeItem } from './edit-json.ts';

export type Part = 'mcp' | 'hook';

/** The file in which Claude Code looks for it, for sessions of this folder. */
export function findSettingsFile(part: Part, root: string, at: Surroundings): string {
  const { settingsPath, userConfigPath } = findClaudeFiles(root, at);
  return part === 'mcp' ? userConfigPath : settingsPath;
}

/**
 * `already` present, also as part of the `plugin`; `absent` when it was to be removed; `other`: something that is not ours has
 * that name.
 */
export type Verdict = 'change' | 'already' | 'plugin' | 'absent' | 'other';

export interface Edit {
  readonly verdict: Verdict;
  readonly text: string;
}

const serverName = 'recall';
const server = { type: 'stdio', command: 'recall', args: ['mcp'] };
const serverPath = ['mcpServers', serverName];
const hookPath = ['hooks', 'SessionEnd'];
const hookCommand = 'recall index --quiet';
/** In the background, so that it delays nothing, and for a minute at most; the plugin's hook is the same. */
const hookGroup = { hooks: [{ type: 'command', command: hookCommand, async: true, timeout: 60 }] };

/** What the file contains afterwards, and Claude Code's own command for it where there is one. */
export const entries: Readonly<Record<Part, { readonly json: object; readonly command: string | null }>> = {
  mcp: {
    json: { mcpServers: { [serverName]: server } },
    command: `claude mcp add --scope user ${serverName} -- ${[server.command, ...server.args].join(' ')}`,
  },
  hook: { json: { hooks: { SessionEnd: [hookGroup] } }, command: null },
};

/** `path` is for the error when Claude Code could not read the file either. */
export function addPart(part: Part, text: string, path: string): Edit {
  return part === 'mcp' ? addServer(toFilled(text), path) : addHook(toFilled(text), path);
}

export function removePart(part: Part, text: string, path: string): Edit {
  return part === 'mcp' ? removeServer(toFilled(text), path) : removeHook(toFilled(text), path);
}

function addServer(text: string, path: string): Edit {
  const present = getObject(parseSettings(text, path), 'mcpServers', path)?.[serverName];
  if (present !== undefined) return { verdict: isOurServer(present) ? 'already' : 'other', text };
  return {
    verdict: 'change',
    text: edit(text, serverPath, path, (json) => addItem(json, serverPath, server)),
  };
}

function removeServer(text: string, path: string): Edit {
  const present = getObject(parseSettings(text, path), 'mcpServers', path)?.[serverName];
  if (present === undefined) return { verdict: 'absent', text };
  if (!isOurServer(present)) return { verdict: 'other', text };
  return { verdict: 'change', text: edit(text, serverPath, path, (json) => removeItem(json, serverPath)) };
}

function addHook(text: string, path: string): Edit {
  const settings = parseSettings(text, path);
  if (findHook(getGroups(settings, path)) !== undefined) return { verdict: 'already', text };
  if (hasPlugin(settings)) return { verdict: 'plugin', text };
  const added = edit(text, hookPath, path, (json) => addItem(json, [...hookPath, atEnd], hookGroup));
  return { verdict: 'change', text: added };
}

function removeHook(text: string, path: string): Edit {
  let left = text;
  for (;;) {
    const found = findHook(getGroups(parseSettings(left, path), path));
    if (found === undefined) return { verdict: left === text ? 'absent' : 'change', text: left };
    const at = [...hookPath, ...found];
    left = edit(left, at, path, (json) => removeItem(json, at));
  }
}

/** Enabled as `recall@<marketplace>`; it brings the same hook, and two of them would index twice. */
function hasPlugin({ enabledPlugins }: Settings): boolean {
  return (
    isObject(enabledPlugins) &&
    Object.entries(enabledPlugins).some(([name, value]) => name.startsWith('recall@') && value === true)
  );
}

/** Its path below SessionEnd: that of the whole group when nothing else is in it. */
function findHook(groups: readonly unknown[] | undefined): readonly (string | number)[] | undefined {
  for (const [index, group] of (groups ?? []).entries()) {
    const hooks = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
    const at = hooks.findIndex((hook) => isObject(hook) && hook.command === hookCommand);
    if (at >= 0) return hooks.length === 1 ? [index] : [index, 'hooks', at];
  }
  return undefined;
}

function isOurServer(value: unknown): boolean {
  return isObject(value) && value.command === server.command && isEqual(value.args, server.args);
}

type Settings = Readonly<Record<string, unknown>>;

/** Strict JSON: Claude Code itself rejects a file with comments or trailing commas, and ignores all of it. */
function parseSettings(text: string, path: string): Settings {
  let settings: unknown;
  try {
    settings = JSON.parse(withoutMark(text));
  } catch (error) {
    throw badSettings(path, `it is not JSON (${(error as Error).message})`, error);
  }
  if (!isObject(settings)) throw badSettings(path, 'it is not an object');
  return settings;
}

function getObject(settings: Settings, key: string, path: string): Settings | undefined {
  const value = settings[key];
  if (value === undefined || isObject(value)) return value;
  throw badSettings(path, `"${key}" is not an object`);
}

function getGroups(settings: Settings, path: string): readonly unknown[] | undefined {
  const groups = getObject(settings, 'hooks', path)?.SessionEnd;
  if (groups === undefined || Array.isArray(groups)) return groups;
  throw badSettings(path, '"SessionEnd" is not a list');
}

function badSettings(path: string, reason: string, cause?: unknown): UserError {
  return new UserError(`${path} was not changed: ${reason}`, {
    code: 'bad-settings',
    hint: hint`fix the file, or add the entry yourself: ${recall('setup', 'claude')}`,
    cause,
  });
}

/** An empty file means the same as a missing one. */
function toFilled(text: string): string {
  return withoutMark(text).trim() === '' ? '{}\n' : text;
}

const mark = '\ufeff';

function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text;
}

/** Edits what follows the byte order mark that some editors write. */
function edit(text: string, at: JsonPath, path: string, change: (json: string) => string): string {
  const json = withoutMark(text);
  const repeated = findRepeatedKey(json, at);
  if (repeated !== undefined) throw badSettings(path, `the key "${repeated}" occurs twice in one object`);
  return text.slice(0, text.length - json.length) + change(json);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
