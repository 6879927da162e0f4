// recall open: prints the one command that resumes a session, or says why there is none.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findFresh } from '../api/find-fresh.ts';
import { isDirectory } from '../api/is-directory.ts';
import { upgradeOptions } from '../api/upgrade-options.ts';
import type { Context } from '../command-line/context.ts';
import { isUsualRoot } from '../config.ts';
import { EXIT_NOTHING_FOUND, EXIT_OK, UserError } from '../errors.ts';
import { toJsonText } from '../render/json-text.ts';
import { toPrintableLine } from '../render/printable.ts';
import { findOwnDirectory, quoteForShell, type Resume, toResume } from '../render/resume-command.ts';
import { toSlug } from '../sources/claude/slug.ts';
import { openStore } from '../store/open/open-store.ts';
import { findResumable, type Resumable } from '../store/read/find-resumable.ts';

type Answer =
  | { readonly resume: Resume; readonly reason: null; readonly hint: null }
  | { readonly resume: null; readonly reason: string; readonly hint: string };

export async function runOpen(
  context: Context,
  ref: string,
  flags: { readonly run?: boolean },
): Promise<number> {
  const store = await openStore(context.indexPath, upgradeOptions(context));
  let answer: Answer;
  let target: Resumable;
  try {
    const session = await findFresh(context, store, ref);
    target = findResumable(store, session.id);
    answer = check(target);
    if (target.nativeId !== session.nativeId && answer.resume !== null) {
      context.note(
        `recall: ${toPrintableLine(session.nativeId)} belongs to ${toPrintableLine(target.nativeId)}, which is opened`,
      );
    }
  } finally {
    store.close();
  }
  // Another account, say: Claude Code has to be told where its sessions are.
  const env = isUsualRoot(target.root, context.at) ? undefined : { CLAUDE_CONFIG_DIR: target.root };
  if (context.json) {
    const { resume, reason } = answer;
    const fields = resume === null ? {} : { ...resume, env };
    context.print(toJsonText({ id: target.nativeId, resumable: resume !== null, reason, ...fields }));
    return resume === null ? EXIT_NOTHING_FOUND : EXIT_OK;
  }
  if (answer.resume === null) {
    throw new UserError(answer.reason, {
      code: 'not-resumable',
      hint: answer.hint,
      exitCode: EXIT_NOTHING_FOUND,
    });
  }
  const { resume } = answer;
  if (flags.run) return context.handOver(() => runClaude(resume, { ...context.at.env, ...env }));
  if (env !== undefined) {
    const setting = `CLAUDE_CONFIG_DIR=${quoteForShell(env.CLAUDE_CONFIG_DIR)}`;
    context.note(`recall: this session is another folder’s; start claude with ${setting}`);
  }
  context.print(resume.command);
  return EXIT_OK;
}

/** What Claude Code needs: the transcript where it looks for it, and the directory to start in. */
function check(target: Resumable): Answer {
  const id = toPrintableLine(target.nativeId);
  const no = (reason: string, hint: string): Answer => ({ resume: null, reason, hint });
  const show = `read it with: recall show ${id}`;
  if (target.kind !== 'main') return no(`${id} is ${kindNames[target.kind]} and cannot be resumed`, show);
  if (target.path === null) return no(`${id} has no transcript`, show);
  const path = join(target.root, target.path);
  if (!existsSync(path)) return no(`the transcript of ${id} was deleted`, show);
  const resume = toResume(target);
  if (resume === null)
    return no(`the directory of ${id} is not known`, `the transcript is ${toPrintableLine(path)}`);
  if (!isDirectory(resume.cwd)) {
    const hint = `make it again or move the project back; the transcript is ${toPrintableLine(path)}`;
    return no(`the directory ${toPrintableLine(resume.cwd)} of ${id} no longer exists`, hint);
  }
  const folder = join(target.root, 'projects', toSlug(resume.cwd));
  if (findOwnDirectory(target) === null && existsSync(folder)) {
    const reason = `Claude Code looks for ${id} in ${toPrintableLine(folder)}, and it is not there`;
    return no(reason, `move the transcript there: ${toPrintableLine(path)}`);
  }
  return { resume, reason: null, hint: null };
}

const kindNames = {
  main: 'a session',
  subagent: 'a subagent whose session is gone',
  transcript: 'an exported transcript',
  precompact: 'a history saved before a compaction',
  history: 'known only from the prompt history',
} as const;

const startFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program on your PATH',
  EACCES: 'it may not be run',
};

/** Its exit code becomes ours. */
function runClaude(
  { cwd, argv }: Resume,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [program = 'claude', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: 'inherit' });
    child.on('error', (error) => {
      const hint = 'install Claude Code, or run the command that recall open prints elsewhere';
      const reason = startFailures[(error as NodeJS.ErrnoException).code ?? ''] ?? error.message;
      reject(
        new UserError(`${program} could not be started: ${reason}`, {
          code: 'no-claude',
          hint,
          cause: error,
        }),
      );
    });
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}
