// What recall can do, as typed functions over one index: the command line, the MCP server and the package's
// library are all clients of this. Each function is loaded when it is called, since most of the time of a
// search is start-up.
//
// Calls run one after the other. A question opens the index, brings it up to date unless `refresh` is false,
// and answers; the index stays open until `close`, and is reopened when another file has replaced it.

import pLimit from 'p-limit';
import type { Store } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import { inOneState } from '../store/read/one-state.ts';
import type { Activity, ActivityRequest } from './activity.ts';
import { type Archive, toArchive } from './archive/archive-api.ts';
import type { Conversation, ConversationRequest, Piece } from './conversation/open-conversation.ts';
import type { FileHistory, FileHistoryRequest } from './file-history.ts';
import type { Host } from './host.ts';
import { KeptIndex } from './kept-index.ts';
import type { ListAnswer, ListRequest } from './list.ts';
import type { ProjectsAnswer, ProjectsRequest } from './projects.ts';
import type { ReadOnlyPaths } from './read-only-paths.ts';
import type { ResumeWay, Resumption } from './resume.ts';
import type { SearchAnswer, SearchRequest } from './search.ts';
import type { Diagnosis } from './upkeep/diagnose.ts';
import type { ForgetAnswer, Forgettable } from './upkeep/forget.ts';
import type { IndexAnswer, IndexRequest } from './upkeep/index-now.ts';
import type { Freshness } from './upkeep/refresh.ts';

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

export type Fresh<T> = T & { readonly freshness: Freshness };

export class Recall {
  private readonly host: Host;
  private readonly kept: KeptIndex;
  private readonly turns = pLimit(1);

  /** Copies of transcripts, and what to do with them. */
  readonly archive: Archive;

  constructor(host: Host) {
    this.host = host;
    this.kept = new KeptIndex(host);
    this.archive = toArchive(
      host,
      (answer) => this.take(answer),
      (run) => this.inTurn(run),
    );
  }

  search(request: SearchRequest, options: QuestionOptions = {}): Promise<Fresh<SearchAnswer>> {
    return this.ask(options, async (store) => {
      const { searchSessions } = await import('./search.ts');
      return searchSessions(this.host, store, request);
    });
  }

  list(request: ListRequest = {}, options: QuestionOptions = {}): Promise<Fresh<ListAnswer>> {
    return this.ask(options, async (store) => {
      const { listSessions } = await import('./list.ts');
      return inOneState(store, () => listSessions(this.host, store, request));
    });
  }

  fileHistory(request: FileHistoryRequest, options: QuestionOptions = {}): Promise<Fresh<FileHistory>> {
    return this.ask(options, async (store) => {
      const { readFileHistory } = await import('./file-history.ts');
      return inOneState(store, () => readFileHistory(this.host, store, request));
    });
  }

  projects(request: ProjectsRequest = {}, options: QuestionOptions = {}): Promise<Fresh<ProjectsAnswer>> {
    return this.ask(options, async (store) => {
      const { listProjects } = await import('./projects.ts');
      return inOneState(store, () => listProjects(this.host, store, request));
    });
  }

  activity(request: ActivityRequest = {}, options: QuestionOptions = {}): Promise<Fresh<Activity>> {
    return this.ask(options, async (store) => {
      const { readActivityOf } = await import('./activity.ts');
      return inOneState(store, () => readActivityOf(this.host, store, request));
    });
  }

  /** `ref` may also name a message: 66c737db:12. Refreshes only for a whole id that is not in the index. */
  read(
    ref: string,
    request: ConversationRequest = {},
    options: ReferenceOptions & QuestionOptions = {},
  ): Promise<Fresh<Conversation>> {
    return this.ask({ refresh: false, ...options }, async (store) => {
      const { getFreshSession, parseReference } = await import('./find-session.ts');
      const { openConversation, toPlaced } = await import('./conversation/open-conversation.ts');
      const { session, position } = parseReference(ref);
      const placed = toPlaced(request, position);
      const { id } = await getFreshSession(this.host, store, session, options.isNumbered ?? false);
      const callTexts = request.callTexts
        ? new (await import('./conversation/call-texts.ts')).CallTexts(store)
        : null;
      const conversation = inOneState(store, () => openConversation(this.host, store, id, placed, callTexts));
      return { ...conversation, pieces: (order) => this.guardPieces(store, conversation.pieces(order)) };
    });
  }

