// What recall can do, as typed functions over one index: the command line, the MCP server and the package's
// library are all clients of this. Each function is loaded when it is called, since most of the time of a
// search is start-up.
//
// Calls run one after the other. A question opens the index, brings it up to date unless `refresh` is false,
// and answers; the index stays open until `close`, and is reopened when another file has replaced it.

import { statSync } from 'node:fs';
import pLimit from 'p-limit';
import type { Store } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import type { Activity, ActivityRequest } from './activity.ts';
import type { Conversation, ConversationRequest, Piece } from './conversation/open-conversation.ts';
import type { FileHistory, FileHistoryRequest } from './file-history.ts';
import type { Host } from './host.ts';
import type { ListAnswer, ListRequest } from './list.ts';
import type { ProjectsAnswer, ProjectsRequest } from './projects.ts';
import type { Resumption } from './resume.ts';
import type { SearchAnswer, SearchRequest } from './search.ts';
import type { Diagnosis } from './upkeep/diagnose.ts';
import type { ForgetAnswer, Forgettable } from './upkeep/forget.ts';
import type { IndexAnswer, IndexRequest } from './upkeep/index-now.ts';
import type { Freshness } from './upkeep/refresh.ts';
import { upgradeOptions } from './upkeep/upgrade-options.ts';

export interface QuestionOptions {
  /** Bring the index up to date first, within a small time budget; defaults to true. */
  readonly refresh?: boolean | undefined;
  /** A call that is aborted while it waits for its turn is not started. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReferenceOptions {
  /** Whether a number means a result of the last remembered list. */
  readonly isNumbered?: boolean | undefined;
}

export type Fresh<T> = T & { readonly freshness: Freshness };

export class Recall {
  private readonly host: Host;
  private opened: { readonly store: Store; readonly fileId: string } | null = null;
  private freshness: Freshness | null = null;
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private readonly turns = pLimit(1);

  constructor(host: Host) {
    this.host = host;
  }

  search(request: SearchRequest, options: QuestionOptions = {}): Promise<Fresh<SearchAnswer>> {
    return this.askMapped(options, async (store) => {
      const { searchSessions } = await import('./search.ts');
      return searchSessions(this.host, store, request);
    });
  }

  list(request: ListRequest = {}, options: QuestionOptions = {}): Promise<Fresh<ListAnswer>> {
    return this.askMapped(options, async (store) => {
      const { listSessions } = await import('./list.ts');
      return listSessions(this.host, store, request);
    });
  }

  fileHistory(request: FileHistoryRequest, options: QuestionOptions = {}): Promise<Fresh<FileHistory>> {
    return this.askMapped(options, async (store) => {
      const { readFileHistory } = await import('./file-history.ts');
      return readFileHistory(this.host, store, request);
    });
  }

  projects(request: ProjectsRequest = {}, options: QuestionOptions = {}): Promise<Fresh<ProjectsAnswer>> {
    return this.ask(options, async (store) => {
      const { listProjects } = await import('./projects.ts');
      return listProjects(this.host, store, request);
    });
  }

  activity(request: ActivityRequest = {}, options: QuestionOptions = {}): Promise<Fresh<Activity>> {
    return this.ask(options, async (store) => {
      const { readActivityOf } = await import('./activity.ts');
      return readActivityOf(this.host, store, request);
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
      const { openConversation } = await import('./conversation/open-conversation.ts');
      const { session, position } = parseReference(ref);
      const { id } = await getFreshSession(this.host, store, session, options.isNumbered ?? false);
      const isPlaced = [request.match, request.around, request.range, request.last].some(
        (part) => part !== undefined,
      );
      const around = position === null || isPlaced ? request.around : `#${position}`;
      const conversation = openConversation(this.host, store, id, { ...request, around });
      return { ...conversation, pieces: (order) => this.guardPieces(conversation.pieces(order)) };
    });
  }

