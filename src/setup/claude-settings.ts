// What recall puts into Claude Code's settings, and how it tells its own entries there from those of others. Takes the text of
// a settings file and gives the new one; nothing here touches a disk.

import { UserError } from '../errors.ts';
import { addItem, removeItem } from './edit-json.ts';

export type Part = 'mcp' | 'hook';

/** `already` there, `absent` when it was to go, `other`: the place is taken by something that is not ours. */
export type Verdict = 'change' | 'already' | 'absent' | 'other';

export interface Edit {
  readonly verdict: Verdict;
  readonly text: string;
}

const serverName = 'recall';
const server = { type: 'stdio', command: 'recall', args: ['mcp'] };
const hookCommand = 'recall index --quiet';
/** In the background, and without a timeout: one in a settings file lengthens the time that every hook may hold up the end. */
const hookGroup = { hooks: [{ type: 'command', command: hookCommand, async: true }] };

/** What stands in the file afterwards, and Claude Code's own command for it where there is one. */
export const entries: Readonly<Record<Part, { readonly json: object; readonly command: string | null }>> = {
  mcp: {
    json: { mcpServers: { [serverName]: server } },
    command: `claude mcp add --scope user ${serverName} -- ${[server.command, ...server.args].join(' ')}`,
  },
  hook: { json: { hooks: { SessionEnd: [hookGroup] } }, command: null },
};

/** `path` is for the complaint when the file is not what Claude Code could read. */
export function addPart(part: Part, text: string, path: string): Edit {
  return part === 'mcp' ? addServer(toFilled(text), path) : addHook(toFilled(text), path);
}

export function removePart(part: Part, text: string, path: string): Edit {
  return part === 'mcp' ? removeServer(toFilled(text), path) : removeHook(toFilled(text), path);
}

function addServer(text: string, path: string): Edit {
  const settings = parseSettings(text, path);
  const servers = getObject(settings, 'mcpServers', path);
  const present = servers?.[serverName];
  if (present !== undefined) return { verdict: isOurServer(present) ? 'already' : 'other', text };
  return { verdict: 'change', text: addBelow(text, settings, ['mcpServers', serverName], server) };
}

function removeServer(text: string, path: string): Edit {
  const servers = getObject(parseSettings(text, path), 'mcpServers', path);
  const present = servers?.[serverName];
  if (present === undefined) return { verdict: 'absent', text };
  if (!isOurServer(present)) return { verdict: 'other', text };
  return { verdict: 'change', text: edit(text, (json) => removeItem(json, ['mcpServers', serverName])) };
}

function addHook(text: string, path: string): Edit {
  const settings = parseSettings(text, path);
  const groups = getGroups(settings, path);
  if (findHook(groups) !== undefined) return { verdict: 'already', text };
  if (groups !== undefined)
    return {
      verdict: 'change',
      text: edit(text, (json) => addItem(json, ['hooks', 'SessionEnd'], null, hookGroup)),
    };
  return { verdict: 'change', text: addBelow(text, settings, ['hooks', 'SessionEnd'], [hookGroup]) };
}

function removeHook(text: string, path: string): Edit {
  let left = text;
  for (;;) {
    const found = findHook(getGroups(parseSettings(left, path), path));
    if (found === undefined) return { verdict: left === text ? 'absent' : 'change', text: left };
    left = edit(left, (json) => removeItem(json, ['hooks', 'SessionEnd', ...found]));
  }
}

/** The way to it below SessionEnd: to the whole group where nothing else is in it. */
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

/** The value under two keys, of which the first may be there already. */
function addBelow(
  text: string,
  settings: Settings,
  [outer, inner]: readonly [string, string],
  value: unknown,
): string {
  return edit(text, (json) =>
    outer in settings ? addItem(json, [outer], inner, value) : addItem(json, [], outer, { [inner]: value }),
  );
}

type Settings = Readonly<Record<string, unknown>>;

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
  throw badSettings(path, `"${key}" in it is not an object`);
}

function getGroups(settings: Settings, path: string): readonly unknown[] | undefined {
  const groups = getObject(settings, 'hooks', path)?.SessionEnd;
  if (groups === undefined || Array.isArray(groups)) return groups;
  throw badSettings(path, '"SessionEnd" in it is not a list');
}

function badSettings(path: string, reason: string, cause?: unknown): UserError {
  return new UserError(`${path} is left as it is: ${reason}`, {
    code: 'bad-settings',
    hint: 'mend the file, or add the entry yourself: recall setup claude',
    cause,
  });
}

/** An empty file says no more than an absent one. */
function toFilled(text: string): string {
  return withoutMark(text).trim() === '' ? '{}\n' : text;
}

const mark = '\ufeff';

function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text;
}

/** Edits what comes after the byte order mark that some editors put before it. */
function edit(text: string, change: (json: string) => string): string {
  const json = withoutMark(text);
  return text.slice(0, text.length - json.length) + change(json);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
