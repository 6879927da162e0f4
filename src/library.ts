// The package as a library: `import { openRecall } from 'recall-sessions'`. Options that are not given are taken from the process.

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkOptions } from './api/check-request.ts';
import type { RecallEvent } from './api/host.ts';
import { Recall } from './api/recall.ts';
import type { GivenRoots } from './api/roots.ts';
import { buildHost } from './build-host.ts';

export type { Activity, ActivityRequest } from './api/activity.ts';
export type {
  CallDetail,
  Conversation,
  ConversationPage,
  ConversationRequest,
  Emptiness,
  Facets,
  FileHistory,
  FoundHit,
  FoundMatch,
  Fresh,
  Freshness,
  Head,
  ListAnswer,
  ListedSession,
  Outline,
  PageStart,
  Part,
  Piece,
  ProjectsAnswer,
  Restoration,
  Resume,
  Resumption,
  SearchAnswer,
  TranscriptImage,
} from './api/answers.ts';
export type { Prunable, PruneRequest } from './api/archive/delete.ts';
export type { ForgetAnswer, Forgettable } from './api/archive/forget.ts';
export type { ReadTranscript, RestoreRequest } from './api/archive/restore.ts';
export type { ArchiveOffer, ArchiveStatus } from './api/archive/status.ts';
export type { FileHistoryRequest } from './api/file-history.ts';
export type { AddAnswer, HubStatus, JoinAnswer, JoinRequest, SetupAnswer } from './api/hub/hub.ts';
export type { SyncAnswer } from './api/hub/sync.ts';
export type { ImportAnswer, LabelAnswer, LabelRequest, LabelsAnswer } from './api/labels.ts';
export type { ListRequest, SessionInfo } from './api/list.ts';
export type { ProjectsRequest } from './api/projects.ts';
export type { Archive, Hub, QuestionOptions, ReferenceOptions } from './api/recall.ts';
export type { SearchRequest } from './api/search.ts';
export type { Diagnosis, Finding } from './api/upkeep/diagnose.ts';
export type { IndexAnswer, IndexRequest } from './api/upkeep/update.ts';
export { UserError } from './errors.ts';
export { type Hint, toHintText } from './hints.ts';
export type { LabelEntry, Labels, Note } from './records.ts';
export type { Recall, RecallEvent };

export interface RecallOptions {
  /** The index; defaults to the usual one on this machine. */
  readonly db?: string;
  /** Where copies of transcripts are kept; defaults to `archive` beside the index. */
  readonly archive?: string;
  /** Claude Code's folders; default to $CLAUDE_CONFIG_DIR or ~/.claude. */
  readonly claudeDirs?: readonly string[];
  /** Folders of any agent, by its name; as soon as one is given, no agent's default folder is read. */
  readonly agentDirs?: GivenRoots;
  /** What `.` and relative paths refer to. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly homeDir?: string;
  readonly now?: () => Date;
  /** Stops what is running at the next safe point. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RecallEvent) => void;
}

/** Nothing is opened before the first call. Call `close` when done. */
export function openRecall(options: RecallOptions = {}): Recall {
  checkOptions(options);
  const { cwd = process.cwd(), env = process.env, homeDir = homedir() } = options;
  const { db, archive, claudeDirs = [], agentDirs = {}, now, onEvent } = options;
  const signal = options.signal ?? new AbortController().signal;
  return new Recall(
    buildHost({
      at: { env, homeDir, cwd, platform: process.platform },
      db,
      archive,
      givenRoots: { ...agentDirs, claude: [...claudeDirs, ...(agentDirs.claude ?? [])] },
      workerPath: fileURLToPath(new URL('../read-worker.cjs', import.meta.url)),
      signal: () => signal,
      now,
      onEvent,
    }),
  );
}
