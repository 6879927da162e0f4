// What recall has to know of a program whose sessions it indexes. Each agent has a folder with one object of this shape;
// index.ts lists them. Nobody else knows how an agent names its files, writes its lines or is started. A source decides by
// itself how it stores: files go through discover.ts and read-transcript.ts, a database would answer the same questions in its own way.

import type { Batch, ForeignDatabase } from '../batch.ts';
import type { Surroundings } from '../config.ts';
import type { ParameterHint } from '../hints.ts';
import type {
  AgentName,
  FileTools,
  SessionHint,
  SessionKind,
  SidecarFile,
  SubagentMeta,
  TitleSource,
  TranscriptFile,
} from '../records.ts';
import type { WordForms } from '../text/words.ts';
import type { Obstacle } from './files/discover.ts';
import type { FolderSnapshot } from './files/snapshot.ts';
import type { KeptBytes, KeptFilesReader, SessionFiles } from './kept-files.ts';

export interface Source {
  readonly agent: AgentName;
  /** What people call the program. */
  readonly name: string;
  /** The newest version of the program whose files were examined. */
  readonly knownVersion?: string;
  /** Raised when reading finds something else in the same transcripts: every one on disk is then read again. */
  readonly parserVersion: number;

  /** How a person names other folders: in a request, and in the environment. */
  readonly rootParameter: ParameterHint;
  readonly rootVariable: string;
  /** The folders in which the program keeps its sessions when it is simply started, whether or not they exist. */
  toDefaultRoots(at: Surroundings): readonly string[];
  /** The environment names this program's folder for one call, so that nobody expects sessions of others. */
  excludesOthers(at: Surroundings): boolean;
  /** Files of the program's own, in a root or beside it, that hold what a person has set up: recall must not overwrite them. */
  findOwnFiles(root: string, at: Surroundings): readonly string[];
  /** After how many days the program deletes a transcript of this root; null when it never does. */
  readCleanupDays(root: string): number | null;
  /** What a person does to have it delete them later. */
  readonly cleanupAdvice: string;

  readonly fileTools: FileTools;

  /** The program moves a transcript to another place in the same root: archives it, say, or compresses it. */
  readonly movesTranscripts: boolean;
  /** What of a root differs from what is known of it. Looks at names and times, and reads nothing. */
  discover(root: string, options?: Partial<DiscoverOptions>): Discovery;
  /** Which files are kept in the archive; null where sessions are not files of their own. */
  readonly files: SessionFiles | null;
  /** Whether a change of this file, by its name, may be one of a session. */
  isWatched(name: string): boolean;
  /** What reads and parses these files. Apart, because a look at the disk has no use for it. */
  loadReader(paths: readonly string[], loadTools: () => Promise<SourceTools>): Promise<SourceReader>;
  /** What a file of the form `packed` holds, under the name that it had before; reading it throws where it is damaged. */
  loadUnpack?(): Promise<(file: KeptBytes) => KeptBytes>;

  resolveTitle(sources: TitleSources): Title;
  /** Started by the program for nothing, with no task of anybody. */
  isWarmup(kind: SessionKind, firstPrompt: string | null): boolean;

  /** Whether the program could have given this id to a session; the start of an id is none. */
  isSessionId(text: string): boolean;
  /** Where the session ran, and where the program finds it when it is started there; null where that is not known. */
  findDirectory(session: ResumableSession): string | null;
  /**
   * Where the program has to be started to resume a session. anywhere: it goes back to the session's directory by itself ·
   * preferred: it continues where it is started · required: it finds the session nowhere else.
   */
  readonly resumesIn: 'anywhere' | 'preferred' | 'required';
  /** The program and the arguments that resume a session; null when the id cannot be one of the program's. */
  toResumeArgv(session: ResumableSession): readonly string[] | null;
  /** The same for a new session that starts as a copy of this one; absent if the program cannot do that. */
  toForkArgv?(session: ResumableSession): readonly string[] | null;
  /** Where a session whose directory is gone was moved to, by the name of its folder on disk. */
  findMovedDirectory?(slug: string): string | null;
  /** The sessions of this root that the program has open now, as far as it says. */
  readLiveSessions?(root: string): readonly LiveSession[];
  /** What has to be run before that. */
  toFirstArgv(session: ResumableSession): readonly string[] | null;
  /** Whether what the session was read from is still there. */
  hasSession(session: ResumableSession): boolean;
  /** What has to be set for the program to find the sessions of this root, beside what is set already. */
  findResumeEnv(root: string, at: Surroundings): Readonly<Record<string, string>>;
  /** Whether a transcript that is rebuilt from the indexed text can be resumed by this id. */
  canRebuild(nativeId: string): boolean;
  /** The session from which recall was called; null outside the program. */
  findRunningSession(env: Surroundings['env']): RunningSession | null;
}

