// What recall can do, as typed functions over one index, for every front end and as the package's library. Each function is loaded
// when it is called, since most of the time of a search is start-up. Calls run one after the other. A question opens the index and
// brings it up to date unless `refresh` is false; it stays open until `close`, and is reopened when another file has replaced it.

import { statSync } from 'node:fs';
import pLimit from 'p-limit';
import type { VerifyReport } from '../archive/session-copies.ts';
import { saveSetting } from '../config.ts';
import type { LabelEntry, Progress } from '../records.ts';
import type { Store } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import { inOneState } from '../store/read/index-facts.ts';
import type { FoundSession } from '../store/read/sessions.ts';
import type { Activity, ActivityRequest } from './activity.ts';
import type {
  CallDetail,
  Conversation,
  ConversationPage,
  ConversationRequest,
  FileHistory,
  Fresh,
  Freshness,
  ListAnswer,
  Outline,
  PageStart,
  ProjectsAnswer,
  Resumption,
  SearchAnswer,
  TranscriptImage,
} from './answers.ts';
import type { Prunable, PruneRequest } from './archive/delete.ts';
import type { ForgetAnswer, Forgettable } from './archive/forget.ts';
import type { RestoreRequest } from './archive/restore.ts';
import { checkRequest } from './check-request.ts';
import type { CallRequest } from './conversation/read-call.ts';
import type { FileHistoryRequest } from './file-history.ts';
import type { FilterValue, FilterValuesRequest } from './filter-values.ts';
import type { Host } from './host.ts';
import type { AddAnswer, HubStatus, JoinAnswer, JoinRequest, SetupAnswer } from './hub/hub.ts';
import type { SyncAnswer, SyncRequest } from './hub/sync.ts';
import type { ImportAnswer, LabelAnswer, LabelRequest, LabelsAnswer } from './labels.ts';
import type { ListRequest } from './list.ts';
import type { ProjectsRequest } from './projects.ts';
import type { ResumeWay } from './resume.ts';
import type { ReadOnlyPaths } from './roots.ts';
import type { SearchRequest } from './search.ts';
import type { Diagnosis } from './upkeep/diagnose.ts';
import { upgradeOptions } from './upkeep/locks.ts';
import type { IndexAnswer, IndexRequest } from './upkeep/update.ts';

export interface QuestionOptions {
  /** Bring the index up to date first, within a small time budget; defaults to true. */
  readonly refresh?: boolean | undefined;
  /** A call that is aborted while it waits for its turn is not started. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReferenceOptions {
  /** Whether a number means a result of the list that this terminal showed last. */
  readonly isNumbered?: boolean | undefined;
}

export class Recall {
  private readonly host: Host;
  private readonly turns = pLimit(1);
  private opened: { readonly store: Store; readonly fileId: string } | null = null;
  private freshness: { readonly is: Freshness; readonly sinceMs: number } | null = null;
  readonly archive: Archive;
  readonly hub: Hub;

  constructor(host: Host) {
    this.host = host;
    this.hub = openHub(host, this.take.bind(this), this.inTurn.bind(this));
    this.archive = openArchive(host, this.take.bind(this), this.inTurn.bind(this));
  }

  async search(request: SearchRequest, options: QuestionOptions = {}): Promise<Fresh<SearchAnswer>> {
    checkRequest([request, options], ['query']);
    return this.ask(options, async () => (await import('./search.ts')).searchSessions, request);
  }

  async list(request: ListRequest = {}, options: QuestionOptions = {}): Promise<Fresh<ListAnswer>> {
    checkRequest([request, options]);
    return this.ask(options, async () => (await import('./list.ts')).listSessions, request);
  }

  async fileHistory(request: FileHistoryRequest, options: QuestionOptions = {}): Promise<Fresh<FileHistory>> {
    checkRequest([request, options], ['path']);
    return this.ask(options, async () => (await import('./file-history.ts')).readFileHistory, request);
  }

  async projects(
    request: ProjectsRequest = {},
    options: QuestionOptions = {},
  ): Promise<Fresh<ProjectsAnswer>> {
    checkRequest([request, options]);
    return this.ask(options, async () => (await import('./projects.ts')).listProjects, request);
  }

