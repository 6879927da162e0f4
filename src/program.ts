// The commands and flags, from which parsing and help are made. Commands are loaded when they run, so that none pays
// for another's libraries.

import { Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import type { Context } from './commands/context.ts';

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
    .option('-v, --verbose', 'name every line and file that was passed over')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput(host.output)
    .showHelpAfterError('(see recall --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  recall search jwt middleware        find the session
  recall open 1                       how to get back into the first of them
  eval "$(recall open 1)"             and go there
  recall index                        bring the index up to date
  recall index --watch                and keep it so until stopped
  recall doctor                       how the index is, and what to do about it
  recall forget 5b60eaeb              remove a session from the index for good`,
    );

  const define = Object.hasOwn(commands, asked ?? '') ? commands[asked as keyof typeof commands] : undefined;
  if (define !== undefined) define(program, run);
  else for (const defineEach of Object.values(commands)) defineEach(program, run);
  return program;
}

type Run = (runner: Runner) => (...given: unknown[]) => Promise<void>;

/** In the order people need them. */
const commands = {
  index(program: Command, run: Run): void {
    program
      .command('index')
      .description('bring the index up to date with the transcripts')
      .option('--rebuild', 'read every transcript again; sessions whose transcript is gone are kept')
      .option('--watch', 'stay and follow changes until stopped')
      .addHelpText(
        'after',
        '\nExamples:\n  recall index\n  recall index --rebuild\n  recall index --json --quiet',
      )
      .action(
        run(async (context, flags) => (await import('./commands/index-command.ts')).runIndex(context, flags)),
      );
  },

  search(program: Command, run: Run): void {
    program
      .command('search')
      .description('find sessions by what was said in them')
      .argument('<words...>', 'what to look for: words, "a phrase", pre*, -not, a OR b, project:name')
      .option('--limit <n>', 'how many sessions to show', '10')
      .option('--project <text>', 'only this project: a path, a name, or . for here')
      .option(
        '--since <day>',
        'only sessions active since then: 2026-01-31, 2026-01, 7d, yesterday, "last week"',
      )
      .option('--until <day>', 'only sessions begun by then')
      .option('--branch <text>', 'only sessions on a git branch')
      .addOption(
        new Option('--role <who>', 'only what the user or the assistant said').choices(['user', 'assistant']),
      )
      .option('--model <text>', 'only sessions with this model')
      .option('--file <path>', 'only sessions whose tools touched this file, or a path that ends so')
      .addOption(
        new Option('--kind <kind>', 'only one kind of session').choices([
          'main',
          'agent',
          'transcript',
          'precompact',
          'history',
        ]),
      )
      .option('--agents', 'list agents on their own instead of under their session')
      .addOption(
        new Option('--sort <order>', 'order of the results')
          .choices(['relevance', 'recent'])
          .default('relevance'),
      )
      .option('--all', 'also empty sessions, warm-ups and machinery')
      .option('--explain', 'show what each score is made of')
      .option('--no-refresh', 'do not look for new transcripts first')
      .addHelpText(
        'after',
        `
Examples:
  recall search jwt middleware
  recall search "when did we move the queue to redis?"
  recall search '"connection pool" -docker' --project . --since 7d
  recall search getUserById --file jwt-auth.ts --json`,
      )
      .action(
        run(async (context, flags, words) =>
          (await import('./commands/search-command.ts')).runSearch(
            context,
            words as unknown as string[],
            flags,
          ),
        ),
      );
  },

  open(program: Command, run: Run): void {
    program
      .command('open')
      .description('print the command that resumes a session')
      .argument(
        '<ref>',
        'session id, the first four or more characters of it, or the number of a search result',
      )
      .option('--run', 'run it here and now')
      .addHelpText(
        'after',
        '\nExamples:\n  recall open 1\n  eval "$(recall open 5b60eaeb)"\n  recall open 2 --run',
      )
      .action(
        run(async (context, flags, ref) =>
          (await import('./commands/open-command.ts')).runOpen(context, ref, flags),
        ),
      );
  },

  doctor(program: Command, run: Run): void {
    program
      .command('doctor')
      .description('check the index and say what to do about each finding')
      .option('--repair', 'fix what can be fixed; sessions that live only in the index are kept')
      .addHelpText('after', '\nExamples:\n  recall doctor\n  recall doctor --repair\n  recall doctor --json')
      .action(
        run(async (context, flags) =>
          (await import('./commands/doctor-command.ts')).runDoctor(context, flags),
        ),
      );
  },

  forget(program: Command, run: Run): void {
    program
      .command('forget')
      .description('remove a session and its agents from the index for good; the transcript stays')
      .argument('<ref>', 'session id or the first four or more characters of it')
      .option('-y, --yes', 'do not ask')
      .addHelpText('after', '\nExamples:\n  recall forget 5b60eaeb\n  recall forget 5b60eaeb --yes')
      .action(
        run(async (context, flags, ref) =>
          (await import('./commands/forget-command.ts')).runForget(context, ref, flags),
        ),
      );
  },
};

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

type Runner = (context: Context, flags: Record<string, never>, ...args: string[]) => Promise<number>;

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
