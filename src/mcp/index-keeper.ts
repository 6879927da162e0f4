// Keeps the index open between calls, one call after the other, and brings it up to date before each as a search does.

import { statSync } from 'node:fs';
import { refresh } from '../api/refresh.ts';
import { upgradeOptions } from '../api/upgrade-options.ts';
import type { Context } from '../command-line/context.ts';
import type { Freshness } from '../render/sessions/hits-json.ts';
import { openStore, type Store } from '../store/open/open-store.ts';
import { isCurrent } from '../store/open/schema-version.ts';

/** Calls that follow each other closely look at the files once. */
const freshForMs = 1000;

interface Opened {
  readonly store: Store;
  readonly fileId: string;
}

export class IndexKeeper {
  private readonly context: Context;
  private opened: Opened | null = null;
  private freshness: Freshness = { refreshed: false, pendingFiles: 0 };
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(context: Context) {
    this.context = context;
  }

  /** Waits for its turn; a call that was given up meanwhile is not begun. */
  use<T>(signal: AbortSignal, answer: (store: Store, freshness: Freshness) => T): Promise<T> {
    const turn = this.queue.then(async () => {
      signal.throwIfAborted();
      const store = await this.open();
      await this.bringUpToDate(store);
      signal.throwIfAborted();
      return answer(store, this.freshness);
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  close(): void {
    this.opened?.store.close();
    this.opened = null;
  }

  /** A repair, or a person, may have put another file in its place; a newer recall may have upgraded it. */
  private async open(): Promise<Store> {
    if (this.opened !== null && isSame(this.opened)) return this.opened.store;
    this.close();
    const store = await openStore(this.context.indexPath, upgradeOptions(this.context));
    this.opened = { store, fileId: toFileId(store.path) };
    this.refreshedAt = Number.NEGATIVE_INFINITY;
    return store;
  }

  private async bringUpToDate(store: Store): Promise<void> {
    if (this.context.elapsedMs() - this.refreshedAt < freshForMs) return;
    this.freshness = await refresh(this.context, store);
    this.refreshedAt = this.context.elapsedMs();
  }
}

function isSame({ store, fileId }: Opened): boolean {
  return fileId === toFileId(store.path) && isCurrent(store.db);
}

function toFileId(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