/** What a source is given, because it does not belong to sources. */
export interface SourceTools {
  /** For reading only. */
  readonly openDatabase: (path: string) => ForeignDatabase;
}

export interface SourceReader extends Partial<KeptFilesReader> {
  /** What a transcript holds, from where the job says, in batches of bounded size. */
  read(job: ReadJob, options: ReadOptions): Generator<Batch, ReadEnd>;
  /** What the text of a sidecar says; null when it is broken, or only half written. */
  parseSidecar(file: SidecarFile, text: string): SidecarContent | null;
}

/** Without any of them, everything is looked at. */
export interface DiscoverOptions extends SourceTools {
  readonly known: ReadonlyMap<string, FolderSnapshot>;
  /** Take a folder that was not touched to hold the same names, instead of reading them again. */
  readonly trustFolders: boolean;
  /** How many files and folders of quiet sessions are looked at all the same. */
  readonly quietLooks: number;
  readonly nowMs: number;
}

/** What a walk over files needs of them. */
export type WalkOptions = Omit<DiscoverOptions, keyof SourceTools>;

export const lookAtEverything: WalkOptions = {
  known: new Map(),
  trustFolders: false,
  quietLooks: Number.POSITIVE_INFINITY,
  nowMs: 0,
};

/** What is in a root, beside a snapshot of it; without a snapshot, all of it. */
export interface Discovery {
  /** Transcripts that are not as the snapshot has them. */
  readonly files: readonly TranscriptFile[];
  readonly sidecars: readonly SidecarFile[];
  readonly obstacles: readonly Obstacle[];
  /** Transcripts that are as they were. */
  readonly unchanged: number;
  /** Paths of the snapshot that are no longer there. */
  readonly missing: readonly string[];
  /** All that was found, for the next snapshot. */
  readonly folders: readonly FolderSnapshot[];
  /** The ids of all transcripts on disk, changed or not. */
  nativeIds(): Set<string>;
}

/** What a sidecar says, of one session or of many. */
export interface SidecarContent {
  readonly customTitle: string | null;
  readonly meta: SubagentMeta | null;
  readonly hints: readonly SessionHint[];
}

/** Everything that may name a session. */
export interface TitleSources {
  readonly kind: SessionKind;
  readonly sidecarTitle: string | null;
  readonly customTitle: string | null;
  readonly agentName: string | null;
  readonly aiTitle: string | null;
  readonly hintCustomTitle: string | null;
  readonly hintSummary: string | null;
  readonly summary: string | null;
  readonly subagentDescription: string | null;
  readonly firstPrompt: string | null;
}

export interface Title {
  readonly title: string | null;
  readonly source: TitleSource;
}

/** What the index knows of a session that is to be resumed. */
export interface ResumableSession {
  readonly nativeId: string;
  readonly root: string;
  /** Of its transcript, relative to the root; null when it never had one. */
  readonly path: string | null;
  /** Whether it was deleted before the last look. */
  readonly isGone: boolean;
  /** The name of the project's folder there. */
  readonly slug: string | null;
  readonly relocatedCwd: string | null;
  readonly firstCwd: string | null;
  readonly lastCwd: string | null;
  /** As other files name it, where no line of its own does. */
  readonly project: string | null;
  /** Other transcripts on disk with the same id. */
  readonly twins: number;
}

/** A session that is open in a running program, which would not notice another one that adds to its transcript. */
export interface LiveSession {
  readonly nativeId: string;
  readonly pid: number;
  readonly cwd: string | null;
}

export interface RunningSession {
  /** Null where the program does not say: then it is the newest session of the directory. */
  readonly nativeId: string | null;
}

/** Where reading starts. */
export interface ReadFrom {
  readonly bytes: number;
  readonly lines: number;
  /** The program's version as last seen before, for entries that do not name theirs. */
  readonly version: string | null;
}

/** Plain data, so that it can be sent to another thread. */
export interface ReadJob {
  readonly agent: AgentName;
  /** Absolute. */
  readonly path: string;
  readonly kind: SessionKind;
  readonly sizeBytes: number;
  readonly from: ReadFrom;
  /** Of the part before `from`; null when nothing was read before. */
  readonly fingerprint: string | null;
  readonly isRedacting: boolean;
  /** Also what tools were given and answered. */
  readonly keepsWork: boolean;
}

export interface ReadOptions {
  readonly forms: WordForms;
  readonly shouldStop: () => boolean;
}

/** whole: read to its end · unfinished: stopped, the rest is for later. */
export type ReadEnd = 'whole' | 'unfinished';
