// Claude Code: where it keeps conversations below a root, what a name there means, how a session is resumed, and which are open.
// What its lines say is in parse.ts, what its other files say in reader.ts.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parameter } from '../../hints.ts';
import { isFile, readForeignFile } from '../../open-file.ts';
import type { Surroundings } from '../../records.ts';
import { asSidecar, asTranscript, type FileLayout, type FilePlace, type Meaning } from '../files/layout.ts';
import {
  integerField,
  type JsonObject,
  numberField,
  parseJsonObject,
  stringField,
} from '../json/json-value.ts';
import type { LiveSession, ResumableSession, SessionFiles, Source } from '../source.ts';
import {
  findRealPath,
  findRunning,
  isAbsolute,
  isPlainId,
  isUuid,
  keepsFiles,
  keepsFolder,
  usualSource,
} from '../usual.ts';
import type { SidecarKind } from './reader.ts';

interface ClaudePlace extends FilePlace {
  readonly holds: 'projects' | 'project' | 'session' | 'agents' | 'exports' | 'histories';
  readonly slug: string | null;
  /** The session whose folder this is, for what lies below projects/<slug>/<id>/. */
  readonly nativeId: string | null;
  /** How many folders below this one are still looked into. */
  readonly depth: number;
}

/** Subagents are in subagents/ and subagents/workflows/wf_*\/; deeper than this is nobody's layout. */
const maxAgentDepth = 4;

function toPlace(
  folder: string,
  holds: ClaudePlace['holds'],
  { slug = null, nativeId = null, depth = 1 }: Partial<ClaudePlace> = {},
): ClaudePlace {
  return { folder, holds, slug, nativeId, depth };
}

const historyFile = 'history.jsonl';

/** What Claude Code set aside when it was about to write a transcript or a folder anew: an older state of the session it names. */
const setAside = /^(.+?)(?:\.jsonl)?\.((?:orphaned|superseded)-[\w-]+)(?:\.jsonl)?$/s;

function findPlaceBelow({ holds, folder, slug, nativeId, depth }: ClaudePlace, name: string) {
  const below = `${folder}/${name}`;
  switch (holds) {
    case 'projects':
      return toPlace(below, 'project', { slug: name });
    case 'project':
      if (name === 'memory') return null;
      return toPlace(below, 'session', { slug, nativeId: setAside.exec(name)?.[1] ?? name });
    case 'session':
      return name === 'subagents'
        ? toPlace(below, 'agents', { slug, nativeId, depth: maxAgentDepth - 1 })
        : null;
    case 'agents':
      return depth > 0 ? toPlace(below, 'agents', { slug, nativeId, depth: depth - 1 }) : null;
    default:
      return null;
  }
}

const machinery = /^(acompact|aprompt_suggestion|aside_question)-/;
const agentFile = /^agent-(.+)\.jsonl$/s;
const agentMetaFile = /^agent-(.+)\.meta\.json$/s;

/** What an agent is for, and Claude Code's own helpers, which repeat their parent's text and are never read. */
function isWrittenOnce(place: ClaudePlace, name: string): boolean {
  if (place.holds !== 'agents') return false;
  return agentMetaFile.test(name) || machinery.test(name.slice('agent-'.length));
}

function findMeaning(place: ClaudePlace, name: string): Meaning | null {
  const { holds, folder, slug, nativeId: parentNativeId } = place;
  const path = `${folder}/${name}`;
  const asSidecarOf = (nativeId: string | null, kind: SidecarKind) =>
    asSidecar({ path, kind, slug: slug ?? '', nativeId, parentNativeId });
  if (holds === 'session')
    return name === 'custom-title.json' && !setAside.test(folder)
      ? asSidecarOf(parentNativeId, 'custom-title')
      : null;
  if (holds === 'projects') return null;
  if (holds === 'project' && name === 'sessions-index.json') return asSidecarOf(null, 'sessions-index');
  const described = holds === 'agents' ? agentMetaFile.exec(name)?.[1] : undefined;
  if (described !== undefined) return asSidecarOf(described, 'agent-meta');
  const [, id, version] = holds === 'project' && isTranscript(name) ? (setAside.exec(name) ?? []) : [];
  if (id !== undefined && version !== undefined)
    return asTranscript({ path, kind: 'precompact', nativeId: version, parentNativeId: id, slug });
  if (!name.endsWith('.jsonl') || name === '.jsonl') return null;
  if (holds === 'exports') return asTranscript({ path, kind: 'transcript', nativeId: stem(name) });
  if (holds === 'histories') return asTranscript({ path, kind: 'precompact', nativeId: stem(name) });
  const nativeId = agentFile.exec(name)?.[1];
  if (nativeId !== undefined) {
    const isMachinery = machinery.test(nativeId);
    return asTranscript({ path, kind: 'subagent', nativeId, parentNativeId, slug, isMachinery });
  }
  return holds === 'agents' ? null : asTranscript({ path, kind: 'main', nativeId: stem(name), slug });
}

