// recall setup: prints what to configure in Claude Code and, on request, does it or undoes it. The only command that writes to
// Claude Code's own files, and only to the two that hold the user's settings.

import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import { getFoldersOf } from '../api/roots.ts';
import { Argument, type FlagsOf, Option, type Program } from '../command-line/commander.ts';
import { type Context, isConfirmed, offerArchive, type ToAction } from '../command-line/context.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError, usageError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import type { Surroundings } from '../records.ts';
import { toJsonText } from '../render/json.ts';
import { formatSetupDiff, formatSetupOutcome, formatSetupPage, toSetupJson } from '../render/setup-page.ts';
import { carryOut, findSettingsFile, planStep, type SetupStep } from '../setup/claude-settings.ts';

export function define(program: Program, run: ToAction): void {
  addSetup(program).action(run((context, _program, flags) => runSetup(context, flags)));
}

type SetupFlags = FlagsOf<typeof addSetup>;

function addSetup(program: Program) {
  return program
    .command('setup')
    .description(
      'let Claude Code search past sessions: an MCP server, and a hook that keeps the index up to date',
    )
    .addArgument(new Argument('<program>', 'what to set up').choices(['claude'] as const))
    .option('--write', 'change the settings, after showing the change and asking')
    .addOption(
      new Option('--remove', 'remove what --write added, after showing it and asking').conflicts('write'),
    )
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--no-mcp', 'leave out the MCP server')
    .option('--no-hook', 'leave out the hook');
}

async function runSetup(context: Context, flags: SetupFlags): Promise<number | undefined> {
  const steps = planSteps(context, flags);
  if (!flags.remove && !isOnPath(context.at))
    context.note(
      'recall is not on your PATH, so Claude Code will not find it: npm install -g recall-sessions',
    );
  const { useColor, givenFlags } = context;
  const options = { homeDir: context.at.homeDir, useColor, givenFlags };
  if (!flags.write && !flags.remove) {
    context.print(context.json ? toJsonText(toSetupJson(steps, false)) : formatSetupPage(steps, options));
    return EXIT_OK;
  }
  const changes = steps.filter(({ verdict }) => verdict === 'change');
  if (changes.length > 0) {
    if (!context.json && !(context.quiet && flags.yes)) context.print(formatSetupDiff(changes, options));
    const isWanted = await isConfirmed(context, {
      yes: flags.yes,
      question: () => (flags.remove ? 'Remove this? [y/N] ' : 'Make these changes? [y/N] '),
      refusal: 'setup would change Claude Code’s settings',
      again: hint`${recall('setup', 'claude', flags.remove ? '--remove' : '--write', '--yes')}`,
      note: 'nothing was changed',
    });
    if (!isWanted) return EXIT_NOTHING_FOUND;
    carryOutAll(changes);
  }
  if (context.json) context.print(toJsonText(toSetupJson(steps, true)));
  else if (!context.quiet) context.print(formatSetupOutcome(steps, options));
  // The hook fills the archive, so this is the moment to decide on it.
  if (flags.write && flags.hook) await offerArchive(context);
}

/** If one fails, the error says which files were already changed. */
function carryOutAll(changes: readonly SetupStep[]): void {
  const done: string[] = [];
  for (const change of changes) {
    try {
      carryOut(change);
      done.push(change.path);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { message, code, hint: next = 'fix it and run this command again', cause } = error;
      const before =
        done.length === 0 ? '' : `${done.join(', ')} ${done.length === 1 ? 'was' : 'were'} already changed; `;
      throw new UserError(message, { code, hint: hint`${before}${next}`, cause });
    }
  }
}

function planSteps(context: Context, flags: SetupFlags): SetupStep[] {
  const parts = (['mcp', 'hook'] as const).filter((part) => flags[part]);
  if (parts.length === 0)
    throw usageError(
      '--no-mcp and --no-hook together leave nothing to set up',
      hint`${recall('setup', 'claude')}`,
    );
  return getFoldersOf('claude', context.roots(), context.at).flatMap((path) =>
    parts.map((part) => planStep(part, findSettingsFile(part, path, context.at), flags.remove ?? false)),
  );
}

/** Whether Claude Code will find recall, which it starts by its bare name. */
function isOnPath({ env, platform }: Surroundings): boolean {
  const { delimiter, join } = platform === 'win32' ? win32 : posix;
  const names = platform === 'win32' ? ['recall.cmd', 'recall.exe'] : ['recall'];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => names.some((name) => isExecutable(join(folder, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
