// recall open: prints the command that resumes a session, or says why it cannot be resumed.

import { spawn } from 'node:child_process';
import type { Resume, Resumption } from '../api/resume.ts';
import type { Program } from '../command-line/commander.ts';
import type { Context } from '../command-line/context.ts';
import type { Run } from '../command-line/run.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toJsonText } from '../render/json-text.ts';
import { toObstacleText } from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';

export function define(program: Program, run: Run): void {
  program
    .command('open')
    .description('print the command that resumes a session')
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('--run', 'run it instead of printing it')
    .addHelpText(
      'after',
      '\nExamples:\n  recall open 1\n  eval "$(recall open 5b60eaeb)"\n  recall open 2 --run',
    )
    .action(
      run(async (context, ref, flags) => {
        const { askedId, resumption } = await context.recall.resume(ref, { isNumbered: true });
        const { resume, isResumable } = resumption;
        if (isResumable) noteCircumstances(context, askedId, resumption, flags.run ?? false);
        if (context.json) return printJson(context, resumption);
        if (resume === null || !isResumable) throw notResumable(resumption);
        if (flags.run) {
          const env = { ...context.at.env, ...resumption.env };
          return context.handOver(() => start(resume, env));
        }
        context.print(resume.command);
        return EXIT_OK;
      }),
    );
}

function printJson(context: Context, resumption: Resumption): number {
  const { nativeId, isResumable, resume, env } = resumption;
  const reason = isResumable ? null : toObstacleText(resumption).reason;
  context.print(
    toJsonText({ id: nativeId, resumable: isResumable, reason, ...resume, ...(env === null ? {} : { env }) }),
  );
  return isResumable ? EXIT_OK : EXIT_NOTHING_FOUND;
}

function notResumable(resumption: Resumption): UserError {
  const { reason, hint } = toObstacleText(resumption);
  return new UserError(reason, { code: 'not-resumable', hint, exitCode: EXIT_NOTHING_FOUND });
}

/** What the command line alone does not show. */
function noteCircumstances(
  context: Context,
  askedId: string,
  { nativeId, goneDirectory, env }: Resumption,
  isRun: boolean,
): void {
  if (nativeId !== askedId) {
    const [asked, opened] = [askedId, nativeId].map(toPrintableLine);
    context.note(`recall: ${asked} belongs to ${opened}; opening that one`);
  }
  if (goneDirectory !== null)
    context.note(
      `recall: its directory ${toPrintableLine(goneDirectory)} no longer exists; it resumes in the current directory`,
    );
  if (env === null || isRun || context.json) return;
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoteForShell(value)}`);
  context.note(`recall: this session belongs to another folder; run the command with ${settings.join(' ')}`);
}

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'it is not on your PATH',
  EACCES: 'permission denied',
};

/** Resolves to its exit code, which becomes ours. */
function start({ cwd, argv }: Resume, env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...(cwd === null ? {} : { cwd }), env, stdio: 'inherit' });
    child.on('error', (error) => {
      const reason = startFailures[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
      reject(
        new UserError(`cannot start ${program}: ${reason}`, {
          code: 'no-program',
          hint: 'install it, or run the command that recall open prints where it is installed',
          cause: error,
        }),
      );
    });
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}