  async filterValues(
    request: FilterValuesRequest,
    options: QuestionOptions = {},
  ): Promise<Fresh<{ readonly values: readonly FilterValue[] }>> {
    checkRequest([request, options], ['filter']);
    return this.ask(options, async () => (await import('./filter-values.ts')).listFilterValues, request);
  }

  async activity(request: ActivityRequest = {}, options: QuestionOptions = {}): Promise<Fresh<Activity>> {
    checkRequest([request, options]);
    return this.ask(options, async () => (await import('./activity.ts')).readActivityOf, request);
  }

  /** `ref` may also name a message: 66c737db:12. Refreshes only for a whole id that is not in the index. */
  async read(
    ref: string,
    request: ConversationRequest = {},
    options: ReferenceOptions & QuestionOptions = {},
  ): Promise<Fresh<Conversation>> {
    checkRequest([{ ref }, request, options], ['ref']);
    return this.takeFresh({ refresh: false, ...options }, async (store) => {
      const { getFreshSession, parseReference } = await import('./find-session.ts');
      const { openConversation, placeRequest } = await import('./conversation/read-conversation.ts');
      const { session, position } = parseReference(ref);
      const placed = placeRequest(request, position);
      const { id } = await getFreshSession(this.host, store, session, options.isNumbered);
      return inOneState(store.db, () => openConversation(this.host, store, id, placed));
    });
  }

  /** Some messages of a conversation from `start` on, which is the `start` of the conversation or the `next` of a page. */
  async readPage(start: PageStart, limit?: number): Promise<ConversationPage> {
    checkRequest([{ start, limit }], ['start']);
    return this.take(async (store) => {
      const { readPage } = await import('./conversation/read-conversation.ts');
      return readPage(this.host, store, start, limit);
    });
  }

  async *pages(start: PageStart): AsyncGenerator<ConversationPage> {
    for (let next: PageStart | null = start; next !== null; ) {
      const page: ConversationPage = await this.readPage(next);
      yield page;
      next = page.next;
    }
  }

  /** How many messages a conversation has, its prompts, and what matches; `ref` names a session. */
  async outline(ref: string, request: { readonly match?: string | undefined } = {}): Promise<Outline> {
    checkRequest([{ ref }, request], ['ref']);
    return this.takeSession(ref, async (store, { id }) => {
      const { readOutline } = await import('./conversation/outline.ts');
      return inOneState(store.db, () => readOutline(store, id, request.match ?? ''));
    });
  }

  /** What a tool was given and answered, also by what the transcript has. */
  async readCall(ref: string, request: CallRequest): Promise<CallDetail> {
    checkRequest([{ ref }, request], ['ref', 'line', 'nth']);
    return this.takeSession(ref, async (store, session) =>
      (await import('./conversation/read-call.ts')).readCall(this.host, store, session, request),
    );
  }

  /** The images on the line of a message, from the transcript or its copy. */
  async readImages(ref: string, line: number): Promise<readonly TranscriptImage[]> {
    checkRequest([{ ref, line }], ['ref', 'line']);
    return this.takeSession(ref, async (store, session) =>
      (await import('./conversation/read-call.ts')).readImages(this.host, store, session, line),
    );
  }

  /** A number that differs after another recall, or another thread, has written to the index. */
  readState(): Promise<number> {
    return this.take(async (store) =>
      (await import('../store/read/index-facts.ts')).readDataVersion(store.db),
    );
  }

  /** Whether and how the session, or the one it belongs to, can be resumed. `askedId` is the id of the session itself, `calledBy` the agent that runs this. */
  async resume(
    ref: string,
    options: ReferenceOptions & ResumeWay = {},
  ): Promise<{
    readonly askedId: string;
    readonly resumption: Resumption;
    readonly calledBy: string | null;
  }> {
    checkRequest([{ ref }, options], ['ref']);
    return this.take(async (store) => {
      const { getSession, refreshFor } = await import('./find-session.ts');
      const { findCallingAgent, readResumptions } = await import('./resume.ts');
      await refreshFor(this.host, store, ref);
      return inOneState(store.db, () => {
        const { id, nativeId } = getSession(this.host, store, ref, options.isNumbered);
        const resumption = readResumptions(store, [id], this.host, options).get(id) as Resumption;
        return { askedId: nativeId, resumption, calledBy: findCallingAgent(this.host.at) };
      });
    });
  }

