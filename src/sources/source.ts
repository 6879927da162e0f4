// What recall has to know of a program whose sessions it indexes. Each agent has a folder with one object of this shape;
// index.ts lists them. Nobody else knows how an agent names its files, writes its lines or is started. A source decides by
// itself how it stores: files go through discover.ts and read-transcript.ts, a database would answer the same questions in its own way.

import type { Batch } from '../batch.ts';
import type {
  AgentName,
  SessionHint,
  SessionKind,
  SidecarFile,
  SubagentMeta,
  TitleSource,
  TranscriptFile,
} from '../records.ts';
import type { WordForms } from '../text/words.ts';
import type { Obstacle } from './files/disk.ts';
import type { FolderSnapshot } from './files/snapshot.ts';
import type { JsonObject } from './json/json-value.ts';

/** What a program sees of the machine when it is started; always passed in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly cwd: string;
}

export interface Source {
  readonly agent: AgentName;
  /** What people call the program. */
  readonly name: string;
  /** Raised when reading finds something else in the same transcripts: every one on disk is then read again. */
  readonly parserVersion: number;

  /** The folders in which the program keeps its sessions when it is simply started, whether or not they exist. */
  toDefaultRoots(at: Surroundings): readonly string[];
  /** Files of the program's own, in a root or beside it, that hold what a person has set up: recall must not overwrite them. */
  findOwnFiles(root: string, at: Surroundings): readonly string[];
  /** After how many days the program deletes a transcript of this root; null when it never does. */
  readCleanupDays(root: string): number | null;

  /** What of a root differs from what is known of it. Looks at names and times, and reads nothing. */
  discover(root: string, options?: DiscoverOptions): Discovery;
  /** Whether a change of this file, by its name, may be one of a session. */
  isWatched(name: string): boolean;
  /** What reads and parses. Apart, because a look at the disk has no use for it. */
  loadReader(): Promise<SourceReader>;

  resolveTitle(sources: TitleSources): Title;
  /** Started by the program for nothing, with no task of anybody. */
  isWarmup(kind: SessionKind, firstPrompt: string | null): boolean;

  /** Where the session ran, and where the program finds it when it is started there; null where that is not known. */
  findDirectory(session: ResumeTarget): string | null;
  /** The program and the arguments that resume a session; null when the id cannot be one of the program's. */
  toResumeArgv(nativeId: string): readonly string[] | null;
  /** What has to be set for the program to find the sessions of this root, beside what is set already. */
  findResumeEnv(root: string, at: Surroundings): Readonly<Record<string, string>>;
  /** The session from which recall was called; null outside the program. */
  findRunningSession(env: Surroundings['env']): RunningSession | null;
}

export interface SourceReader {
  /** What a transcript holds, from where the job says, in batches of bounded size. */
  read(job: ReadJob, options: ReadOptions): Generator<Batch, ReadEnd>;
  parseSidecar(file: SidecarFile, value: JsonObject): SidecarContent;
  /** What is searched of a call or an answer on a line, once secrets are taken out; null where there is no such thing. */
  parseWork(line: Buffer, place: WorkPlace, clean: (text: string) => string): WorkPassage | null;
}

/** Which call or answer of a line, of a session of this kind. */
export interface WorkPlace {
  readonly nth: number;
  readonly isOutput: boolean;
  readonly kind: SessionKind;
}

export interface WorkPassage {
  readonly text: string;
  readonly timestamp: string | null;
}

export interface DiscoverOptions {
  readonly known: ReadonlyMap<string, FolderSnapshot>;
  /** Take a folder that was not touched to hold the same names, instead of reading them again. */
  readonly trustFolders: boolean;
  /** How many files and folders of quiet sessions are looked at all the same. */
  readonly quietLooks: number;
  readonly nowMs: number;
}

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

/** Where reading starts. */
export interface ReadFrom {
  readonly bytes: number;
  readonly lines: number;
  /** The program's version as last seen before, for entries that do not name theirs. */
  readonly version: string | null;
}

/** What a reader is asked for: plain data, so that it can be sent to another thread. */
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
export interface ResumeTarget {
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

export interface RunningSession {
  /** Null where the program does not say: then it is the newest session of the directory. */
  readonly nativeId: string | null;
}
