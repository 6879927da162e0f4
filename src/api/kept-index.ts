// The index that stays open between calls: reopened when another file has replaced it, and brought up to date at most once
// in a while.

import { statSync } from 'node:fs';
import { UserError } from '../errors.ts';
import type { Store } from '../store/open/open-store.ts';
import type { Host } from './host.ts';
import type { Freshness } from './upkeep/refresh.ts';
import { upgradeOptions } from './upkeep/upgrade-options.ts';

export class KeptIndex {
  private readonly host: Host;
  private opened: { readonly store: Store; readonly fileId: string } | null = null;
  private freshness: Freshness | null = null;
  private refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(host: Host) {
    this.host = host;
  }

  /** A repair, or a person, may have replaced the file; another recall may have upgraded it. */
  async open(): Promise<Store> {
    const { isCurrent } = await import('../store/open/versions.ts');
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

  close(): void {
    this.opened?.store.close();
    this.opened = null;
  }

  /** For what is read from an answer later on. */
  refuseClosed(store: Store): void {
    if (this.opened?.store === store) return;
    throw new UserError('the index was closed before the conversation was read to its end', {
      code: 'index-closed',
      hint: 'read all of it before you close recall, or ask for it again',
    });
  }

  async bringUpToDate(store: Store, isWanted: boolean): Promise<Freshness> {
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
