// What recall has to know of an agent whose sessions it indexes. Each agent has a folder with one object of this shape;
// index.ts lists them. Nobody else knows how an agent names its files, writes its lines or is started. How a source reads is its
// own affair: files go through discover.ts and read-transcript.ts, a database answers the same questions in its own way.

import type { Batch, ForeignDatabase } from '../batch.ts';
import type { ParameterHint } from '../hints.ts';
import type {
  AgentName,
  MessageRecord,
  SessionHint,
  SessionKind,
  SidecarFacts,
  SidecarFile,
  Surroundings,
  TranscriptFile,
} from '../records.ts';
import type { WordForms } from '../text/words.ts';
import type { Meaning } from './files/layout.ts';
import type { FolderSnapshot } from './files/snapshot.ts';
import type { JsonObject } from './json/json-value.ts';
import type { Cleaning } from './json/redact.ts';
import type { Entry } from './transcript/entry.ts';

export interface Source {
  readonly agent: AgentName;
  readonly name: string;
  /** The newest version of the agent whose files were examined. */
  readonly knownVersion?: string;
  /** Raised when reading finds something else in the same transcripts: every one on disk is then read again. */
  readonly parserVersion: number;

  /** How a person names other folders: in a request, and in the environment. */
  readonly rootParameter: ParameterHint;
  readonly rootVariable: string | null;
  /** The folders in which the agent keeps its sessions by default, whether or not they exist. */
  toDefaultRoots(at: Surroundings): readonly string[];
  /** The environment names this agent's folder for one call, so that nobody expects sessions of others. */
  excludesOthers(at: Surroundings): boolean;
  /** Files of the agent's own, in a root or beside it, that hold what a person has set up: recall must not overwrite them. */
  findOwnFiles(root: string, at: Surroundings): readonly string[];
  /** After how many days the agent deletes a transcript of this root; null when it never does. */
  readCleanupDays(root: string): number | null;
  /** What a person does to have it delete them later. */
  readonly cleanupAdvice: string;

  /** The agent moves a transcript to another place in the same root: archives it, say, or compresses it. */
  readonly movesTranscripts: boolean;
  /** What of a root differs from what is known of it. Looks at names and times, and reads nothing. */
  discover(root: string, options?: Partial<DiscoverOptions>): Discovery;
  /** Which files are copied to the archive; null where sessions are not files of their own. */
  readonly files: SessionFiles | null;
  /** Whether a change of this file, by its name, may be one of a session. */
  isWatched(name: string): boolean;
  /** What reads and parses these files. Apart, because a look at the disk has no use for it. */
  loadReader(paths: readonly string[], loadTools: () => Promise<SourceTools>): Promise<SourceReader>;
  /** What a file of the form `packed` holds, under the name that it had before; reading it throws where it is damaged. */
  loadUnpack?(): Promise<(file: CopiedFile) => CopiedFile>;

  /** Started by the agent for nothing, with no task of anybody. */
  isWarmup(kind: SessionKind, firstPrompt: string | null): boolean;

  /** Whether the agent could have given this whole id to a session. */
  isSessionId(text: string): boolean;
  /** Where the session ran, and where the agent finds it when it is started there; null where that is not known. */
  findDirectory(session: ResumableSession): string | null;
  /** anywhere: it returns to the session's directory · preferred: it continues where it is started · required: only there. */
  readonly resumesIn: 'anywhere' | 'preferred' | 'required';
  toResumeArgv(session: ResumableSession): readonly string[] | null;
  /** The same for a new session that starts as a copy of this one; absent if the agent cannot do that. */
  toForkArgv?(session: ResumableSession): readonly string[] | null;
  /** Where a session whose directory no longer exists was moved to, by the name of its folder on disk. */
  findMovedDirectory?(slug: string): string | null;
  readLiveSessions?(root: string): readonly LiveSession[];
  /** What has to be run before the session is resumed. */
  toFirstArgv(session: ResumableSession): readonly string[] | null;
  hasSession(session: ResumableSession): boolean;
  /** What has to be set for the agent to find the sessions of this root, or must not be (null), beside what is set already. */
  findResumeEnv(root: string, at: Surroundings): Readonly<Record<string, string | null>>;
  /** What it sets for the programs that it starts. One of its own that is started by one of these takes itself for a part of it. */
  readonly marks: readonly string[];
  /** Whether a transcript that is rebuilt from the indexed text can be resumed by this id. */
  canRebuild(nativeId: string): boolean;
  /** The session from which recall was called; null outside the agent. */
  findRunningSession(env: Surroundings['env']): RunningSession | null;
}

/** What sources need but do not have themselves; passed in, because sources do not import the store. */
export interface SourceTools {
  /** For reading only. */
  readonly openDatabase: (path: string) => ForeignDatabase;
}

/** Without any of them, everything is looked at. */
export interface DiscoverOptions extends SourceTools {
  readonly known: ReadonlyMap<string, FolderSnapshot>;
  /** Take a folder that was not touched to hold the same names, instead of reading them again. */
  readonly trustFolders: boolean;
  readonly nowMs: number;
}

/** How a root differs from a snapshot of it; without a snapshot, all that is in it. */
export interface Discovery {
  readonly files: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  readonly obstacles: readonly Obstacle[];
  readonly unchanged: number;
  /** Paths of the snapshot that are no longer there. */
  readonly missing: readonly string[];
  /** All that was found, for the next snapshot. */
  readonly folders: readonly FolderSnapshot[];
  /** Paths of files that `restore` has not finished, in folders that were listed. */
  readonly unfinished?: readonly string[];
  /** The ids of all transcripts on disk, changed or not. */
  nativeIds(): Set<string>;
}

