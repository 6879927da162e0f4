// Whether and how a session can be resumed, for every list, page and command: from the disk as it is now. The transcript must
// exist; the directory need not, since most sessions can be resumed from anywhere.
// The directory is, in this order: the current one if asked for; the one it ran in; the one that its transcript's folder was
// renamed to, if the project was moved; the one that its work tree was made from; none, so that it resumes wherever the command is run.

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { TranscriptCopies } from '../archive/layout.ts';
import { sessionKinds } from '../records.ts';
import { getSource, sources } from '../sources/index.ts';
import type { Store } from '../store/open/open-store.ts';
import { type ResumeTarget, readResumeTargets } from '../store/read/sessions.ts';
import type { SessionInfo } from '../store/word-index.ts';
import { quoteForShell } from '../text/printable.ts';
import type { Resume, ResumeObstacle, Resumption } from './answers.ts';
import type { Host } from './host.ts';
import type { ResumeWay } from './requests.ts';

export function readResumptions(
  { db }: Store,
  ids: Iterable<number>,
  { at, archivePath, machine }: Pick<Host, 'at' | 'archivePath' | 'machine'>,
  way: ResumeWay = {},
): Map<number, Resumption> {
  const targets = readResumeTargets(db, ids);
  const copies = new TranscriptCopies(archivePath, machine);
  const look = makeLook(at);
  return new Map([...targets].map(([id, target]) => [id, readResumption(target, copies, look, way)]));
}

/** Looks at the disk. Most sessions in a list share their directory and their root with others, so each is looked at once. */
export function makeLook(at: Host['at']) {
  type Agent = ResumeTarget['agent'];
  return {
    isDirectory: once(isDirectory),
    findEnv: once((agent: Agent, root: string) => {
      const { findResumeEnv, marks } = getSource(agent);
      const marked = marks.filter((name) => at.env[name]).map((name) => [name, null] as const);
      return { ...Object.fromEntries(marked), ...findResumeEnv(root, at) };
    }),
    findMoved: once((agent: Agent, slug: string) => getSource(agent).findMovedDirectory?.(slug) ?? null),
    listLive: once((agent: Agent, root: string) => getSource(agent).readLiveSessions?.(root) ?? []),
  };
}

type Look = ReturnType<typeof makeLook>;

function once<Asked extends readonly string[], T>(ask: (...asked: Asked) => T): (...asked: Asked) => T {
  const known = new Map<string, T>();
  return (...asked) => {
    const key = asked.join('\0');
    if (!known.has(key)) known.set(key, ask(...asked));
    return known.get(key) as T;
  };
}

/** Of a session that is only on a hub: how it would be resumed, once it is here. */
export function toHubResumption(session: SessionInfo): Resumption {
  const { agent, nativeId, kind, machine, owner } = session;
  const source = getSource(agent);
  const unplaced = { root: '', path: null, isGone: false, originalCwd: null, sameIdCount: 0 };
  const argv = source.toResumeArgv({ ...session, ...unplaced });
  return {
    ...{ nativeId, kind, program: source.name, machine, owner },
    resume: argv === null ? null : toResume({ argv, cwd: null, unset: [] }, []),
    obstacle: 'elsewhere',
    isResumable: false,
    restorable: 'archive',
    ...{ first: null, lacking: [], goneDirectory: null, env: null, transcriptPath: null, live: null },
  };
}

function readResumption(target: ResumeTarget, copies: TranscriptCopies, look: Look, way: ResumeWay) {
  const { agent, nativeId, kind, root } = target;
  const source = getSource(agent);
  const transcriptPath = target.path === null ? null : join(root, target.path);
  const { hasDirectory, ...start } = planStart(target, source.findDirectory(target), look, way);
  const obstacle =
    findObstacle(target, hasDirectory && !way.here) ?? (start.resume === null ? 'no-fork' : null);
  return {
    ...start,
    nativeId,
    kind,
    program: source.name,
    resume: sessionKinds[kind].isResumable ? start.resume : null,
    obstacle,
    isResumable: obstacle === null,
    restorable: findRestorable(target, obstacle, copies),
    first: findFirst(target),
    lacking: [],
    transcriptPath,
    machine: target.machine,
    owner: target.owner,
    ...(target.machineKey === null ? {} : { goneDirectory: source.findDirectory(target) }),
  };
}