function isTranscript(name: string): boolean {
  return name.endsWith('.jsonl') || (name.includes('.jsonl.') && setAside.test(name));
}

function stem(name: string): string {
  return name.slice(0, -'.jsonl'.length);
}

const layout: FileLayout<ClaudePlace> = {
  stores: [
    toPlace('projects', 'projects'),
    toPlace('transcripts', 'exports'),
    toPlace('pre-compact-session-histories', 'histories'),
  ],
  rootFiles: new Map([
    [historyFile, asTranscript({ path: historyFile, kind: 'history', nativeId: 'history' })],
  ]),
  findPlaceBelow,
  isTranscript,
  isWrittenOnce,
  findMeaning,
};

const transcript = /^(?:agent-)?(.+)\.jsonl$/s;

/** `sessions-index.json` is a cache, and history.jsonl is not deleted: they are of no session and not kept. */
function findOwner(path: string): string | null {
  const [store, first = '', second, ...rest] = path.split('/');
  if (store === 'projects') {
    if (second === undefined || second === 'memory') return null;
    const older = setAside.exec(second)?.[1];
    return older ?? (rest.length > 0 ? second : (transcript.exec(second)?.[1] ?? null));
  }
  const isStore = layout.stores.some(({ folder }) => folder === store);
  return isStore && second === undefined ? (transcript.exec(first)?.[1] ?? null) : null;
}

/** Subagents, long results of tools, a title: all that is in `projects/<slug>/<id>/`. */
function toFolder(path: string): string | null {
  const [store, slug, name = '', ...rest] = path.split('/');
  if (store !== 'projects' || name === 'memory' || name.startsWith('agent-')) return null;
  if (rest.length === 0 && (!name.endsWith('.jsonl') || setAside.test(name))) return null;
  return `${store}/${slug}/${rest.length === 0 ? stem(name) : name}`;
}

/** Claude Code itself looks into every project when it is given an id. */
function findOnDisk(root: string, nativeId: string): string | null {
  const paths = listNames(`${root}/projects`).map((slug) => `projects/${slug}/${nativeId}.jsonl`);
  return paths.find((path) => isFile(`${root}/${path}`)) ?? null;
}

const files: Partial<SessionFiles> = {
  findOwner,
  toFolder,
  findOnDisk,
  idKeys: ['sessionId'],
  toMovedPath: (directory, nativeId) => `projects/${toSlug(directory)}/${nativeId}.jsonl`,
};

/** Every character but ASCII letters and digits becomes a dash, so the name alone cannot be turned back into its path. */
function toSlug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-');
}

function findDirectoryOf(slug: string): string | null {
  const drive = /^([A-Za-z])--/.exec(slug)?.[1];
  const root = drive === undefined ? '/' : `${drive}:\\`;
  if (drive === undefined && !slug.startsWith('-')) return null;
  const [only, ...others] = findBelow(root, slug.slice(toSlug(root).length));
  return only === undefined || others.length > 0 ? null : only;
}

function findBelow(folder: string, rest: string): string[] {
  return listNames(folder).flatMap((name) => {
    const part = toSlug(name);
    const path = join(folder, name);
    if (part === rest) return isDirectory(path) ? [path] : [];
    return rest.startsWith(`${part}-`) ? findBelow(path, rest.slice(part.length + 1)) : [];
  });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A file, or a folder without read permission.
    return [];
  }
}

/** For a root by its real path. `.claude.json` is beside ~/.claude, but within a folder that CLAUDE_CONFIG_DIR names. */
export function findClaudeFiles(root: string, { env, homeDir, cwd }: Surroundings) {
  const named = env.CLAUDE_CONFIG_DIR;
  const isNamed = named !== undefined && named !== '' && findRealPath(resolve(cwd, named)) === root;
  const isUsual = !isNamed && findRealPath(join(homeDir, '.claude')) === root;
  return {
    settingsPath: join(root, 'settings.json'),
    userConfigPath: join(isUsual ? homeDir : root, '.claude.json'),
  };
}

