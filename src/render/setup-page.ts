// What setup would configure, the changes as a diff, and what was done, as text and as JSON.

import { hint, recall, toHintText } from '../hints.ts';
import type { SetupPart, SetupStep, Verdict } from '../setup/claude-settings.ts';
import { quoteForShell, toPrintable, toPrintableLine } from '../text/printable.ts';
import { type Colors, chooseColors } from './colors.ts';
import { type SessionLineOptions, shortenPath } from './sessions.ts';

type SetupOptions = Required<Pick<SessionLineOptions, 'homeDir' | 'useColor' | 'givenFlags'>>;

const purposes: Readonly<Record<SetupPart, string>> = {
  mcp: 'MCP server: Claude can search and read past sessions, in every project',
  hook: 'Hook: updates the index in the background when a session ends',
};

export function formatSetupPage(steps: readonly SetupStep[], options: SetupOptions): string {
  const colors = chooseColors(options.useColor);
  const sections = steps.map((step) => {
    const file = formatPath(step.path, options);
    const command = formatCommand(step, options);
    return [
      colors.bold(purposes[step.part]),
      '',
      ...(command === null ? [] : [`    ${command}`, '']),
      `${command === null ? 'in' : 'or in'} ${file}:`,
      '',
      JSON.stringify(step.entry, null, 2).replace(/^/gm, '    '),
      ...(step.verdict === 'change' ? [] : ['', `${file}: ${outcomes[step.verdict]}`]),
    ].join('\n');
  });
  const isNeeded = steps.some(({ verdict }) => verdict === 'change');
  const next = isNeeded
    ? hint`Nothing was changed. To write these entries: ${recall('setup', 'claude', '--write')}`
    : hint`Everything is set up. To undo it: ${recall('setup', 'claude', '--remove')}`;
  return [...sections, toHintText(next, options.givenFlags)].join('\n\n');
}

export function formatSetupDiff(changes: readonly SetupStep[], options: SetupOptions): string {
  const colors = chooseColors(options.useColor);
  return changes
    .map(({ path, before, after }) => `${formatDiff(formatPath(path, options), before, after, colors)}\n`)
    .join('\n');
}

const outcomes: Readonly<Record<Exclude<Verdict, 'change'>, string>> = {
  already: 'already there',
  plugin: 'not needed: the recall plugin is enabled and has this hook',
  absent: 'not there',
  other: 'not changed: another MCP server is already named recall',
};

export function formatSetupOutcome(steps: readonly SetupStep[], options: SetupOptions): string {
  const names: Readonly<Record<SetupPart, string>> = { mcp: 'MCP server', hook: 'hook' };
  const lines = steps.map(({ part, path, verdict, isRemoval }) => {
    const outcome = verdict !== 'change' ? outcomes[verdict] : isRemoval ? 'removed' : 'added';
    return `${formatPath(path, options)}: ${names[part]}: ${outcome}`;
  });
  const changed = steps.filter(({ verdict }) => verdict === 'change');
  const isRemoval = changed.every((step) => step.isRemoval);
  const outcome = `new Claude Code sessions ${isRemoval ? 'no longer use it' : 'will use it'}`;
  return [...lines, changed.length === 0 ? 'nothing to do' : outcome].join('\n');
}

export function toSetupJson(steps: readonly SetupStep[], isDone: boolean): object {
  return {
    schemaVersion: 1,
    changed: isDone && steps.some(({ verdict }) => verdict === 'change'),
    steps: steps.map(({ part, path, isRemoval, verdict, entry, command }) => ({
      part,
      file: path,
      action: isRemoval ? 'remove' : 'add',
      state: verdict !== 'change' ? verdict : isDone ? 'done' : 'pending',
      entry,
      command,
    })),
  };
}

/** Claude Code needs the variable for any folder but its default one. */
function formatCommand({ command, path }: SetupStep, { homeDir }: SetupOptions): string | null {
  const folder = path.replace(/[\\/][^\\/]*$/, '');
  if (command === null || folder === homeDir) return command;
  return `CLAUDE_CONFIG_DIR=${quoteForShell(folder)} ${command}`;
}

function formatPath(path: string, { homeDir }: SetupOptions): string {
  return toPrintableLine(shortenPath(path, homeDir));
}

const contextLines = 3;
/** Longer lines are cut to the part around the difference. */
const maxLineChars = 240;
const keptChars = 60;

/** A unified diff with a single hunk, from the first difference to the last: enough for a change in one place. */
export function formatDiff(path: string, before: string, after: string, colors: Colors): string {
  const splitLines = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const { head, tail } = countShared(oldLines, newLines);
  const removed = oldLines.slice(head, oldLines.length - tail);
  const added = newLines.slice(head, newLines.length - tail);
  const above = oldLines.slice(Math.max(0, head - contextLines), head);
  const below = oldLines.slice(oldLines.length - tail, oldLines.length - tail + contextLines);
  const first = head - above.length + 1;
  const range = (changed: readonly string[]) => {
    const size = above.length + changed.length + below.length;
    return `${size === 0 ? 0 : first},${size}`;
  };
  const [shortRemoved, shortAdded] = shortenLongLine(removed, added);
  return [
    colors.bold(`--- ${path}`),
    colors.bold(`+++ ${path}`),
    colors.dim(`@@ -${range(removed)} +${range(added)} @@`),
    ...above.map((line) => colors.dim(` ${formatShown(line)}`)),
    ...shortRemoved.map((line) => colors.yellow(`-${formatShown(line)}`)),
    ...shortAdded.map((line) => colors.cyan(`+${formatShown(line)}`)),
    ...below.map((line) => colors.dim(` ${formatShown(line)}`)),
  ].join('\n');
}

function countShared<T extends string | readonly string[]>(one: T, other: T): { head: number; tail: number } {
  const limit = Math.min(one.length, other.length);
  let head = 0;
  while (head < limit && one[head] === other[head]) head++;
  let tail = 0;
  while (tail < limit - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return { head, tail };
}

/** Shortens the one line of a file that is a single very long line to what surrounds the change. */
function shortenLongLine(removed: string[], added: string[]): [string[], string[]] {
  const [oldLine = '', newLine = ''] = [removed[0], added[0]];
  const isLong = Math.max(oldLine.length, newLine.length) > maxLineChars;
  if (removed.length !== 1 || added.length !== 1 || !isLong) return [removed, added];
  const { head, tail } = countShared(oldLine, newLine);
  const start = Math.max(0, head - keptChars);
  const cut = (line: string): string => {
    const end = Math.min(line.length, line.length - tail + keptChars);
    return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  };
  return [[cut(oldLine)], [cut(newLine)]];
}

function formatShown(line: string): string {
  const printable = toPrintable(line.replace(/\r$/, '')).replaceAll('\n', ' ');
  return printable.length > 4 * maxLineChars ? `${printable.slice(0, 4 * maxLineChars)}…` : printable;
}
