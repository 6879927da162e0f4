// What recall can do, as typed functions over one index, for every front end and as the package's library. Each function is loaded
// when it is called, since most of the time of a search is start-up. Calls run one after the other. A question opens the index and
// brings it up to date unless `refresh` is false; it stays open until `close`, and is reopened when another file has replaced it.

import { statSync } from 'node:fs';
import pLimit from 'p-limit';
import { saveSetting } from '../config.ts';
import type { Progress } from '../records.ts';
import type { Store } from '../store/open/open-store.ts';
import { toStoreError } from '../store/open/store-error.ts';
import { inOneState } from '../store/read/index-facts.ts';
import type { FoundSession } from '../store/read/sessions.ts';
import type { ConversationPage, Fresh, Freshness, ListAnswer, PageStart, Resumption } from './answers.ts';
import type { Prunable } from './archive/delete.ts';
import type { Forgettable } from './archive/forget.ts';
import type { Host } from './host.ts';
import { checkArguments, checkRequest, type Requests } from './requests.ts';
import { upgradeOptions } from './upkeep/locks.ts';
import type { IndexAnswer } from './upkeep/update.ts';

type Question = Requests['question'];
type Reference = Requests['reference'];

/** Among the words of a query. */
const hubScope = /(^|\s)hub:(?=\s|$)/i;

export class Recall {
  private readonly host: Host;
  private readonly turns = pLimit(1);
  private opened: { readonly store: Store; readonly fileId: string } | null = null;
  private freshness: { readonly is: Freshness; readonly sinceMs: number } | null = null;

  constructor(host: Host) {
    this.host = host;
  }

  async search(request: Requests['search'], options: Question = {}) {
    checkRequest('search', request);
    const words = request.query.replace(hubScope, '$1');
    if (request.hub === true || words !== request.query)
      return this.searchHub({ ...request, query: words }, options);
    return this.ask(options, async () => (await import('./search.ts')).searchSessions, request);
  }

  /** Nobody waits in turn for the network. */
  private async searchHub(request: Requests['search'], { signal }: Question) {
    const startedAt = this.host.elapsedMs();
    const { askHub, describeHubSearch } = await import('./hub/search.ts');
    const found = await askHub(this.host, request, signal);
    return this.takeFresh({ refresh: false, signal }, async (store) =>
      inOneState(store.db, () => ({
        ...describeHubSearch(this.host, store, request, found),
        tookMs: this.host.elapsedMs() - startedAt,
      })),
    );
  }

  async list(request: Requests['list'] = {}, options: Question = {}) {
    checkRequest('list', request);
    return this.ask(options, async () => (await import('./list.ts')).listSessions, request);
  }

  async fileHistory(request: Requests['fileHistory'], options: Question = {}) {
    checkRequest('fileHistory', request);
    return this.ask(options, async () => (await import('./file-history.ts')).readFileHistory, request);
  }

  async projects(request: Requests['projects'] = {}, options: Question = {}) {
    checkRequest('projects', request);
    return this.ask(options, async () => (await import('./projects.ts')).listProjects, request);
  }

  async filterValues(request: Requests['filterValues'], options: Question = {}) {
    checkRequest('filterValues', request);
    return this.ask(options, async () => (await import('./filter-values.ts')).listFilterValues, request);
  }

  async activity(request: Requests['scope'] = {}, options: Question = {}) {
    checkRequest('scope', request);
    return this.ask(options, async () => (await import('./activity.ts')).readActivityOf, request);
  }

