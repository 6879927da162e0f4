// recall alone: the interactive screen, and what is done with the session that was chosen there.

import { type GlobalFlags, Option, type Program, type ToAction } from '../command-line/commander.ts';
import { type Context, toPageOptions } from '../command-line/context.ts';
import { noteFreshness } from '../command-line/print-answer.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toListPage } from '../render/sessions.ts';
import type { OpenParts } from '../screen/open-screen.ts';
import { toPrintableLine } from '../text/printable.ts';

const interrupted = 130;

export function define(program: Program): void {
  program
    .addOption(
      new Option(
        '--print',
        'without a command: choose a session on the screen and print the command that resumes it',
      ),
    )
    .addOption(new Option('--no-screen', 'without a command: show help instead of the interactive screen'));
}

/** The terminal and the threads of the screen. */
export type OpenTerminal = (
  flags: GlobalFlags,
) => Promise<Pick<OpenParts, 'device' | 'startThread' | 'useColor'>>;

export function defineAlone(program: Program, run: ToAction, openTerminal: OpenTerminal): void {
  define(program);
  program.action(
    run(async (context: Context, { print = false }: { readonly print?: boolean }) => {
      if (context.at.env.TERM === 'dumb') {
        if (!print) return listPlainly(context);
        throw new UserError('recall --print needs a terminal that it can draw on, and TERM is dumb', {
          code: 'no-terminal',
        });
      }
      const terminal = await openTerminal(program.opts() as unknown as GlobalFlags);
      const outcome = await open(context, terminal, print);
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
          return openSession(context, outcome.id, isRun ? { run: true } : {}, outcome.restored);
        }
      }
    }),
  );
}

async function open(context: Context, terminal: Awaited<ReturnType<OpenTerminal>>, isPrinting: boolean) {
  const { openScreen } = await import('../screen/open-screen.ts');
  const { recall, at, now, elapsedMs, signal } = context;
  return openScreen({
    ...terminal,
    recall,
    now,
    elapsedMs,
    signal,
    homeDir: at.homeDir,
    cwd: at.cwd,
    isInMultiplexer: at.env.TMUX !== undefined,
    // Where the command is captured, the shell decides what is done with it: the function of recall init runs it.
    verb: !isPrinting ? 'resume' : context.stdout.isTerminal ? 'print' : 'choose',
    exportTo: (id, path) => exportTo(context, id, path),
  });
}

/** As `recall show <id> --output <path>` does, with what it says for the screen. */
async function exportTo(context: Context, id: string, path: string): Promise<string> {
  const { planShow, writeConversation } = await import('./show-command.ts');
  const silent: Context = Object.create(context, { note: { value: () => {} } });
  try {
    const flags = { output: path, pager: false };
    const plan = planShow(silent, flags);
    const conversation = await context.recall.read(id, plan.request);
    await writeConversation(silent, flags, plan, {
      conversation,
      readPages: (start) => context.recall.pages(start),
    });
    return `wrote ${toPrintableLine(path)}`;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

async function listPlainly(context: Context): Promise<number> {
  const answer = await context.recall.list();
  noteFreshness(context, answer.freshness);
  await context.recall.remember(answer.sessions);
  if (answer.total > 0) context.print(toListPage(answer, toPageOptions(context)));
  return answer.total > 0 ? EXIT_OK : EXIT_NOTHING_FOUND;
}
