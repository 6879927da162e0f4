// How Claude Code is brought back into a session, and which session it is running now.

import { join } from 'node:path';
import type { Resume, ResumeTarget, RunningSession, Surroundings } from '../source.ts';
import { isDefaultRoot } from './roots.ts';
import { toSlug } from './slug.ts';

/**
 * Where Claude Code finds the session: it was moved there and says so itself, or it ran there and its folder is named after
 * that. Null when no such directory is known.
 */
function findOwnDirectory({ slug, relocatedCwd, firstCwd, lastCwd, project }: ResumeTarget): string | null {
  const isOwn = (cwd: string | null) => cwd !== null && isAbsolute(cwd) && toSlug(cwd) === slug;
  return relocatedCwd ?? [firstCwd, lastCwd, project].find(isOwn) ?? null;
}

/** The directory to start in: its own, else any that it ran in. */
function findDirectory(session: ResumeTarget): string | null {
  const { firstCwd, lastCwd, project } = session;
  const cwd = findOwnDirectory(session) ?? firstCwd ?? lastCwd ?? project;
  return cwd !== null && isAbsolute(cwd) ? cwd : null;
}

/** An id with such characters is none that Claude Code could have given, and would harm a terminal. */
const control = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

export function findResume(session: ResumeTarget, at: Surroundings): Resume | null {
  const { nativeId, root } = session;
  const cwd = findDirectory(session);
  if (cwd === null || nativeId.startsWith('-') || control.test(nativeId)) return null;
  // Another account, say: Claude Code has to be told where its sessions are.
  const env: Resume['env'] = isDefaultRoot(root, at) ? {} : { CLAUDE_CONFIG_DIR: root };
  return { cwd, argv: ['claude', '-r', nativeId], env };
}

/** Claude Code looks into the folder that is named after the directory in which it is started, if there is one. */
export function toWrongFolder(session: ResumeTarget): string | null {
  const cwd = findDirectory(session);
  if (cwd === null || findOwnDirectory(session) !== null) return null;
  return join(session.root, 'projects', toSlug(cwd));
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}

/** Not every version says which session it is. */
export function findRunningSession(env: Surroundings['env']): RunningSession | null {
  const named = env.CLAUDE_CODE_SESSION_ID || env.CLAUDE_SESSION_ID;
  if (named) return { nativeId: named };
  return env.CLAUDECODE ? { nativeId: null } : null;
}