  /** `ref` may also name a message: 66c737db:12. Refreshes only for a whole id that is not in the index. */
  async read(ref: string, request: Requests['conversation'] = {}, options: Reference & Question = {}) {
    checkArguments({ ref });
    checkRequest('conversation', request);
    checkRequest('reference', options);
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
  async readPage(start: PageStart, limit?: number) {
    checkArguments({ start, limit });
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
  async outline(ref: string, request: Requests['outline'] = {}) {
    checkRequest('outline', request);
    return this.takeSession(ref, {}, async (store, { id }) => {
      const { readOutline } = await import('./conversation/read-conversation.ts');
      return inOneState(store.db, () => readOutline(store, id, request.match ?? ''));
    });
  }

  /** One tool call with its input and output, whole where the transcript or a copy still has them. */
  async readCall(ref: string, request: Requests['call']) {
    checkRequest('call', request);
    return this.takeSession(ref, {}, async (store, session) =>
      (await import('./conversation/read-call.ts')).readCall(this.host, store, session, request),
    );
  }

  /** The images on the line of a message, from the transcript or its copy. */
  async readImages(ref: string, line: number) {
    checkArguments({ line });
    return this.takeSession(ref, {}, async (store, session) =>
      (await import('./conversation/read-call.ts')).readImages(this.host, store, session, line),
    );
  }

  /** A number that differs after another recall, or another thread, has written to the index. */
  readState() {
    return this.take(async (store) =>
      (await import('../store/read/index-facts.ts')).readDataVersion(store.db),
    );
  }

  /** Whether and how the session, or the one it belongs to, can be resumed. `askedId` is the id of the session itself, `calledBy` the agent that runs this. */
  async resume(ref: string, options: Reference & Requests['resume'] = {}) {
    checkArguments({ ref });
    checkRequest('reference', options);
    checkRequest('resume', options);
    return this.take(async (store) => {
      const { getSession, refreshFor } = await import('./find-session.ts');
      const { findCallingAgent, readResumptions } = await import('./resume.ts');
      await refreshFor(this.host, store, ref, options.isNumbered);
      return inOneState(store.db, () => {
        const { id, nativeId } = getSession(this.host, store, ref, options.isNumbered);
        const resumption = readResumptions(store, [id], this.host, options).get(id) as Resumption;
        return { askedId: nativeId, resumption, calledBy: findCallingAgent(this.host.at) };
      });
    });
  }

  /** The latest sessions of an index that is there and up to date; null if it would first have to be made or upgraded. */
  async peek(request: Requests['list'] = {}): Promise<ListAnswer | null> {
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

  refresh() {
    return this.take(async (store) => (await import('./upkeep/update.ts')).refresh(this.host, store));
  }

  async forgettable(ref: string, options: Reference = {}) {
    checkArguments({ ref });
    checkRequest('reference', options);
    return this.take(async (store) => {
      const { getSession } = await import('./find-session.ts');
      const { readForgettable } = await import('./archive/forget.ts');
      const find = () => getSession(this.host, store, ref, options.isNumbered);
      return inOneState(store.db, () => readForgettable(store, ref, find));
    });
  }

  /** Also finishes what was still due of one that was forgotten before. */
  async forget(forgettable: Forgettable) {
    checkArguments({ forgettable });
    return this.inTurn(async () => (await import('./archive/forget.ts')).forget(this.host, forgettable));
  }

  /** Gives a session, or takes from it, what the request says; `ref` may name a message, which a note is then about. */
  async label(ref: string, request: Requests['label'] = {}, options: Reference = {}) {
    checkArguments({ ref });
    checkRequest('label', request);
    checkRequest('reference', options);
    return this.take(async (store) =>
      (await import('./labels.ts')).labelSession(this.host, store, ref, { ...request, ...options }),
    );
  }

  async labels(options: Question = {}) {
    return this.ask(options, async () => (await import('./labels.ts')).listLabels, {});
  }

  exportLabels() {
    return this.take(async (store) => (await import('./labels.ts')).exportLabels(store));
  }

  /** Entries of `exportLabels`, of another machine say: the newer of two wins. */
  async importLabels(entries: readonly unknown[]) {
    checkArguments({ entries });
    return this.take(async (store) => (await import('./import-labels.ts')).importLabels(store, entries));
  }

  /** A session as a bundle, to hand it on: what was taken out of it is known when `chunks` was read. */
  async export(ref: string, request: Requests['export'] = {}, options: Reference = {}) {
    checkRequest('export', request);
    return this.takeSession(ref, options, async (store, session) =>
      (await import('./hand-on/export.ts')).exportSession(this.host, store, session, request),
    );
  }

  /** A session that somebody has handed on, from the file at `path`. */
  async import(path: string) {
    checkArguments({ path });
    return this.inTurn(async () => (await import('./hand-on/import.ts')).importSession(this.host, path));
  }

  async index(request: Requests['index'] = {}) {
    checkRequest('index', request);
    return this.inTurn(async () => (await import('./upkeep/update.ts')).indexNow(this.host, request));
  }

  async watch(onChanged: (answer: IndexAnswer) => void): Promise<void> {
    checkArguments({ onChanged });
    return this.guard(async () => {
      const { watch } = await import('./upkeep/update.ts');
      await watch(this.host, (update) => this.turns(update), onChanged);
    });
  }

  async diagnose(request: Requests['diagnosis'] = {}) {
    checkRequest('diagnosis', request);
    const { repair = false } = request;
    return this.inTurn(async () => (await import('./upkeep/diagnose.ts')).diagnose(this.host, repair));
  }

  /** Where nothing may be written: folders that were or would be indexed, and the agents' own files. */
  readOnlyPaths() {
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

  /** Copies of transcripts. */
  readonly archive = {
    status: () =>
      this.take(async (store) => (await import('./archive/status.ts')).readArchiveStatus(this.host, store)),
    /** What keeping transcripts would take; null where the person has already decided, or there is nothing to keep yet. */
    offer: () => this.inTurn(async () => (await import('./archive/status.ts')).readArchiveOffer(this.host)),
    /** Takes effect with the next `index`; turning it off deletes nothing. */
    turn: async (isOn: boolean) => {
      checkArguments({ isOn });
      return this.inTurn(async () => saveSetting(this.host.at, 'archive', isOn));
    },
    deleteAll: () => this.inTurn(async () => (await import('./archive/delete.ts')).deleteArchive(this.host)),
    verify: () =>
      this.inTurn(async () => {
        const { archivePath, signal, onEvent } = this.host;
        const { verifyArchive } = await import('../archive/session-copies.ts');
        const onProgress = (progress: Progress) => onEvent({ type: 'verifying', progress });
        return verifyArchive(archivePath, signal, onProgress).finally(() =>
          onEvent({ type: 'progress-end' }),
        );
      }),
    prunable: async (request: Requests['prune']) => {
      checkRequest('prune', request);
      return this.take(async (store) =>
        (await import('./archive/delete.ts')).findPrunable(this.host, store, request),
      );
    },
    prune: async (prunable: Prunable) => {
      checkArguments({ prunable });
      return this.inTurn(async () => (await import('./archive/delete.ts')).prune(this.host, prunable));
    },
    restore: async (ref: string, request: Requests['restore'] = {}, options: Reference = {}) => {
      checkRequest('restore', request);
      return this.takeSession(ref, options, async (store, session) =>
        (await import('./archive/restore.ts')).restore(this.host, store, session, request),
      );
    },
    /** The transcript of a session as bytes, wherever it is left. */
    readTranscript: async (
      ref: string,
      request: Pick<Requests['restore'], 'older'> = {},
      options: Reference = {},
    ) => {
      checkRequest('restore', request);
      return this.takeSession(ref, options, async (store, session) =>
        (await import('./archive/restore.ts')).readTranscript(this.host, store, session, request),
      );
    },
  };

  /** Other machines and other people. */
  readonly hub = {
    status: () => this.inTurn(async () => (await import('./hub/hub.ts')).readHubStatus(this.host)),
    join: async (request: Requests['join']) => {
      checkRequest('join', request);
      return this.inTurn(async () => (await import('./hub/hub.ts')).joinHub(this.host, request));
    },
    /** The tables and roles in a database: made, or only brought up to date; `isSearchable`: members search there. */
    setUp: async (where: string, isNew = true, isSearchable = false) => {
      checkArguments({ where });
      return this.inTurn(async () =>
        (await import('./hub/hub.ts')).setUpHub(this.host, where, isNew, isSearchable),
      );
    },
    /** Makes a login for a person. */
    add: async (name: string) => {
      checkArguments({ name });
      return this.inTurn(async () => (await import('./hub/hub.ts')).addPerson(this.host, name));
    },
    leave: (isDeleting = false) =>
      this.inTurn(async () => (await import('./hub/hub.ts')).leaveHub(this.host, isDeleting)),
    sync: async (request: Requests['sync'] = {}) => {
      checkRequest('sync', request);
      return this.inTurn(async () =>
        (await import('./hub/sync.ts')).sync(this.host, { ...request, timeoutMs: 10_000 }),
      );
    },
    /** Shares a session, or all sessions of a directory, now and later; or ends that. */
    share: async (ref: string | null, project?: string, isShared = true) => {
      const session =
        ref === null
          ? undefined
          : await this.takeSession(ref, { isNumbered: true }, async (_, found) => found);
      const { share } = await import('./hub/hub.ts');
      return this.inTurn(() => share(this.host, { session, project }, isShared));
    },
    /** Drops what was fetched of others from a hub on which they are found. */
    trim: () => this.inTurn(async () => (await import('./hub/sync.ts')).trimFetched(this.host, 10_000)),
    /** The key for the next machine of the same person. */
    key: () => this.inTurn(async () => (await import('./hub/hub.ts')).readOwnKey(this.host)),
  };

  close(): void {
    this.opened?.store.close();
    this.opened = null;
  }

  private ask<Request, T extends object>(
    options: Question,
    load: () => Promise<(host: Host, store: Store, request: Request) => T | Promise<T>>,
    request: Request,
  ): Promise<Fresh<T>> {
    return this.takeFresh(options, async (store) => {
      const answer = await load();
      return inOneState(store.db, () => answer(this.host, store, request));
    });
  }

  private async takeFresh<T extends object>(
    options: Question,
    answer: (store: Store) => Promise<T>,
  ): Promise<Fresh<T>> {
    checkRequest('question', options);
    const { refresh = true, signal } = options;
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

  private async takeSession<T>(
    ref: string,
    options: Reference,
    answer: (store: Store, session: FoundSession) => Promise<T>,
  ): Promise<T> {
    checkArguments({ ref });
    checkRequest('reference', options);
    return this.take(async (store) => {
      const { getFreshSession } = await import('./find-session.ts');
      return answer(store, await getFreshSession(this.host, store, ref, options.isNumbered));
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

function readFileId(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
