// Repairs an index: builds its words again, or a new file from what can still be read of a damaged one.

import { UserError } from '../../errors.ts';
import { openStore, type Store, withStore } from '../../store/open/open-store.ts';
import { toStoreError } from '../../store/open/store-error.ts';
import { type Health, readHealth } from '../../store/upkeep/health.ts';
import { dropWork, readWorkAgain } from '../../store/upkeep/privacy.ts';
import { type LostSetting, salvageIndex } from '../../store/upkeep/salvage.ts';
import { isWorkSound, rebuildWords } from '../../store/upkeep/words-index.ts';
import type { Host } from '../host.ts';
import { tryRoots } from '../roots.ts';
import { fullUpdate, update } from './update.ts';
import { upgradeOptions } from './upgrade-options.ts';

export interface Repair {
  /** How many sessions were copied into a new index; null if the old one could be kept. */
  readonly salvagedSessions: number | null;
  /** Where the damaged file is kept. */
  readonly damagedPath: string | null;
  readonly filesRead: number;
  /** What had been asked for and is no longer known. Secrets are then kept out. */
  readonly lost: readonly LostSetting[];
}

/** Null where there is nothing to repair. Under the index lock. */
export async function repairIndex(host: Host): Promise<Repair | null> {
  const health = await tryHealth(host);
  if (health !== null && health.problems.length === 0 && health.wordProblems.length === 0) return null;
  const isSalvaged = health === null || health.problems.length > 0;
  const salvaged = isSalvaged ? await salvageIndex(host.indexPath, host.now().getTime()) : null;
  const restore = async (store: Store): Promise<Repair> => {
    if (salvaged === null) {
      await rebuildWords(store.db);
      if (!isWorkSound(store.db)) renewWork(store.db);
    }
    const { files } = await update(host, store, tryRoots(host.roots).roots, fullUpdate);
    return {
      salvagedSessions: salvaged?.sessions ?? null,
      damagedPath: salvaged?.damagedPath ?? null,
      filesRead: files.new + files.rewritten + files.grown,
      lost: (salvaged?.lost ?? []).filter((wish) => !(wish === 'redaction' && host.config().redact)),
    };
  };
  return withStore(host.indexPath, restore, upgradeOptions(host, { isLocked: true }));
}

/** What tools were given and answered is not stored: it is read again from the transcripts that are still there. */
function renewWork(db: Store['db']): void {
  db.transaction(() => {
    dropWork(db);
    readWorkAgain(db);
  }).immediate();
}

/** Null if the index cannot even be opened. */
async function tryHealth(host: Host): Promise<Health | null> {
  try {
    const store = await openStore(host.indexPath, upgradeOptions(host, { isLocked: true }));
    try {
      return await readHealth(store);
    } finally {
      store.close();
    }
  } catch (error) {
    const reason = toStoreError(error, host.indexPath);
    if (reason instanceof UserError && reason.code === 'index-damaged') return null;
    throw reason;
  }
}