/** How the program is started for a session whose transcript is there, which ran or is to run in this directory. */
export function planStart(
  target: ResumeTarget,
  directory: string | null,
  look: Look,
  { here, fork }: ResumeWay,
) {
  const { agent, root, nativeId, sameIdCount } = target;
  const source = getSource(agent);
  const isThere = directory !== null && look.isDirectory(directory);
  // If two transcripts have the same id, only its own directory tells them apart.
  const place = isThere ? directory : sameIdCount > 0 ? null : findOtherPlace(target, look);
  const argv = (fork ? source.toForkArgv?.(target) : source.toResumeArgv(target)) ?? null;
  const found = Object.entries(look.findEnv(agent, root));
  const env = found.filter((each): each is [string, string] => each[1] !== null);
  const unset = found.filter(([, value]) => value === null).map(([name]) => name);
  const cwd = here || source.resumesIn === 'anywhere' ? null : place;
  return {
    resume: argv === null ? null : toResume({ argv, cwd, unset }, env),
    hasDirectory: place !== null,
    goneDirectory: place === null ? directory : null,
    env: env.length === 0 ? null : Object.fromEntries(env),
    live: look.listLive(agent, root).find((each) => each.nativeId === nativeId) ?? null,
  };
}

/** Where its directory was moved to; or, if that was a work tree that has been removed, where it came from. */
function findOtherPlace({ agent, slug, originalCwd }: ResumeTarget, look: Look): string | null {
  const moved = slug === null ? null : look.findMoved(agent, slug);
  return moved ?? (originalCwd !== null && look.isDirectory(originalCwd) ? originalCwd : null);
}

/** The name of the agent whose tool has started this program; null for a person. */
export function findCallingAgent({ env }: Host['at']): string | null {
  return (
    Object.values(sources).find(({ findRunningSession }) => findRunningSession(env) !== null)?.name ?? null
  );
}

function findObstacle(target: ResumeTarget, hasDirectory: boolean): ResumeObstacle | null {
  const { agent, kind, path } = target;
  const source = getSource(agent);
  if (!sessionKinds[kind].isResumable) return 'kind';
  if (source.toResumeArgv(target) === null) return 'id';
  if (path === null) return 'no-transcript';
  if (target.machineKey !== null) return 'elsewhere';
  if (!source.hasSession(target)) return 'transcript-deleted';
  return findStartObstacle(target, hasDirectory);
}

export function findStartObstacle(target: ResumeTarget, hasDirectory: boolean): ResumeObstacle | null {
  const { agent, sameIdCount } = target;
  const source = getSource(agent);
  if (source.toFirstArgv(target) !== null) return 'first';
  if (source.resumesIn === 'required' && !hasDirectory) return 'directory-gone';
  // If two transcripts have the same id, each is found only from its own directory.
  return source.resumesIn === 'preferred' && sameIdCount > 0 && !hasDirectory ? 'same-id' : null;
}

export function findFirst(target: ResumeTarget): string | null {
  const argv = getSource(target.agent).toFirstArgv(target);
  return argv === null ? null : toCommand(argv);
}

/** Only a session whose transcript is deleted, or was on another machine, can be restored. */
function findRestorable(
  { agent, root, path, kind, nativeId, messageCount, machineKey }: ResumeTarget,
  obstacle: ResumeObstacle | null,
  copies: TranscriptCopies,
): Resumption['restorable'] {
  const isDeleted =
    obstacle === 'transcript-deleted' ||
    obstacle === 'no-transcript' ||
    obstacle === 'elsewhere' ||
    kind === 'history';
  if (!isDeleted) return null;
  const { files, canRebuild } = getSource(agent);
  const find = (paths: readonly string[]) => copies.find(agent, root, paths, machineKey);
  if (files !== null && path !== null && find(files.toFormerPaths(path)) !== null) return 'archive';
  return messageCount > 0 && canRebuild(nativeId) ? 'text' : null;
}

/** `env -u` is understood by every shell that the line may be pasted into; PowerShell is given the parts. */
function toResume(
  { cwd, argv, unset }: Required<Omit<Resume, 'command'>>,
  env: readonly (readonly [string, string])[],
): Resume {
  const removals = unset.length === 0 ? [] : ['env', ...unset.map((name) => `-u ${name}`)];
  const settings = env.map(([name, value]) => `${name}=${quoteForShell(value)}`);
  const line = [...removals, ...settings, toCommand(argv)].join(' ');
  const command = cwd === null ? line : `cd ${quoteForShell(cwd)} && ${line}`;
  return { cwd, argv, command, ...(unset.length === 0 ? {} : { unset }) };
}

function toCommand(argv: readonly string[]): string {
  return argv.map((word) => (/^[\w./=-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A path that no file can have, or one inside a directory without read permission.
    return false;
  }
}