/** Settings that cannot be read, or make no sense, leave Claude Code with its own number. */
export function parseCleanupDays(settings: JsonObject | null): number {
  const days = settings === null ? null : numberField(settings, 'cleanupPeriodDays');
  return days === null || days < 0 ? 30 : days;
}

/** With two transcripts of one id, Claude Code finds each only from the directory that its folder is named after. */
function findDirectory(session: ResumableSession): string | null {
  const { slug, relocatedCwd, firstCwd, lastCwd, project, sameIdCount } = session;
  if (relocatedCwd !== null && isAbsolute(relocatedCwd)) return relocatedCwd;
  const known = [firstCwd, lastCwd, project].filter((cwd) => cwd !== null).filter(isAbsolute);
  return known.find((cwd) => toSlug(cwd) === slug) ?? (sameIdCount > 0 ? null : (known[0] ?? null));
}

/** `claude -r` attaches to these. */
const backgroundKinds: ReadonlySet<string> = new Set(['bg', 'daemon-worker']);

/** Every interactive session since 2.1 writes sessions/<pid>.json. After a crash it stays, so the process is looked up too. */
function readLiveSessions(root: string): LiveSession[] {
  const folder = join(root, 'sessions');
  return listNames(folder).flatMap((name) => {
    if (!/^\d+\.json$/.test(name)) return [];
    const open = readJson(join(folder, name));
    const pid = integerField(open, 'pid');
    const nativeId = stringField(open, 'sessionId');
    if (pid === null || nativeId === null || !isAlive(pid, stringField(open, 'procStart'))) return [];
    const isJoined = backgroundKinds.has(stringField(open, 'kind') ?? '');
    return [{ nativeId, pid, cwd: stringField(open, 'cwd'), isJoined }];
  });
}

/** Null for one that cannot be read, is half-written or was just removed. */
function readJson(path: string): JsonObject | null {
  try {
    return parseJsonObject(readForeignFile(path).toString());
  } catch {
    return null;
  }
}

/** The number of an ended process is given to another. On Linux `procStart` is when it started, in ticks since boot. */
function isAlive(pid: number, procStart: string | null): boolean {
  if (pid <= 0) return false;
  const startedAt = findStart(pid);
  if (startedAt !== undefined && procStart !== null) return startedAt === procStart;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function findStart(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}

export const claude: Source = {
  ...usualSource('claude', 'Claude Code'),
  ...keepsFolder('CLAUDE_CONFIG_DIR', '.claude'),
  knownVersion: '2.1.327',
  // test/sources/claude/parser-version.test.ts fails where that was forgotten.
  parserVersion: 8,
  rootParameter: parameter('claudeDirs', '--claude-dir <dir>'),
  excludesOthers: ({ env }) => Boolean(env.CLAUDE_CONFIG_DIR),
  findOwnFiles: (root, at) => Object.values(findClaudeFiles(root, at)),
  readCleanupDays: (root) => parseCleanupDays(readJson(join(root, 'settings.json'))),
  cleanupAdvice: 'raise cleanupPeriodDays in settings.json',
  // `/cd` moves it to the folder of the other project.
  movesTranscripts: true,
  ...keepsFiles(layout, files),
  isWatched: (name) => /\.jsonl?$/.test(name) || isTranscript(name),
  loadReader: async () => (await import('./reader.ts')).claudeReader,
  // Claude Code warms subagents up with this one word before it has anything for them to do.
  isWarmup: (kind, firstPrompt) => kind === 'subagent' && firstPrompt?.trim().toLowerCase() === 'warmup',
  findDirectory,
  resumesIn: 'preferred',
  toResumeArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['claude', '-r', nativeId] : null),
  toForkArgv: ({ nativeId }) => (isPlainId(nativeId) ? ['claude', '-r', nativeId, '--fork-session'] : null),
  findMovedDirectory: findDirectoryOf,
  readLiveSessions,
  // Started with this one, Claude Code says that saving is off, and keeps no transcript.
  marks: ['CLAUDE_CODE_CHILD_SESSION'],
  // Claude Code resumes nothing else by its id.
  canRebuild: isUuid,
  findRunningSession: (env) => {
    // oh-my-pi sets CLAUDECODE too.
    if (findRunning(env, null, 'OMPCODE') !== null) return null;
    const idVariable = env.CLAUDE_CODE_SESSION_ID ? 'CLAUDE_CODE_SESSION_ID' : 'CLAUDE_SESSION_ID';
    return findRunning(env, idVariable, 'CLAUDECODE');
  },
};