/** Something that was not looked into. Known files below it are neither seen nor gone. */
export interface Obstacle {
  readonly path: string;
  readonly reason: string;
  readonly isLink: boolean;
  /** A single file whose name is not UTF-8. */
  readonly isOfName: boolean;
}

export interface SessionFiles {
  /** The session that a file belongs to, as paths name it; null for a file that is not copied. */
  findOwner(path: string): string | null;
  toOwner(nativeId: string): string;
  /** The folder that belongs to the session of a file, of which everything is copied; null where it has none. */
  toFolder(path: string, nativeId: string): string | null;
  /** What `discover` makes of a file with this path; null if it ignores it. */
  findMeaning(path: string): Meaning | null;
  /** lines: redacted line by line, only whole lines are restored · text: as a whole · packed: compressed by the agent. */
  findForm(path: string): 'lines' | 'text' | 'packed';
  /** Where a transcript is, then where the agent may have had it before it moved or packed it. */
  toFormerPaths(path: string): readonly string[];
  /** Where the transcript of a session is now, wherever that is in the root. */
  findOnDisk(root: string, nativeId: string): string | null;
  /** The fields by which lines name their session, where a copy of it with another id can be resumed. */
  readonly idKeys?: readonly string[];
  /** So that it is resumed in this directory. `path` is where it was, if anywhere. Null where the agent cannot do that. */
  toMovedPath(directory: string, nativeId: string, path: string | null): string | null;
}

export interface SourceReader {
  read(job: ReadJob, options: ReadOptions): Generator<Batch, ReadEnd>;
  /** What the text of a sidecar says; null when it is broken, or only half written. */
  parseSidecar(file: SidecarFile, text: string): SidecarContent | null;
  /** A transcript of what is left of a session, line by line, which the agent can resume; `count` is that of the messages. */
  rebuild?(session: RebuiltSession, messages: Iterable<RebuiltMessage>, count: number): Generator<string>;
  /** The first line of a transcript that holds less than the index may: so many lines after it are not read again. */
  toRebuiltMarker?(nativeId: string, lines: number): string;
  /** How many lines of a transcript `rebuild` has made, by its first bytes; null where it is the agent's own. */
  findRebuiltLines?(head: Buffer): number | null;
  /** Without secrets, and not longer. A line of a transcript, or all of another file. */
  redactLine?(line: Buffer, cleaning?: Cleaning): Buffer;
  /** What one line says, where a transcript consists of lines and each can be understood by itself. */
  parseEntry?(line: JsonObject, kind: SessionKind): Entry | null;
  /** Whether what a line says is sent to the model when the session is resumed; absent where that was not tried with the program. */
  isSent?(line: JsonObject): boolean;
  /** The ids of sessions without whose transcripts the agent cannot resume this one. */
  findNeeded?(file: CopiedFile): readonly string[];
}

/** What the archive holds of a file, from its start. */
export interface CopiedFile {
  readonly path: string;
  chunks(): Iterable<Buffer>;
}

export interface RebuiltSession {
  readonly nativeId: string;
  readonly cwd: string;
  readonly branch: string | null;
  /** Both null where no line of the session names them. */
  readonly version: string | null;
  readonly model: string | null;
}

export type RebuiltMessage = Pick<MessageRecord, 'uuid' | 'role' | 'kind' | 'timestamp' | 'text'>;

/** What a sidecar says; whatever it leaves out, it does not know. */
export interface SidecarContent extends Partial<SidecarFacts> {
  /** Of the sessions that it describes: where they ran, say, or what they are called. */
  readonly hints?: readonly (Pick<SessionHint, 'nativeId'> & Partial<SessionHint>)[];
}

export interface ResumableSession {
  readonly nativeId: string;
  readonly root: string;
  /** Of its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
  /** Whether it was deleted before the last look. */
  readonly isGone: boolean;
  readonly slug: string | null;
  readonly relocatedCwd: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  /** Where it was before it went to a work tree of its own. */
  readonly originalCwd: string | null;
  /** As other files name it, where no line of its own does. */
  readonly project: string | null;
  readonly sameIdCount: number;
}

/** A session that is open in a running agent, which would not notice another one that adds to its transcript. */
export interface LiveSession {
  readonly nativeId: string;
  readonly pid: number;
  readonly cwd: string | null;
  /** Resuming it opens the program that is running, instead of a second one. */
  readonly isJoined: boolean;
}

export interface RunningSession {
  /** Null where the agent does not say: then it is the newest session of the directory. */
  readonly nativeId: string | null;
}

export interface ReadFrom {
  readonly bytes: number;
  readonly lines: number;
  /** The agent's version as last seen before, for entries that do not name theirs. */
  readonly version: string | null;
}

/** Plain data, so that it can be sent to another thread. */
export interface ReadJob {
  /** Absolute. */
  readonly path: string;
  readonly kind: SessionKind;
  readonly sizeBytes: number;
  readonly from: ReadFrom;
  /** Of the part before `from`; null when nothing was read before. */
  readonly fingerprint: string | null;
  /** Hashes of the uuids in that part, packed. */
  readonly knownUuids?: Uint8Array | null;
  /** All of that part is compared with the file, and not only samples. */
  readonly isChecking?: boolean;
  readonly isRedacting: boolean;
  /** Also what tools were given and answered. */
  readonly keepsToolTexts: boolean;
}

export interface ReadOptions {
  readonly forms: WordForms;
  readonly shouldStop: () => boolean;
}

/** whole: read to its end · unfinished: stopped, the rest is for later. */
export type ReadEnd = 'whole' | 'unfinished';
