// Reads transcripts in this thread or in others. Either way the same things are found and handed over in the same
// order for each file.

import { Worker } from 'node:worker_threads';
import { toReason } from '../errors.ts';
import type { Batch } from '../sources/transcript/batch.ts';
import { type ReadEnd, type ReadJob, readTranscript } from '../sources/transcript/read-transcript.ts';
import { WordForms } from '../text/words.ts';

/** A file that could not be read. */
export interface ReadFailure {
  readonly code: string;
  readonly reason: string;
}

/** What is handed over of one job: batches, then how it ended. */
export type Found =
  | { readonly nth: number; readonly batch: Batch }
  | { readonly nth: number; readonly end: ReadEnd }
  | { readonly nth: number; readonly failure: ReadFailure };

export interface Reader {
  /** How many parcels of jobs it can take at a time without one waiting idle. */
  readonly width: number;
  /** Resolves when all of the jobs have ended and all that was found has been taken. */
  read(jobs: readonly ReadJob[], onFound: (found: Found) => void): Promise<void>;
  /** Stops reading at the next safe place. */
  stop(): void;
  close(): Promise<void>;
}

/** Where other threads find their program, and how many there are to be; none where `workerPath` is null. */
export interface ReaderThreads {
  readonly workerPath: string | null;
  readonly cores: number;
}

/**
 * Below this a thread costs more than it saves: starting one takes about as long as reading so much here.
 */
const threadsFromBytes = 8 * 1024 * 1024;

/** Inserting takes about as long as reading: more threads would only wait, each with a heap of its own. */
const maxThreads = 2;

export function openReader(
  bytes: number,
  { workerPath, cores }: ReaderThreads,
  shouldStop: () => boolean,
): Reader {
  if (workerPath === null || bytes < threadsFromBytes) return new InlineReader(shouldStop);
  return new ThreadReader(workerPath, Math.max(1, Math.min(maxThreads, cores - 1)));
}

class InlineReader implements Reader {
  readonly width = 1;
  private readonly shouldStop: () => boolean;
  private readonly forms = new WordForms();

  constructor(shouldStop: () => boolean) {
    this.shouldStop = shouldStop;
  }

  async read(jobs: readonly ReadJob[], onFound: (found: Found) => void): Promise<void> {
    for (const [nth, job] of jobs.entries()) readJob(job, nth, this.forms, this.shouldStop, onFound);
  }

  stop(): void {}
  async close(): Promise<void> {}
}

/** Only reading is guarded: what goes wrong while something found is taken in is no fault of the file. */
export function readJob(
  job: ReadJob,
  nth: number,
  forms: WordForms,
  shouldStop: () => boolean,
  onFound: (found: Found) => void,
): void {
  let failure: unknown = null;
  const take = (batch: Batch) => {
    try {
      onFound({ nth, batch });
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    onFound({ nth, end: readTranscript(job, forms, shouldStop, take) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (failure !== null || code === undefined) throw error;
    onFound({ nth, failure: { code, reason: toReason(error) } });
  }
}

/** Shared with a thread: whether to stop, and how many of its messages were taken. */
export interface SharedState {
  readonly stop: Int32Array;
  readonly taken: Int32Array;
}

export interface Parcel {
  readonly id: number;
  readonly jobs: readonly ReadJob[];
}

export interface ParcelFound {
  readonly id: number;
  readonly found: readonly Found[];
  readonly isLast: boolean;
}

/**
 * Left to itself a thread's heap grows by 50 MB more, for nothing: what is read is short-lived. The longest line takes
 * some 100 MB for a moment.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

interface Pending {
  readonly onFound: (found: Found) => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class ThreadReader implements Reader {
  readonly width: number;
  private readonly stopFlag = new Int32Array(new SharedArrayBuffer(4));
  private readonly threads: { worker: Worker; taken: Int32Array; load: number }[] = [];
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private failure: unknown = null;

  constructor(workerPath: string, count: number) {
    // A second parcel waits at each thread, so that none is idle while its results are being inserted.
    this.width = count * 2;
    for (let i = 0; i < count; i++) {
      const taken = new Int32Array(new SharedArrayBuffer(4));
      const workerData: SharedState = { stop: this.stopFlag, taken };
      const worker = new Worker(workerPath, { workerData, resourceLimits });
      const thread = { worker, taken, load: 0 };
      worker.on('message', (message: ParcelFound) => this.take(thread, message));
      worker.on('error', (error) => this.fail(error));
      this.threads.push(thread);
    }
  }

  read(jobs: readonly ReadJob[], onFound: (found: Found) => void): Promise<void> {
    const id = ++this.lastId;
    const [thread] = [...this.threads].sort((a, b) => a.load - b.load);
    return new Promise((resolve, reject) => {
      if (this.failure !== null || thread === undefined) {
        reject(this.failure);
        return;
      }
      this.pending.set(id, { onFound, resolve, reject });
      thread.load++;
      thread.worker.postMessage({ id, jobs } satisfies Parcel);
    });
  }

  stop(): void {
    Atomics.store(this.stopFlag, 0, 1);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map(({ worker }) => worker.terminate()));
  }

  private take(thread: ThreadReader['threads'][number], { id, found, isLast }: ParcelFound): void {
    const pending = this.pending.get(id);
    try {
      for (const each of found) pending?.onFound(each);
    } catch (error) {
      this.pending.delete(id);
      pending?.reject(error);
    }
    Atomics.add(thread.taken, 0, 1);
    Atomics.notify(thread.taken, 0);
    if (!isLast) return;
    thread.load--;
    this.pending.delete(id);
    pending?.resolve();
  }

  /** A thread that dies has lost what it was reading, so the run ends; the next one continues it. */
  private fail(error: unknown): void {
    this.failure = error;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }
}
