// The package as a library: `import { openRecall } from 'recall-sessions'`. Options that are not given are taken from the process.

import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RecallEvent } from './api/host.ts';
import { Recall } from './api/recall.ts';
import { checkRequest, type RecallOptions } from './api/requests.ts';
import { buildHost } from './build-host.ts';

export type { Activity } from './api/activity.ts';
export type {
  CallDetail,
  Conversation,
  ConversationPage,
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
export type { Prunable } from './api/archive/delete.ts';
export type { ForgetAnswer, Forgettable } from './api/archive/forget.ts';
export type { ReadTranscript } from './api/archive/restore.ts';
export type { ArchiveOffer, ArchiveStatus } from './api/archive/status.ts';
export type { ExportedSession } from './api/hand-on/export.ts';
export type { ImportedSession } from './api/hand-on/import.ts';
export type { AddAnswer, HubStatus, JoinAnswer, SetupAnswer } from './api/hub/hub.ts';
export type { SyncAnswer } from './api/hub/sync.ts';
export type { ImportAnswer } from './api/import-labels.ts';
export type { LabelAnswer, LabelsAnswer } from './api/labels.ts';
export type { SessionInfo } from './api/list.ts';
export type {
  ActivityRequest,
  ConversationRequest,
  ExportRequest,
  FileHistoryRequest,
  IndexRequest,
  JoinRequest,
  LabelRequest,
  ListRequest,
  ProjectsRequest,
  PruneRequest,
  QuestionOptions,
  RecallOptions,
  ReferenceOptions,
  RestoreRequest,
  SearchRequest,
} from './api/requests.ts';
export type { Diagnosis, Finding } from './api/upkeep/diagnose.ts';
export type { IndexAnswer } from './api/upkeep/update.ts';
export { UserError } from './errors.ts';
export { type Hint, toHintText } from './hints.ts';
export type { LabelEntry, Labels, Note } from './records.ts';
export type { Recall, RecallEvent };

/** Nothing is opened before the first call. Call `close` when done. */
export function openRecall(options: RecallOptions = {}): Recall {
  checkRequest('open', options);
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
