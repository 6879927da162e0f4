// One reading thread and the queue of what it has found. Its messages wait here until they are taken, and the thread waits
// when too many of them do (see read-worker.ts).

import { Worker } from 'node:worker_threads';
import type { Found, Parcel, SharedState } from './reader.ts';

/** What a thread sends; a parcel takes one message or more. */
export interface ParcelFound {
  readonly found: readonly Found[];
  readonly isLast: boolean;
}

/**
 * Left to itself a thread's heap grows by 50 MB more, for nothing: what is read is short-lived. The longest line takes
 * some 100 MB for a moment.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

export class ThreadQueue {
  /** Parcels that the thread has not finished. */
  load = 0;
  private readonly worker: Worker;
  private readonly taken = new Int32Array(new SharedArrayBuffer(4));
  private readonly messages: ParcelFound[] = [];
  private failure: unknown = null;
  private wake: () => void = () => {};

  constructor(workerPath: string, stop: Int32Array) {
    const workerData: SharedState = { stop, taken: this.taken };
    this.worker = new Worker(workerPath, { workerData, resourceLimits });
    this.worker.on('message', (message: ParcelFound) => {
      this.messages.push(message);
      if (message.isLast) this.load--;
      this.wake();
    });
    // A thread that dies has lost what it was reading, so the run ends; the next one continues it.
    const fail = (error: unknown) => {
      this.failure ??= error;
      this.wake();
    };
    this.worker.on('error', fail);
    this.worker.on('exit', (code) => fail(new Error(`a reading thread ended with code ${code}`)));
  }

  send(parcel: Parcel): void {
    this.load++;
    this.worker.postMessage(parcel);
  }

  /** All that is found in the next of the parcels that were sent. */
  async *takeParcel(): AsyncGenerator<Found> {
    for (;;) {
      const { found, isLast } = await this.takeMessage();
      yield* found;
      if (isLast) return;
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private async takeMessage(): Promise<ParcelFound> {
    while (this.messages.length === 0) {
      if (this.failure !== null) throw this.failure;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    Atomics.add(this.taken, 0, 1);
    Atomics.notify(this.taken, 0);
    return this.messages.shift() as ParcelFound;
  }
}
