// The one rule for whether and how a session can be resumed, used by every list, page and command. It looks
// at the disk as it is now: the transcript must exist; the directory need not, since a session can be resumed
// from anywhere.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from '../config.ts';
import { sessionKinds } from '../records.ts';
import { getSource } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { type ResumeTarget, readResumeTargets } from '../store/read/read-resume-targets.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';

export interface Resume {
  /** The directory to start in; null for the current one. */
  readonly cwd: string | null;
  readonly argv: readonly string[];
  /** Both as one shell command line, safe for any directory name. */
  readonly command: string;
}

/**
 * kind: its program cannot continue this kind of conversation · id: its program would not have created this
 * id.
 */
export type ResumeObstacle = 'kind' | 'id' | 'no-transcript' | 'transcript-deleted' | 'twins';

export interface Resumption {
  /** What is resumed: the session itself, or the one it belongs to. */
  readonly nativeId: string;
  readonly kind: ResumeTarget['kind'];
  /** Null if there is nothing to resume, or no command could do it. */
  readonly resume: Resume | null;
  readonly obstacle: ResumeObstacle | null;
  readonly isResumable: boolean;
  /** The directory it ran in, if that no longer exists. */
  readonly goneDirectory: string | null;
  /** The variables that its program needs to find it; null for the default folder. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Absolute; null if it never had one. */
  readonly transcriptPath: string | null;
}

/** By session id. */
export function readResumptions(
  { db }: Store,
  ids: Iterable<number>,
  at: Surroundings,
): Map<number, Resumption> {
  const targets = readResumeTargets(db, ids);
  // Most sessions in a list share their directory and their root with others.
  const look = {
    isDirectory: once(isDirectory),
    findEnv: once((key) => {
      const [agent, root] = JSON.parse(key) as [ResumeTarget['agent'], string];
      return getSource(agent).findResumeEnv(root, at);
    }),
  };
  return new Map([...targets].map(([id, target]) => [id, readResumption(target, look)]));
}

interface Look {
  readonly isDirectory: (path: string) => boolean;
  readonly findEnv: (key: string) => Readonly<Record<string, string>>;
}

/** Calls `ask` only once per key. */
function once<T>(ask: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const answer = known.has(key) ? (known.get(key) as T) : ask(key);
    known.set(key, answer);
    return answer;
  };
}

function readResumption(target: ResumeTarget, look: Look): Resumption {
  const { agent, nativeId, kind, root } = target;
  const source = getSource(agent);
  const transcriptPath = target.path === null ? null : join(root, target.path);
  const directory = source.findDirectory(target);
  const cwd = directory !== null && look.isDirectory(directory) ? directory : null;
  const argv = sessionKinds[kind].isResumable ? source.toResumeArgv(nativeId) : null;
  const obstacle = findObstacle(target, argv, transcriptPath, cwd);
  const env = look.findEnv(JSON.stringify([agent, root]));
  return {
    nativeId,
    kind,
    resume: argv === null ? null : toResume(argv, cwd),
    obstacle,
    isResumable: obstacle === null,
    goneDirectory: cwd === null ? directory : null,
    env: Object.keys(env).length === 0 ? null : env,
    transcriptPath,
  };
}

function findObstacle(
  { kind, twins }: ResumeTarget,
  argv: Resume['argv'] | null,
  transcriptPath: string | null,
  cwd: string | null,
): ResumeObstacle | null {
  if (!sessionKinds[kind].isResumable) return 'kind';
  if (argv === null) return 'id';
  if (transcriptPath === null) return 'no-transcript';
  if (!existsSync(transcriptPath)) return 'transcript-deleted';
  // If two transcripts have the same id, each is found only from its own directory.
  return twins > 0 && cwd === null ? 'twins' : null;
}

function toResume(argv: Resume['argv'], cwd: string | null): Resume {
  const command = argv.map((word) => (/^[\w.-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
  return { cwd, argv, command: cwd === null ? command : `cd ${quoteForShell(cwd)} && ${command}` };
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A path that no file can have, or one inside a directory without read permission.
    return false;
  }
}