  /** The latest sessions of an index that is there and up to date; null if it would first have to be made or upgraded. */
  async peek(request: ListRequest = {}): Promise<ListAnswer | null> {
    const { openForReading } = await import('../store/open/open-store.ts');
    const { listSessions } = await import('./list.ts');
    return this.guard(async () => {
      const store = openForReading(this.host.indexPath);
      try {
        return store === null ? null : inOneState(store.db, () => listSessions(this.host, store, request));
      } finally {
        store?.close();
      }
    });
  }

  refresh(): Promise<Freshness> {
    return this.take(async (store) => (await import('./upkeep/update.ts')).refresh(this.host, store));
  }

  async forgettable(ref: string, options: ReferenceOptions = {}): Promise<Forgettable> {
    checkRequest([{ ref }, options], ['ref']);
    return this.take(async (store) => {
      const { getSession } = await import('./find-session.ts');
      const { readForgettable } = await import('./archive/forget.ts');
      const find = () => getSession(this.host, store, ref, options.isNumbered);
      return inOneState(store.db, () => readForgettable(store, ref, find));
    });
  }

  /** Also finishes what was still due of one that was forgotten before. */
  async forget(forgettable: Forgettable): Promise<ForgetAnswer> {
    checkRequest([{ forgettable }], ['forgettable']);
    return this.inTurn(async () => (await import('./archive/forget.ts')).forget(this.host, forgettable));
  }

  /** Gives a session, or takes from it, what the request says; `ref` may name a message, which a note is then about. */
  async label(ref: string, request: LabelRequest = {}, options: ReferenceOptions = {}): Promise<LabelAnswer> {
    checkRequest([{ ref }, request, options], ['ref']);
    return this.take(async (store) =>
      (await import('./labels.ts')).labelSession(this.host, store, ref, request, options.isNumbered),
    );
  }

  async labels(options: QuestionOptions = {}): Promise<Fresh<LabelsAnswer>> {
    checkRequest([options]);
    return this.ask(options, async () => (await import('./labels.ts')).listLabels, {});
  }

  exportLabels(): Promise<readonly LabelEntry[]> {
    return this.take(async (store) => (await import('./labels.ts')).exportLabels(store));
  }

  /** Entries of `exportLabels`, of another machine say: the newer of two wins. */
  async importLabels(entries: readonly unknown[]): Promise<ImportAnswer> {
    checkRequest([{ entries }], ['entries']);
    return this.take(async (store) => (await import('./labels.ts')).importLabels(store, entries));
  }

  async index(request: IndexRequest = {}): Promise<IndexAnswer> {
    checkRequest([request]);
    return this.inTurn(async () => (await import('./upkeep/update.ts')).indexNow(this.host, request));
  }

  async watch(onChanged: (answer: IndexAnswer) => void): Promise<void> {
    checkRequest([{ onChanged }], ['onChanged']);
    return this.guard(async () => {
      const { watch } = await import('./upkeep/update.ts');
      await watch(this.host, (update) => this.turns(update), onChanged);
    });
  }

  async diagnose(request: { readonly repair?: boolean } = {}): Promise<Diagnosis> {
    checkRequest([request]);
    const { repair = false } = request;
    return this.inTurn(async () => (await import('./upkeep/diagnose.ts')).diagnose(this.host, repair));
  }

  /** Where nothing may be written: folders that were or would be indexed, and the agents' own files. */
  readOnlyPaths(): Promise<ReadOnlyPaths> {
    return this.take(async (store) => (await import('./roots.ts')).listReadOnlyPaths(this.host, store));
  }

