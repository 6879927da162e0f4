// recall alone: the interactive screen, and what is done with the session that was chosen there.

import { type GlobalFlags, Option, type Program } from '../command-line/commander.ts';
import { type Context, noteFreshness, type ToAction, toPageOptions } from '../command-line/context.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { formatListPage } from '../render/sessions.ts';
import type { OpenParts } from '../screen/open-screen.ts';

const interrupted = 130;

export function define(program: Program): void {
  program
    .addOption(
      new Option(
        '--print',
        'without a command: choose a session on the screen and print the command that resumes it',
      ),
    )
    .addOption(
      new Option('--screen', 'search for the words on the interactive screen instead of printing results'),
    )
    .addOption(new Option('--no-screen', 'without a command: show help instead of the interactive screen'));
}

export type OpenTerminal = (
  flags: GlobalFlags,
) => Promise<Pick<OpenParts, 'device' | 'startThread' | 'useColor'>>;

export function defineAlone(program: Program, run: ToAction, openTerminal: OpenTerminal): void {
  define(program);
  program.argument('[words...]', 'what to search for').action(
    run(async (context: Context, words: string[], { print = false }: { readonly print?: boolean }) => {
      if (context.at.env.TERM === 'dumb') {
        if (!print) return listPlainly(context);
        throw new UserError('recall --print needs a terminal that it can draw on, and TERM is dumb', {
          code: 'no-terminal',
        });
      }
      const terminal = await openTerminal(program.opts() as unknown as GlobalFlags);
      const { openScreen } = await import('../screen/open-screen.ts');
      const { recall, at, now, elapsedMs, signal } = context;
      const outcome = await openScreen({
        ...terminal,
        recall,
        now,
        elapsedMs,
        signal,
        homeDir: at.homeDir,
        cwd: at.cwd,
        query: words.join(' '),
        isInMultiplexer: at.env.TMUX !== undefined,
        // Where the command is captured, the shell decides what is done with it: the function of recall init runs it.
        verb: !print ? 'resume' : context.stdout.isTerminal ? 'print' : 'choose',
        exportTo: async (id, path) => (await import('./show-command.ts')).exportTo(context, id, path),
      });
      switch (outcome.type) {
        case 'left':
          return print ? EXIT_NOTHING_FOUND : EXIT_OK;
        case 'interrupted':
          // A signal has an exit code of its own; otherwise it was Ctrl-C, which is a key on the screen.
          context.signal.throwIfAborted();
          return interrupted;
        default: {
          const { openSession } = await import('./open-command.ts');
          const isRun = outcome.type === 'resume' && !print;
          const flags = { fork: outcome.isCopy, isSure: true, ...(isRun ? { run: true as const } : {}) };
          return openSession(context, outcome.id, flags, outcome.restored);
        }
      }
    }),
  );
}

async function listPlainly(context: Context): Promise<number> {
  const answer = await context.recall.list();
  noteFreshness(context, answer.freshness);
  await context.recall.remember(answer.sessions);
  if (answer.total > 0) context.print(formatListPage(answer, toPageOptions(context)));
  return answer.total > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
}
