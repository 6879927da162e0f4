// The commands and global flags; parsing, help, completion and the manual are made from them. A command is loaded only when it is
// used, so that none pays for another's libraries.

import type { Option as AnyOption, CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import packageJson from '../package.json' with { type: 'json' };
import { findCommand, isForScreen } from './command-line/argv.ts';
import { formatBriefHelp } from './command-line/brief-help.ts';
import { Command, type GlobalFlags, Option, type Program } from './command-line/commander.ts';
import type { Context, ToAction } from './command-line/context.ts';
import examples from './commands/examples.txt';
import type { OpenTerminal } from './commands/screen-command.ts';
import { EXIT_OK, UserError } from './errors.ts';
import { type CommandName, commandNames, toHintText } from './hints.ts';

export interface Shell {
  buildContext(flags: GlobalFlags): Context;
  setExitCode(code: number): void;
  readonly output: { writeOut(text: string): void; writeErr(text: string): void };
  /** What the screen opens on; null where it cannot. With `--print`, standard output may be a pipe. */
  readonly findScreen?: (isPrinting: boolean) => Promise<OpenTerminal | null>;
}

interface CommandModule {
  define(program: Program, run: ToAction): void;
}

/** Each command is in a file of its name. */
async function loadCommand(name: CommandName | 'screen' | 'help' | 'complete'): Promise<CommandModule> {
  return (await import(`./commands/${name}-command.ts`)) as CommandModule;
}

/** With only the command that `argv` names, if it is known; with all of them for help and for mistyped commands. */
export async function buildProgram(shell: Shell, argv: readonly string[] = []): Promise<Program> {
  const version = await readVersion(argv);
  const run = buildRun(shell);
  const isBrief = argv.includes('-h') && !argv.includes('--help');
  const addExamples: typeof findExamples = (of) => (isBrief ? '' : findExamples(of));
  const program = new Command('recall')
    .description('Finds any past conversation with an agent and puts you back into it.')
    .version(version, '-V, --version', 'print the version; with --verbose those of Node and SQLite too')
    .option(
      '--claude-dir <dir>',
      'Claude Code folder, repeatable (default: $CLAUDE_CONFIG_DIR or ~/.claude)',
      collect,
    )
    .option(
      '--agent-dir <agent=dir>',
      'another agent’s folder, such as codex=<dir>, repeatable (default: where the agent keeps it)',
      collect,
    )
    .option('--db <file>', 'the index (default: $RECALL_DB or the platform’s data folder)')
    .option('--archive <dir>', 'the archive (default: $RECALL_ARCHIVE or a folder beside the index)')
    .option('--json', 'machine-readable output on stdout')
    .addOption(
      new Option('--color <when>', 'colour the output')
        .choices(['auto', 'always', 'never'] as const)
        .default('auto' as const),
    )
    .option('-q, --quiet', 'print only results, no notes and no progress')
    .option('-v, --verbose', 'list the files and lines that were skipped (the first 20 lines of each file)')
    .helpOption('-h, --help', 'show help: -h on one screen, --help all of it')
    .usage('[words…]\n       recall <command> [options]')
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: listGlobalOptions,
      ...(isBrief
        ? { formatHelp: (command, help) => formatBriefHelp(command, help, findExamples({ command })) }
        : {}),
    })
    .configureOutput({ ...shell.output, outputError: () => {} })
    // The caller reports errors, in the same way as all others.
    .showSuggestionAfterError(false)
    .exitOverride()
    .addHelpText('after', addExamples) as unknown as Program;

  const asked = isForScreen(argv) ? '' : (argv[findCommand(argv, program.options)] ?? '');
  const openTerminal = asked === '' ? await findScreen(argv, shell) : null;
  if (openTerminal !== null) {
    const { defineAlone } = await import('./commands/screen-command.ts');
    defineAlone(program, run, openTerminal);
    return program;
  }
  const names = chooseCommands(asked, argv);
  for (const module of await Promise.all(names.map(loadCommand))) module.define(program, run);
  for (const command of program.commands) command.addHelpText('after', addExamples);
  return program;
}

/** With --verbose, all that a report of a problem should name. Opening SQLite for it takes time. */
async function readVersion(argv: readonly string[]): Promise<string> {
  const { version } = packageJson;
  const isGiven = (...names: string[]) => argv.some((arg) => names.includes(arg));
  if (!isGiven('-V', '--version') || !isGiven('-v', '--verbose')) return version;
  const { getEngine } = await import('./api/upkeep/diagnose.ts');
  const withNode = `${version}\nnode ${process.versions.node}`;
  try {
    const { name, sqliteVersion } = getEngine();
    return `${withNode}\nSQLite ${sqliteVersion} (${name})`;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${withNode}\nno SQLite: ${error.message}\n  try: ${toHintText(error.hint ?? '', '')}`;
  }
}

const elsewhere = ['-h', '--help', '-V', '--version', '--json', '--no-screen'];

async function findScreen(argv: readonly string[], shell: Shell): Promise<OpenTerminal | null> {
  if (argv.some((arg) => elsewhere.includes(arg))) return null;
  return shell.findScreen?.(argv.includes('--print')) ?? null;
}

function chooseCommands(
  asked: string,
  argv: readonly string[],
): readonly Parameters<typeof loadCommand>[0][] {
  const name = commandNames.find((each) => each === asked);
  if (name !== undefined) return [name];
  if (argv.length === 1 && ['-V', '--version'].includes(argv[0] ?? '')) return [];
  return [...commandNames, 'screen', 'help', 'complete'];
}

/** Without those that only `recall` alone has. */
function listGlobalOptions(this: Help, command: CommandUnknownOpts): AnyOption[] {
  const all = Object.getPrototypeOf(this).visibleGlobalOptions.call(this, command) as AnyOption[];
  return all.filter(({ long }) => !['--print', '--screen', '--no-screen'].includes(long ?? ''));
}

function findExamples({ command }: { readonly command: { name(): string } }): string {
  const sections = examples.split(/^== (.*)\n/m);
  const place = sections.indexOf(command.name());
  return place < 0 ? '' : `\n${sections[place + 1]?.trimEnd()}`;
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

/** Adapts a command to commander, which passes arguments first, then flags, then the command itself. */
function buildRun(shell: Shell): ToAction {
  return (runCommand) =>
    async (...given) => {
      const command = given.at(-1) as Program;
      const context = shell.buildContext(command.optsWithGlobals() as unknown as GlobalFlags);
      try {
        shell.setExitCode((await runCommand(context, ...given)) ?? EXIT_OK);
      } finally {
        context.recall.close();
      }
    };
}