  /** From now on, a number in this terminal means one of these: for output that shows the numbers. */
  async remember(
    sessions: readonly { readonly session: { readonly nativeId: string; readonly machine: string | null } }[],
  ): Promise<void> {
    const { saveLastResults } = await import('../store/open/last-results.ts');
    const { indexPath, terminal, now } = this.host;
    const nativeIds = sessions.map(({ session: { nativeId, machine } }) =>
      machine === null ? nativeId : `${nativeId}@${machine}`,
    );
    saveLastResults(indexPath, terminal, { shownAt: now().toISOString(), nativeIds });
  }

  close(): void {
    this.opened?.store.close();
    this.opened = null;
  }

  private ask<Request, T extends object>(
    options: QuestionOptions,
    load: () => Promise<(host: Host, store: Store, request: Request) => T | Promise<T>>,
    request: Request,
  ): Promise<Fresh<T>> {
    return this.takeFresh(options, async (store) => {
      const answer = await load();
      return inOneState(store.db, () => answer(this.host, store, request));
    });
  }

  private takeFresh<T extends object>(
    { refresh = true, signal }: QuestionOptions,
    answer: (store: Store) => Promise<T>,
  ): Promise<Fresh<T>> {
    return this.take(async (store) => {
      signal?.throwIfAborted();
      const freshness = await this.bringUpToDate(store, refresh);
      signal?.throwIfAborted();
      return { ...(await answer(store)), freshness };
    });
  }

  private async bringUpToDate(store: Store, isWanted: boolean): Promise<Freshness> {
    const { notRefreshed, refresh } = await import('./upkeep/update.ts');
    if (!isWanted) return notRefreshed;
    const { host } = this;
    if (this.freshness === null || host.elapsedMs() - this.freshness.sinceMs >= host.freshForMs)
      this.freshness = { is: await refresh(host, store), sinceMs: host.elapsedMs() };
    return this.freshness.is;
  }

  private takeSession<T>(
    ref: string,
    answer: (store: Store, session: FoundSession) => Promise<T>,
  ): Promise<T> {
    return this.take(async (store) => {
      const { getFreshSession } = await import('./find-session.ts');
      return answer(store, await getFreshSession(this.host, store, ref));
    });
  }

  private take<T>(answer: (store: Store) => Promise<T>): Promise<T> {
    return this.inTurn(async () => answer(await this.open()));
  }

  /** A repair, or a person, may have replaced the file; another recall may have upgraded it. */
  private async open(): Promise<Store> {
    const { isCurrent } = await import('../store/open/versions.ts');
    const { openStore } = await import('../store/open/open-store.ts');
    const { opened } = this;
    if (opened !== null && opened.fileId === readFileId(opened.store.path) && isCurrent(opened.store.db))
      return opened.store;
    this.close();
    const store = await openStore(this.host.indexPath, upgradeOptions(this.host));
    this.opened = { store, fileId: readFileId(store.path) };
    this.freshness = null;
    return store;
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    return this.turns(() => this.guard(run));
  }

  /** Turns SQLite's errors into ones that a person can act on. */
  private async guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toStoreError(error, this.host.indexPath);
    }
  }
}

type Take = <T>(answer: (store: Store) => Promise<T>) => Promise<T>;
type InTurn = <T>(run: () => Promise<T>) => Promise<T>;

export type Archive = ReturnType<typeof openArchive>;

