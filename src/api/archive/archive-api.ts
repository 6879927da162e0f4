// What can be done with the archive: part of the API, for the same clients.

import type { VerifyReport } from '../../archive/verify.ts';
import type { Store } from '../../store/open/open-store.ts';
import type { Host, Progress } from '../host.ts';
import type { ReferenceOptions } from '../recall.ts';
import type { Prunable, PruneRequest } from './prune.ts';
import type { ReadTranscript } from './read-transcript.ts';
import type { Restoration, RestoreRequest } from './restore.ts';
import type { ArchiveStatus } from './status.ts';
import type { ArchiveOffer } from './switch.ts';

/** Copies of transcripts, and what to do with them. */
export interface Archive {
  /** What is kept, what is not yet, and what will be deleted soon. */
  status(): Promise<ArchiveStatus>;
  /** What keeping transcripts would take; null where the person has already decided, or there is nothing to keep yet. */
  offer(): Promise<ArchiveOffer | null>;
  /** From now on; turning it off deletes nothing. */
  turn(isOn: boolean): Promise<void>;
  /** Every copy, for good. */
  deleteAll(): Promise<void>;
  /** Reads everything back. */
  verify(): Promise<VerifyReport>;
  /** Whose copies pruning would delete. */
  prunable(request: PruneRequest): Promise<Prunable>;
  prune(prunable: Prunable): Promise<void>;
  /** Brings the transcript of a session back, or says what that would write. */
  restore(ref: string, request?: RestoreRequest, options?: ReferenceOptions): Promise<Restoration>;
  /** The transcript of a session as bytes, wherever it is left. */
  readTranscript(
    ref: string,
    request?: Pick<RestoreRequest, 'older'>,
    options?: ReferenceOptions,
  ): Promise<ReadTranscript>;
}

type InTurn = <T>(run: () => Promise<T>) => Promise<T>;
type Take = <T>(answer: (store: Store) => Promise<T>) => Promise<T>;

/** `inTurn` waits for its turn; `take` opens the index, too. */
export function toArchive(host: Host, take: Take, inTurn: InTurn): Archive {
  return {
    status: () => take(async (store) => (await import('./status.ts')).readArchiveStatus(host, store)),
    offer: () => inTurn(async () => (await import('./switch.ts')).readArchiveOffer(host)),
    turn: (isOn) => inTurn(async () => (await import('./switch.ts')).setArchive(host, isOn)),
    deleteAll: () => inTurn(async () => (await import('./switch.ts')).deleteArchive(host)),
    verify: () => inTurn(() => verify(host)),
    prunable: (request) =>
      take(async (store) => (await import('./prune.ts')).findPrunable(host, store, request)),
    prune: (prunable) => inTurn(async () => (await import('./prune.ts')).prune(host, prunable)),
    restore: (ref, request = {}, { isNumbered = false } = {}) =>
      take(async (store) => {
        const { getFreshSession } = await import('../find-session.ts');
        const { restore } = await import('./restore.ts');
        return restore(host, store, await getFreshSession(host, store, ref, isNumbered), request);
      }),
    readTranscript: (ref, request = {}, { isNumbered = false } = {}) =>
      take(async (store) => {
        const { getSession } = await import('../find-session.ts');
        const { readTranscript } = await import('./read-transcript.ts');
        return readTranscript(host, store, getSession(host, store, ref, isNumbered), request);
      }),
  };
}

async function verify({ signal, archivePath, onEvent }: Host): Promise<VerifyReport> {
  const { verifyArchive } = await import('../../archive/verify.ts');
  const onProgress = (progress: Progress) => onEvent({ type: 'verifying', progress });
  try {
    return await verifyArchive(archivePath, { signal, onProgress });
  } finally {
    onEvent({ type: 'progress-end' });
  }
}
