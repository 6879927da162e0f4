// How Claude Code is brought back into a session, and which session it is running now.

import type { Surroundings } from '../../config.ts';
import type { ResumeTarget, RunningSession } from '../source.ts';
import { isAbsolute, isPlainId } from '../usual.ts';
import { isDefaultRoot } from './roots.ts';
import { toSlug } from './slug.ts';

/**
 * Where it says that it was moved to, else the directory that its folder is named after, else any that it ran in. With two
 * transcripts of one id, Claude Code finds each only from the directory that its folder is named after.
 */
export function findDirectory(session: ResumeTarget): string | null {
  const { slug, relocatedCwd, firstCwd, lastCwd, project, twins } = session;
  if (relocatedCwd !== null && isAbsolute(relocatedCwd)) return relocatedCwd;
  const known = [firstCwd, lastCwd, project].filter((cwd) => cwd !== null).filter(isAbsolute);
  return known.find((cwd) => toSlug(cwd) === slug) ?? (twins > 0 ? null : (known[0] ?? null));
}

export function toResumeArgv({ nativeId }: ResumeTarget): readonly string[] | null {
  return isPlainId(nativeId) ? ['claude', '-r', nativeId] : null;
}

export function toForkArgv(session: ResumeTarget): readonly string[] | null {
  const argv = toResumeArgv(session);
  return argv === null ? null : [...argv, '--fork-session'];
}

/** Another account, say: Claude Code does not look there by itself. */
export function findResumeEnv(root: string, at: Surroundings): Readonly<Record<string, string>> {
  return isDefaultRoot(root, at) ? {} : { CLAUDE_CONFIG_DIR: root };
}

/** Not every version says which session it is. */
export function findRunningSession(env: Surroundings['env']): RunningSession | null {
  const named = env.CLAUDE_CODE_SESSION_ID || env.CLAUDE_SESSION_ID;
  if (named) return { nativeId: named };
  return env.CLAUDECODE ? { nativeId: null } : null;
}