function openArchive(host: Host, take: Take, inTurn: InTurn) {
  return {
    status: () => take(async (store) => (await import('./archive/status.ts')).readArchiveStatus(host, store)),
    /** What keeping transcripts would take; null where the person has already decided, or there is nothing to keep yet. */
    offer: () => inTurn(async () => (await import('./archive/status.ts')).readArchiveOffer(host)),
    /** From now on; turning it off deletes nothing. */
    turn: async (isOn: boolean) => {
      checkRequest([{ isOn }], ['isOn']);
      return inTurn(async () => saveSetting(host.at, 'archive', isOn));
    },
    deleteAll: () => inTurn(async () => (await import('./archive/delete.ts')).deleteArchive(host)),
    verify: (): Promise<VerifyReport> =>
      inTurn(async () => {
        const { verifyArchive } = await import('../archive/session-copies.ts');
        const onProgress = (progress: Progress) => host.onEvent({ type: 'verifying', progress });
        return verifyArchive(host.archivePath, host.signal, onProgress).finally(() =>
          host.onEvent({ type: 'progress-end' }),
        );
      }),
    prunable: async (request: PruneRequest) => {
      checkRequest([request]);
      return take(async (store) => (await import('./archive/delete.ts')).findPrunable(host, store, request));
    },
    prune: async (prunable: Prunable) => {
      checkRequest([{ prunable }], ['prunable']);
      return inTurn(async () => (await import('./archive/delete.ts')).prune(host, prunable));
    },
    restore: async (ref: string, request: RestoreRequest = {}, options: ReferenceOptions = {}) => {
      checkRequest([{ ref }, request, options], ['ref']);
      return take(async (store) => {
        const { getFreshSession } = await import('./find-session.ts');
        const { restore } = await import('./archive/restore.ts');
        return restore(host, store, await getFreshSession(host, store, ref, options.isNumbered), request);
      });
    },
    /** The transcript of a session as bytes, wherever it is left. */
    readTranscript: async (
      ref: string,
      request: Pick<RestoreRequest, 'older'> = {},
      options: ReferenceOptions = {},
    ) => {
      checkRequest([{ ref }, request, options], ['ref']);
      return take(async (store) => {
        const { getSession } = await import('./find-session.ts');
        const { readTranscript } = await import('./archive/restore.ts');
        return readTranscript(host, store, getSession(host, store, ref, options.isNumbered), request);
      });
    },
  };
}

export type Hub = ReturnType<typeof openHub>;

function openHub(host: Host, take: Take, inTurn: InTurn) {
  const change = async (
    ref: string | null,
    project: string | undefined,
    isShared: boolean,
  ): Promise<SyncAnswer> => {
    const session =
      ref === null
        ? undefined
        : await take(async (store) => (await import('./find-session.ts')).getSession(host, store, ref, true));
    const { share } = await import('./hub/hub.ts');
    return inTurn(() => share(host, { session, project }, isShared));
  };
  return {
    status: (): Promise<HubStatus> => inTurn(async () => (await import('./hub/hub.ts')).readHubStatus(host)),
    join: async (request: JoinRequest): Promise<JoinAnswer> => {
      checkRequest([request], ['where']);
      return inTurn(async () => (await import('./hub/hub.ts')).joinHub(host, request));
    },
    /** The tables and roles in a database: made, or brought up to date. */
    setUp: async (where: string): Promise<SetupAnswer> => {
      checkRequest([{ where }], ['where']);
      return inTurn(async () => (await import('./hub/hub.ts')).setUpHub(host, where, true));
    },
    upgrade: async (where: string): Promise<SetupAnswer> => {
      checkRequest([{ where }], ['where']);
      return inTurn(async () => (await import('./hub/hub.ts')).setUpHub(host, where, false));
    },
    /** A login for a person. */
    add: async (name: string): Promise<AddAnswer> => {
      checkRequest([{ name }], ['name']);
      return inTurn(async () => (await import('./hub/hub.ts')).addPerson(host, name));
    },
    leave: (isDeleting = false) =>
      inTurn(async () => (await import('./hub/hub.ts')).leaveHub(host, isDeleting)),
    sync: async (request: Pick<SyncRequest, 'push' | 'pull'> = {}): Promise<SyncAnswer> => {
      checkRequest([request]);
      return inTurn(async () =>
        (await import('./hub/sync.ts')).sync(host, { ...request, timeoutMs: 10_000 }),
      );
    },
    /** A session by its reference, or all of a directory, now and later. */
    share: (ref: string | null, project?: string) => change(ref, project, true),
    unshare: (ref: string | null, project?: string) => change(ref, project, false),
    /** The key for the next machine of the same person. */
    key: () => inTurn(async () => (await import('./hub/hub.ts')).readOwnKey(host)),
  };
}

function readFileId(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
