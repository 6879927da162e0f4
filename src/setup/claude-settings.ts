// What recall puts into Claude Code's settings, how it distinguishes its own entries from those of others, and each change as a step that
// is shown before it is carried out. Takes the text of a settings file and returns the new one; rewrite-file.ts writes it.

import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  format,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';
import { UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import type { Surroundings } from '../records.ts';
import { findClaudeFiles } from '../sources/claude/source.ts';
import { isObject, type JsonObject as Settings } from '../sources/json/json-value.ts';
import { readText, rewriteFile } from './rewrite-file.ts';

export type SetupPart = 'mcp' | 'hook';

export function findSettingsFile(part: SetupPart, root: string, at: Surroundings): string {
  const { settingsPath, userConfigPath } = findClaudeFiles(root, at);
  return part === 'mcp' ? userConfigPath : settingsPath;
}

/** `plugin`: recall's plugin has it already; `absent`: there is nothing to remove; `other`: the name is taken by somebody else. */
export type Verdict = 'change' | 'already' | 'plugin' | 'absent' | 'other';

type Edit = { readonly verdict: Verdict; readonly text: string };

const serverName = 'recall';
const server = { type: 'stdio', command: 'recall', args: ['mcp'] };
const serverPath = ['mcpServers', serverName];
const hookPath = ['hooks', 'SessionEnd'];
const hookCommand = 'recall index --quiet';
/** In the background, so that it delays nothing, and for a minute at most; the plugin's hook is the same. */
const hookGroup = { hooks: [{ type: 'command', command: hookCommand, async: true, timeout: 60 }] };

/** What the file contains afterwards, and Claude Code's own command for it where there is one. */
const entries: Readonly<Record<SetupPart, { readonly json: object; readonly command: string | null }>> = {
  mcp: {
    json: { mcpServers: { [serverName]: server } },
    command: `claude mcp add --scope user ${serverName} -- ${[server.command, ...server.args].join(' ')}`,
  },
  hook: { json: { hooks: { SessionEnd: [hookGroup] } }, command: null },
};

/** One change to one of the files: planned first, so that it can be shown, and carried out once confirmed. */
export interface SetupStep {
  readonly part: SetupPart;
  readonly path: string;
  readonly isRemoval: boolean;
  readonly verdict: Verdict;
  readonly entry: object;
  readonly command: string | null;
  readonly before: string;
  readonly after: string;
}

export function planStep(part: SetupPart, path: string, isRemoval: boolean): SetupStep {
  const before = readText(path) ?? '';
  const { verdict, text } = editPart(part, before, path, isRemoval);
  const { json: entry, command } = entries[part];
  const after = verdict === 'change' ? text : before;
  return { part, path, isRemoval, verdict, entry, command, before, after };
}

/** On the text as it is now, not as it was when planned. */
export function carryOut({ part, path, isRemoval }: SetupStep): void {
  rewriteFile(path, (text) => editPart(part, text ?? '', path, isRemoval).text);
}

/** `path` is for the error when Claude Code could not read the file either. */
export function editPart(part: SetupPart, given: string, path: string, isRemoval: boolean): Edit {
  // An empty file means the same as a missing one.
  const text = withoutMark(given).trim() === '' ? '{}\n' : given;
  if (part === 'mcp') return editServer(text, path, isRemoval);
  return isRemoval ? removeHook(text, path) : addHook(text, path);
}

function editServer(text: string, path: string, isRemoval: boolean): Edit {
  const present = getObject(parseSettings(text, path), 'mcpServers', path)?.[serverName];
  const ours = JSON.stringify([server.command, server.args]);
  const isOurs = isObject(present) && JSON.stringify([present.command, present.args]) === ours;
  if (present !== undefined && !isOurs) return { verdict: 'other', text };
  if (isRemoval === (present === undefined)) return { verdict: isRemoval ? 'absent' : 'already', text };
  const change = (json: string) =>
    isRemoval ? removeItem(json, serverPath) : addItem(json, serverPath, server);
  return { verdict: 'change', text: edit(text, serverPath, path, change) };
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

// From here on: JSON text in its own style, its indentation, its line ends, one line or many. All other characters stay as they are. Adding
// something and removing it again leaves no trace, except that a container which was empty before goes with it. Two habits of
// jsonc-parser are avoided: `modify` with formatting options reformats the whole line it touches, so only the inserted range is
// formatted; and it cannot be trusted to remove: of [1, 2] without its last item it makes [12].

type JsonPath = readonly (string | number)[];

/** As the last step of a path to add to: behind all others of an array. */
export const atEnd = -1;

/** Adds the value at the path, after all others there, and the objects and arrays on the way to it that are missing. */
export function addItem(text: string, path: JsonPath, value: unknown): string {
  const [insertion] = modify(text, [...path], value, {});
  // The innermost object or array around the path that there is already.
  const around = path.map((_, depth) => findNode(text, path.slice(0, depth)));
  const container = around.findLast((node) => node !== undefined);
  if (insertion === undefined || container === undefined) throw new Error(`cannot add ${path.join('.')}`);
  if (text.includes(':') && JSON.stringify(JSON.parse(text)) === text.trim()) {
    // It is minified, and `modify` writes a space after the new key, and nowhere else.
    const content = insertion.content.replace(/^(,?"(?:[^"\\]|\\.)*":) /, '$1');
    return applyEdits(text, [{ ...insertion, content }]);
  }
  const last = container.children?.at(-1);
  const isInLine = last !== undefined && !text.slice(container.offset, last.offset).includes('\n');
  // One character more on each side when the container was empty: its brackets go on lines of their own.
  const extra = last === undefined ? 1 : 0;
  const range = { offset: insertion.offset - extra, length: insertion.content.length + 2 * extra };
  const added = applyEdits(text, [insertion]);
  return applyEdits(added, format(added, range, { ...findIndentation(text), keepLines: isInLine }));
}

/** Removes what is at the path, and with it every object and array around it that is then empty, up to the root. */
export function removeItem(text: string, path: JsonPath): string {
  let node = findNode(text, path);
  for (let depth = path.length - 1; depth > 0 && node !== undefined; depth--) {
    const parent = findNode(text, path.slice(0, depth));
    if (parent?.children?.length !== 1) break;
    node = parent;
  }
  // The value of a property is not its item in the object: the property is.
  const item = node?.parent?.type === 'property' ? node.parent : node;
  const siblings = item?.parent?.children;
  if (item?.parent === undefined || siblings === undefined) return text;
  const index = siblings.indexOf(item);
  const [previous, next] = [siblings[index - 1], siblings[index + 1]];
  const endOf = (node: Node) => node.offset + node.length;
  const without = (start: number, end: number) => text.slice(0, start) + text.slice(end);
  if (previous !== undefined) return without(endOf(previous), endOf(item));
  if (next !== undefined) return without(item.offset, next.offset);
  return without(item.parent.offset + 1, endOf(item.parent) - 1);
}

/** The first key on the path that occurs twice in its object. Readers take the last one, jsonc-parser edits the first. */
export function findRepeatedKey(text: string, path: JsonPath): string | undefined {
  return path.find((key, depth): key is string => {
    const items = findNode(text, path.slice(0, depth))?.children ?? [];
    return (
      items.filter(({ type, children }) => type === 'property' && children?.[0]?.value === key).length > 1
    );
  });
}

function findNode(text: string, path: JsonPath): Node | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function findIndentation(text: string): FormattingOptions {
  const first = parseTree(text)?.children?.[0]?.offset ?? 0;
  const indent = /(?<=\n)[ \t]+$/.exec(text.slice(0, first))?.[0] ?? '  ';
  const insertSpaces = !indent.includes('\t');
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol: '\n' };
}
