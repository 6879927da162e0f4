// recall open: prints the command that resumes a session, or says why it cannot be resumed.

import { spawn } from 'node:child_process';
import type { Restoration, Resume, Resumption } from '../api/answers.ts';
import type { ResumeWay } from '../api/requests.ts';
import type { Program } from '../command-line/commander.ts';
import { type Context, noteCircumstances, noteRestoration, type ToAction } from '../command-line/context.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { hint, recall } from '../hints.ts';
import { toJsonText } from '../render/json.ts';
import { explainObstacle, explainRunning } from '../render/resumption.ts';
import { toPrintableLine } from '../text/printable.ts';

export function define(program: Program, run: ToAction): void {
  program
    .command('open')
    .description('print the command that resumes a session')
    .argument('<ref>', 'session id, its first four or more characters, or the number of a result')
    .option('--run', 'run it instead of printing it')
    .option('--here', 'resume in the current directory instead of its own')
    .option('--fork', 'resume a copy, and leave the session itself as it is')
    .option('--restore', 'bring the transcript here first, if it was deleted or is on another machine')
    .option('--into <dir>', 'with --restore: the directory in which a session of another machine goes on')
    .action(run((context, ref, flags) => openSession(context, ref, flags)));
}

/** Also what the screen does with the session that was chosen, and may have restored. */
export async function openSession(
  context: Context,
  ref: string,
  flags: ResumeWay & {
    readonly run?: true;
    readonly restore?: true;
    readonly into?: string;
    /** What speaks against it was said, and the answer was yes. */
    readonly isSure?: boolean;
  },
  restored?: Restoration,
): Promise<number> {
  const way = { here: flags.here, fork: flags.fork };
  const found = await context.recall.resume(ref, { isNumbered: true, ...way });
  let { resumption } = found;
  let back = restored;
  if (back === undefined && flags.restore && resumption.restorable !== null)
    back = await restore(context, ref, { ...way, into: flags.into });
  if (back !== undefined) {
    noteRestoration(context, back);
    const isResumable = back.resume !== null && back.obstacle === null;
    resumption = { ...resumption, ...back, restorable: null, isResumable };
  }
  const { resume, isResumable } = resumption;
  if (isResumable) noteCircumstances(context, found.askedId, resumption, flags);
  const warning = flags.fork || flags.isSure ? null : explainRunning(resumption.live);
  if (isResumable && warning !== null) await allowRunning(context, toPrintableLine(ref), warning, flags);
  if (context.json) return printJson(context, resumption);
  if (resume === null || !isResumable) {
    const { reason, hint } = explainObstacle(resumption);
    throw new UserError(reason, { code: 'not-resumable', hint, exitCode: EXIT_NOTHING_FOUND });
  }
  if (flags.run) {
    if (!context.isInteractive && found.calledBy !== null) throw refuseInside(found.calledBy, resumption);
    const env = { ...context.at.env, ...resumption.env };
    for (const name of resume.unset ?? []) delete env[name];
    return context.handOver(() => start(resume, env));
  }
  context.print(resume.command);
  // On a terminal the line alone leaves a new user wondering; in a pipe or `$(…)` it stays one line.
  if (context.stdout.isTerminal) {
    context.note(hint`recall: to run it: ${recall('open', toPrintableLine(ref), '--run')}`);
    context.note('recall: to run it in this shell and stay in its directory: recall init --help');
  }
  return EXIT_OK;
}

/** A program that starts at once would hide the note; so would one that a shell starts with the line that it captured. */
async function allowRunning(
  context: Context,
  ref: string,
  warning: string,
  { run }: { readonly run?: true },
): Promise<void> {
  const copy = recall('open', ref, '--fork', ...(run ? ['--run'] : []));
  const advice = hint`go to that window, or resume a copy: ${copy}`;
  const isCaptured = !context.stdout.isTerminal && !context.json;
  if (!run && !(isCaptured && context.isInteractive))
    return context.note(hint`recall: ${warning}\n  try: ${advice}`);
  if (!(await context.confirm(`recall: ${warning}. Resume it all the same? [y/N] `)))
    throw new UserError(context.isInteractive ? 'the session was left alone' : warning, {
      code: 'running',
      hint: advice,
    });
}

/** Where no directory fits, a person at a terminal is asked for the current one. */
async function restore(
  context: Context,
  ref: string,
  way: ResumeWay & { readonly into?: string | undefined },
) {
  const { archive } = context.recall;
  try {
    return await archive.restore(ref, way, { isNumbered: true });
  } catch (error) {
    const isAskable =
      error instanceof UserError && error.code === 'no-directory' && context.stdout.isTerminal;
    if (!isAskable || context.json) throw error;
    const question = `${error.message}. Continue it in the current directory, ${toPrintableLine(context.at.cwd)}? [y/N] `;
    if (!(await context.confirm(question))) throw error;
    return archive.restore(ref, { ...way, here: true }, { isNumbered: true });
  }
}

/** A program that is started by an agent's tool has no terminal to be used at. */
function refuseInside(agent: string, { nativeId, program }: Resumption): UserError {
  const ownWay = agent === program ? `/resume ${toPrintableLine(nativeId)} here, or ` : '';
  return new UserError(`${agent} has run this, and there is no terminal to resume the session in`, {
    code: 'no-terminal',
    hint: `ask the person to type ${ownWay}what recall open prints in a terminal`,
  });
}

function printJson(context: Context, resumption: Resumption): number {
  const { nativeId, isResumable, restorable, resume, env, live } = resumption;
  const reason = isResumable ? null : explainObstacle(resumption).reason;
  const known = { id: nativeId, resumable: isResumable, restorable, reason, ...resume };
  context.print(toJsonText({ ...known, env: env ?? undefined, running: live !== null }));
  return isResumable ? EXIT_OK : EXIT_NOTHING_FOUND;
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
