// What setup would configure, the changes as a diff, and what was done, as text and as JSON.

import { hint, recall, toHintText } from '../hints.ts';
import type { Part, Step, Verdict } from '../setup/claude-settings.ts';
import { toPrintableLine } from '../text/printable.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';
import { toColors } from './colors.ts';
import { toDiff } from './diff.ts';

export interface SetupOptions {
  readonly homeDir: string;
  readonly useColor: boolean;
  /** Added to every command that the text suggests. */
  readonly givenFlags: string;
}

const purposes: Readonly<Record<Part, string>> = {
  mcp: 'MCP server: Claude can search and read past sessions, in every project',
  hook: 'Hook: updates the index in the background when a session ends',
};

export function toSetupPage(steps: readonly Step[], options: SetupOptions): string {
  const colors = toColors(options.useColor);
  const sections = steps.map((step) => {
    const file = toShownPath(step.path, options);
    const command = toCommand(step, options);
    return [
      colors.bold(purposes[step.part]),
      '',
      ...(command === null ? [] : [`    ${command}`, '']),
      `${command === null ? 'in' : 'or in'} ${file}:`,
      '',
      indent(JSON.stringify(step.entry, null, 2)),
      ...(step.verdict === 'change' ? [] : ['', `${file}: ${outcomes[step.verdict]}`]),
    ].join('\n');
  });
  const isNeeded = steps.some(({ verdict }) => verdict === 'change');
  const next = isNeeded
    ? hint`Nothing was changed. To write these entries: ${recall('setup', 'claude', '--write')}`
    : hint`Everything is set up. To undo it: ${recall('setup', 'claude', '--remove')}`;
  return [...sections, toHintText(next, options.givenFlags)].join('\n\n');
}

export function toSetupDiff(changes: readonly Step[], options: SetupOptions): string {
  const colors = toColors(options.useColor);
  return changes
    .map(({ path, before, after }) => `${toDiff(toShownPath(path, options), before, after, colors)}\n`)
    .join('\n');
}

const outcomes: Readonly<Record<Exclude<Verdict, 'change'>, string>> = {
  already: 'already there',
  plugin: 'not needed: the recall plugin is enabled and has this hook',
  absent: 'not there',
  other: 'not changed: another MCP server is already named recall',
};

/** After the changes have been made. */
export function toSetupOutcome(steps: readonly Step[], options: SetupOptions): string {
  const names: Readonly<Record<Part, string>> = { mcp: 'MCP server', hook: 'hook' };
  const lines = steps.map(({ part, path, verdict, isRemoval }) => {
    const outcome = verdict !== 'change' ? outcomes[verdict] : isRemoval ? 'removed' : 'added';
    return `${toShownPath(path, options)}: ${names[part]}: ${outcome}`;
  });
  const changed = steps.filter(({ verdict }) => verdict === 'change');
  if (changed.length === 0) return [...lines, 'nothing to do'].join('\n');
  const isRemoval = changed.every((step) => step.isRemoval);
  const outcome = isRemoval ? 'no longer use it' : 'will use it';
  return [...lines, `new Claude Code sessions ${outcome}`].join('\n');
}

export function toSetupJson(steps: readonly Step[], isDone: boolean): object {
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
function toCommand({ command, path }: Step, { homeDir }: SetupOptions): string | null {
  const folder = path.replace(/[\\/][^\\/]*$/, '');
  if (command === null || folder === homeDir) return command;
  return `CLAUDE_CONFIG_DIR=${quoteForShell(folder)} ${command}`;
}

function toShownPath(path: string, { homeDir }: SetupOptions): string {
  return toPrintableLine(path.startsWith(`${homeDir}/`) ? `~${path.slice(homeDir.length)}` : path);
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