  /**
   * Whether and how the session, or the one it belongs to, can be resumed; `askedId` is the id of the session
   * itself.
   */
  resume(
    ref: string,
    options: ReferenceOptions = {},
  ): Promise<{ readonly askedId: string; readonly resumption: Resumption }> {
    return this.take(async (store) => {
      const { getFreshSession } = await import('./find-session.ts');
      const { readResumptions } = await import('./resume.ts');
      const { id, nativeId } = await getFreshSession(this.host, store, ref, options.isNumbered ?? false);
      const resumption = readResumptions(store, [id], this.host.at).get(id) as Resumption;
      return { askedId: nativeId, resumption };
    });
  }

  /** What forgetting a session would remove. */
  forgettable(ref: string, options: ReferenceOptions = {}): Promise<Forgettable> {
    return this.take(async (store) => {
      const { getSession } = await import('./find-session.ts');
      const { readForgettable } = await import('./upkeep/forget.ts');
      return readForgettable(store, getSession(store, ref, options.isNumbered ? this.host.indexPath : null));
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
  readOnlyPaths(): Promise<{ readonly folders: readonly string[]; readonly files: readonly string[] }> {
    return this.take(async (store) => {
      const { readRoots } = await import('../store/read/index-facts.ts');
      const { findOwnFiles, tryRoots } = await import('./roots.ts');
      const roots = tryRoots(this.host.roots).roots.map(({ path }) => path);
      return { folders: [...readRoots(store.db), ...roots], files: findOwnFiles(this.host.at) };
    });
  }

  /** From now on, a number means one of these. */
  async remember(sessions: readonly { readonly session: { readonly nativeId: string } }[]): Promise<void> {
    const { saveLastResults } = await import('../store/open/last-results.ts');
    saveLastResults(
      this.host.indexPath,
      sessions.map(({ session }) => session.nativeId),
    );
  }

  close(): void {
    this.opened?.store.close();
    this.opened = null;
  }

  private ask<T extends object>(
    { refresh = true, signal }: QuestionOptions,
    answer: (store: Store) => Promise<T>,
  ): Promise<Fresh<T>> {
    return this.take(async (store) => {
      signal?.throwIfAborted();
      const freshness = await this.bringUpToDate(store, refresh);
      signal?.throwIfAborted();
      // Not a copy: a conversation is still read later.
      return Object.assign(await answer(store), { freshness });
    });
  }

  /** For a question that reads pages all over the index. */
  private askMapped<T extends object>(
    options: QuestionOptions,
    answer: (store: Store) => Promise<T>,
  ): Promise<Fresh<T>> {
    return this.ask(options, async (store) => {
      const { readAsMemory } = await import('../store/open/open-store.ts');
      readAsMemory(store);
      return answer(store);
    });
  }

  /** Waits for its turn and opens the index. */
  private take<T>(answer: (store: Store) => Promise<T>): Promise<T> {
    return this.inTurn(async () => answer(await this.open()));
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    return this.turns(() => this.guard(run));
  }

  /** A repair, or a person, may have replaced the file; another recall may have upgraded it. */
  private async open(): Promise<Store> {
    const { isCurrent } = await import('../store/open/schema-version.ts');
    const { openStore } = await import('../store/open/open-store.ts');
    const { opened } = this;
    if (opened !== null && opened.fileId === readFileId(opened.store.path) && isCurrent(opened.store.db))
      return opened.store;
    this.close();
    const store = await openStore(this.host.indexPath, upgradeOptions(this.host));
    this.opened = { store, fileId: readFileId(store.path) };
    this.refreshedAt = Number.NEGATIVE_INFINITY;
    return store;
  }

  /** Turns SQLite's errors into ones that a person can act on. */
  private async guard<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw toStoreError(error, this.host.indexPath);
    }
  }

  private *guardPieces(pieces: Generator<Piece>): Generator<Piece> {
    try {
      yield* pieces;
    } catch (error) {
      throw toStoreError(error, this.host.indexPath);
    }
  }

  private async bringUpToDate(store: Store, isWanted: boolean): Promise<Freshness> {
    const { notRefreshed, refresh } = await import('./upkeep/refresh.ts');
    if (!isWanted) return notRefreshed;
    const isFresh = this.host.elapsedMs() - this.refreshedAt < this.host.freshForMs;
    if (!isFresh || this.freshness === null) {
      this.freshness = await refresh(this.host, store);
      this.refreshedAt = this.host.elapsedMs();
    }
    return this.freshness;
  }
}

function readFileId(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
