// The commands and global flags, from which parsing, help, completion and the manual are made. A command is loaded when it
// is asked for, so that none pays for another's libraries.

import packageJson from '../package.json' with { type: 'json' };
import { Command, type GlobalFlags, Option, type Program } from './command-line/commander.ts';
import type { Context } from './command-line/context.ts';
import type { Run } from './command-line/run.ts';
import { findCommand } from './command-line/separate-words.ts';
import { type CommandName, commandNames } from './hints.ts';

/** Makes the context of a command from its flags and takes its exit code. */
export interface Shell {
  toContext(flags: GlobalFlags): Context;
  setExitCode(code: number): void;
  /** Where help and complaints go, as they are. */
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
}

interface CommandModule {
  define(program: Program, run: Run): void;
}

/** In the order people need them. */
const commands: Readonly<Record<CommandName, () => Promise<CommandModule>>> = {
  index: () => import('./commands/index-command.ts'),
  search: () => import('./commands/search-command.ts'),
  open: () => import('./commands/open-command.ts'),
  show: () => import('./commands/show-command.ts'),
  list: () => import('./commands/list-command.ts'),
  projects: () => import('./commands/projects-command.ts'),
  files: () => import('./commands/files-command.ts'),
  stats: () => import('./commands/stats-command.ts'),
  doctor: () => import('./commands/doctor-command.ts'),
  forget: () => import('./commands/forget-command.ts'),
  mcp: () => import('./commands/mcp-command.ts'),
  setup: () => import('./commands/setup-command.ts'),
  completion: () => import('./commands/completion-command.ts'),
};

/** With the one command that `argv` asks for, where it is known; with all of them for help and for slips. */
export async function buildProgram(shell: Shell, argv: readonly string[] = []): Promise<Program> {
  const run: Run = (runner) => toAction(runner, shell);
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
      new Option('--color <when>', 'colour the output')
        .choices(['auto', 'always', 'never'] as const)
        .default('auto' as const),
    )
    .option('-q, --quiet', 'results only, no notes and no progress')
    .option('-v, --verbose', 'name the files and lines that were skipped (of each file the first 20 lines)')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ ...shell.output, outputError: () => {} })
    // What is wrong is said by the caller, in the same way as everything else.
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText('after', examples) as unknown as Program;

  const loads = toLoads(argv[findCommand(argv, program.options)] ?? '', argv);
  for (const module of await Promise.all(loads.map((each) => each()))) module.define(program, run);
  return program;
}

function toLoads(asked: string, argv: readonly string[]): readonly (() => Promise<CommandModule>)[] {
  const name = commandNames.find((each) => each === asked);
  if (name !== undefined) return [commands[name]];
  if (argv.length === 1 && ['-V', '--version'].includes(argv[0] ?? '')) return [];
  return [
    ...Object.values(commands),
    () => import('./commands/help-command.ts'),
    () => import('./commands/complete-command.ts'),
  ];
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Adapts a command to commander, which passes arguments first, then flags, then the command itself. */
function toAction<Given extends unknown[]>(
  runner: (context: Context, ...given: Given) => Promise<number>,
  shell: Shell,
) {
  return async (...given: Given): Promise<void> => {
    const command = given.at(-1) as Program;
    const context = shell.toContext(command.optsWithGlobals() as unknown as GlobalFlags);
    try {
      shell.setExitCode(await runner(context, ...given));
    } finally {
      context.recall.close();
    }
  };
}

const examples = `
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
  recall help query                   what a search understands`;