  /**
   * Whether and how the session, or the one it belongs to, can be resumed; `askedId` is the id of the session
   * itself.
   */
  resume(
    ref: string,
    options: ReferenceOptions & ResumeWay = {},
  ): Promise<{ readonly askedId: string; readonly resumption: Resumption }> {
    return this.take(async (store) => {
      const { getSession, refreshFor } = await import('./find-session.ts');
      const { readResumptions } = await import('./resume.ts');
      await refreshFor(this.host, store, ref);
      return inOneState(store, () => {
        const { id, nativeId } = getSession(this.host, store, ref, options.isNumbered ?? false);
        const resumption = readResumptions(store, [id], this.host, options).get(id) as Resumption;
        return { askedId: nativeId, resumption };
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
        return store === null ? null : inOneState(store, () => listSessions(this.host, store, request));
      } finally {
        store?.close();
      }
    });
  }

  /** Brings the index up to date within a small time budget, the newest files first. */
  refresh(): Promise<Freshness> {
    return this.take(async (store) => {
      const { refresh } = await import('./upkeep/refresh.ts');
      return refresh(this.host, store);
    });
  }

  /** What forgetting a session would remove. */
  forgettable(ref: string, options: ReferenceOptions = {}): Promise<Forgettable> {
    return this.take(async (store) => {
      const { getSession } = await import('./find-session.ts');
      const { readForgettable } = await import('./upkeep/forget.ts');
      return inOneState(store, () =>
        readForgettable(store, getSession(this.host, store, ref, options.isNumbered ?? false)),
      );
    });
  }

  forget({ session }: Forgettable): Promise<ForgetAnswer> {
    return this.inTurn(async () => (await import('./upkeep/forget.ts')).forget(this.host, session));
  }

  index(request: IndexRequest = {}): Promise<IndexAnswer> {
    return this.inTurn(async () => (await import('./upkeep/index-now.ts')).indexNow(this.host, request));
  }

  /** Watches the folders until the host's signal. */
  watch(onChanged: (answer: IndexAnswer) => void): Promise<void> {
    return this.guard(async () => {
      const { watch } = await import('./upkeep/index-now.ts');
      await watch(this.host, (update) => this.turns(update), onChanged);
    });
  }

  diagnose({ repair = false }: { readonly repair?: boolean } = {}): Promise<Diagnosis> {
    return this.inTurn(async () => (await import('./upkeep/diagnose.ts')).diagnose(this.host, repair));
  }

  /** Where nothing may be written: folders that were or would be indexed, and the agents' own files. */
  readOnlyPaths(): Promise<ReadOnlyPaths> {
    return this.take(async (store) =>
      (await import('./read-only-paths.ts')).listReadOnlyPaths(this.host, store),
    );
  }

  /** From now on, a number in this terminal means one of these: for output that shows the numbers. */
  async remember(sessions: readonly { readonly session: { readonly nativeId: string } }[]): Promise<void> {
    const { saveLastResults } = await import('../store/open/last-results.ts');
    const { indexPath, terminal, now } = this.host;
    const nativeIds = sessions.map(({ session }) => session.nativeId);
    saveLastResults(indexPath, terminal, { shownAt: now().toISOString(), nativeIds });
  }

  close(): void {
    this.kept.close();
  }

  private ask<T extends object>(
    { refresh = true, signal }: QuestionOptions,
    answer: (store: Store) => Promise<T>,
  ): Promise<Fresh<T>> {
    return this.take(async (store) => {
      signal?.throwIfAborted();
      const freshness = await this.kept.bringUpToDate(store, refresh);
      signal?.throwIfAborted();
      // Not a copy: a conversation is still read later.
      return Object.assign(await answer(store), { freshness });
    });
  }

  /** Waits for its turn and opens the index. */
  private take<T>(answer: (store: Store) => Promise<T>): Promise<T> {
    return this.inTurn(async () => answer(await this.kept.open()));
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

  private *guardPieces(store: Store, pieces: Generator<Piece>): Generator<Piece> {
    try {
      for (;;) {
        this.kept.refuseClosed(store);
        const next = pieces.next();
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw toStoreError(error, this.host.indexPath);
    }
  }
}
