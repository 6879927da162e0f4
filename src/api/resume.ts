// The one rule for whether and how a session can be resumed, for every list, page and command. It looks at the disk as it
// is now: the transcript has to be there; the directory need not, since a session can be resumed from anywhere.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from '../config.ts';
import { sessionKinds } from '../records.ts';
import { getSource } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { type ResumeTarget, readResumeTargets } from '../store/read/read-resume-targets.ts';
import { quoteForShell } from '../text/quote-for-shell.ts';

export interface Resume {
  /** Where to start; null where it is to be resumed from wherever one is. */
  readonly cwd: string | null;
  readonly argv: readonly string[];
  /** Both in one line that a shell understands, whatever the directory is called. */
  readonly command: string;
}

/** kind: it is not a conversation that its program can go on with · id: its program cannot have given this id. */
export type ResumeObstacle = 'kind' | 'id' | 'no-transcript' | 'transcript-deleted' | 'twins';

export interface Resumption {
  /** What is resumed: the session itself, or the one that it belongs to. */
  readonly nativeId: string;
  readonly kind: ResumeTarget['kind'];
  /** Null where there is nothing to resume or no command could do it. */
  readonly resume: Resume | null;
  readonly obstacle: ResumeObstacle | null;
  readonly isResumable: boolean;
  /** The directory it ran in, where that is no longer there. */
  readonly goneDirectory: string | null;
  /** What its program has to be told to find it; null for its usual folder. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Absolute; null where it never had one. */
  readonly transcriptPath: string | null;
}

/** By the id of the session. */
export function readResumptions(
  { db }: Store,
  ids: Iterable<number>,
  at: Surroundings,
): Map<number, Resumption> {
  const targets = readResumeTargets(db, ids);
  // Most sessions of a list share their directory and their root with others.
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

/** Asks but once for each key. */
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
  // With two transcripts of one id, each is found only from its own directory.
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
    // A path that no file can have, or one behind a directory that may not be read.
    return false;
  }
}
