// The commands and flags, from which parsing and help are made. Commands are loaded when they run, so that none pays
// for another's libraries.

import { Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Context } from './command-line/context.ts';
import type { Run, Runner } from './command-line/run.ts';
import { defineComplete, defineCompletion } from './definitions/define-completion.ts';
import { defineDoctor } from './definitions/define-doctor.ts';
import { defineFiles } from './definitions/define-files.ts';
import { defineForget } from './definitions/define-forget.ts';
import { defineHelp } from './definitions/define-help.ts';
import { defineIndex } from './definitions/define-index.ts';
import { defineList } from './definitions/define-list.ts';
import { defineMcp } from './definitions/define-mcp.ts';
import { defineOpen } from './definitions/define-open.ts';
import { defineProjects } from './definitions/define-projects.ts';
import { defineSearch } from './definitions/define-search.ts';
import { defineSetup } from './definitions/define-setup.ts';
import { defineShow } from './definitions/define-show.ts';
import { defineStats } from './definitions/define-stats.ts';

export interface GlobalFlags {
  readonly claudeDir?: string[];
  readonly db?: string;
  readonly json?: boolean;
  readonly color: 'auto' | 'always' | 'never';
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** Makes the context of a command from its flags and takes its exit code. */
export interface Host {
  toContext(flags: GlobalFlags): Context;
  setExitCode(code: number): void;
  /** Where help and complaints go, as they are. */
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
}

/**
 * With the one command that is asked for, where it is known: defining the others for nothing takes as long as opening the
 * index.
 */
export function buildProgram(host: Host, asked?: string): Command {
  const run: Run = (runner) => toAction(runner, host);
  const program = new Command('recall')
    .description('Finds any past Claude Code conversation and puts you back into it.')
    .version(packageJson.version, '-V, --version', 'print the version')
    .option(
      '--claude-dir <dir>',
      'Claude Code folder, repeatable (default: $CLAUDE_CONFIG_DIR or ~/.claude)',
      collect,
    )
    .option('--db <file>', 'the index (default: $RECALL_DB or the platform’s data folder)')
    .option('--json', 'machine-readable output on stdout')
    .addOption(
      new Option('--color <when>', 'colour the output').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('-q, --quiet', 'results only, no notes and no progress')
    .option(
      '-v, --verbose',
      'name the files and lines that were passed over (of each file the first 20 lines)',
    )
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ ...host.output, outputError: () => {} })
    // What is wrong is said by the caller, in the same way as everything else.
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  recall search jwt middleware        find the session
  recall open 1                       how to get back into the first of them
  eval "$(recall open 1)"             and go there
  recall show 1                       read it here
  recall list --since yesterday       what was going on lately
  recall files auth.ts                which sessions read or changed it
  recall index                        bring the index up to date
  recall index --watch                and keep it so until stopped
  recall doctor                       how the index is, and what to do about it
  recall forget 5b60eaeb              remove a session from the index for good
  recall setup claude                 how to let Claude search its own past
  recall help query                   what a search understands`,
    );

  const define = Object.hasOwn(commands, asked ?? '') ? commands[asked ?? ''] : undefined;
  if (define !== undefined) define(program, run);
  else
    for (const defineEach of [...Object.values(commands), defineHelp, defineComplete])
      defineEach(program, run);
  return program;
}

/** In the order people need them. */
const commands: Readonly<Record<string, (program: Command, run: Run) => void>> = {
  index: defineIndex,
  search: defineSearch,
  open: defineOpen,
  show: defineShow,
  list: defineList,
  projects: defineProjects,
  files: defineFiles,
  stats: defineStats,
  doctor: defineDoctor,
  forget: defineForget,
  mcp: defineMcp,
  setup: defineSetup,
  completion: defineCompletion,
};

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Adapts a command to commander, which passes arguments first, then flags, then the command itself. */
function toAction(runner: Runner, host: Host) {
  return async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const flags = command.optsWithGlobals();
    const args = given.slice(0, -2) as string[];
    const context = host.toContext(flags as unknown as GlobalFlags);
    host.setExitCode(await runner(context, flags as Record<string, never>, ...args));
  };
}
