// Reads transcripts in this thread or in others. Either way the same things are found and come in the same order: that of
// the jobs, and within each that of the file. FTS5 writes out its whole buffer whenever a row id is lower than the one
// before, so what is read side by side is not taken in mixed up.

import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Batch } from '../batch.ts';
import { toReason } from '../errors.ts';
import type { AgentName } from '../records.ts';
import type { ReadEnd, ReadJob, ReadOptions, Source, SourceReader, SourceTools } from '../sources/source.ts';
import { WordForms } from '../text/words.ts';

/** What is found of one job: batches, then how it ended. `nth` is its place among the jobs. */
export type Found =
  | { readonly nth: number; readonly batch: Batch }
  | { readonly nth: number; readonly end: ReadEnd }
  | { readonly nth: number; readonly failure: { readonly code: string; readonly reason: string } };

interface Reader {
  read(jobs: readonly ReadJob[]): AsyncIterable<Found>;
  /** At the next safe place: the jobs that are left end unfinished. */
  stop(): unknown;
  close(): Promise<unknown>;
}

export interface ReaderThreads {
  readonly workerPath: string | null;
  readonly cores: number;
}

/** Below this a thread costs more than it saves: starting one takes about as long as reading so much here. */
const threadsFromBytes = 8 * 1024 * 1024;

/** Inserting takes about as long as reading: more threads would only wait, each with a heap of its own. */
const maxThreads = 2;

export function openReader(
  source: Source,
  bytes: number,
  { workerPath, cores }: ReaderThreads,
  shouldStop: () => boolean,
): Reader {
  if (workerPath !== null && bytes >= threadsFromBytes)
    return readInThreads(source.agent, workerPath, Math.max(1, Math.min(maxThreads, cores - 1)));
  return { read: (jobs) => readHere(source, jobs, shouldStop), stop: () => {}, close: async () => {} };
}

async function* readHere(
  source: Source,
  jobs: readonly ReadJob[],
  shouldStop: () => boolean,
): AsyncGenerator<Found> {
  const options = { forms: new WordForms(), shouldStop };
  const reader = await loadReader(source, jobs);
  for (const [nth, job] of jobs.entries()) yield* readJob(reader, job, nth, options);
}

export function loadReader(source: Source, jobs: readonly ReadJob[]): Promise<SourceReader> {
  const paths = jobs.map((job) => job.path);
  return source.loadReader(paths, loadTools);
}

/** Only reading is guarded: what goes wrong while something found is taken in is not the file's fault. */
export function* readJob(
  reader: SourceReader,
  job: ReadJob,
  nth: number,
  options: ReadOptions,
): Generator<Found> {
  if (options.shouldStop()) {
    yield { nth, end: 'unfinished' };
    return;
  }
  const batches = reader.read(job, options);
  try {
    for (;;) {
      let next: IteratorResult<Batch, ReadEnd>;
      try {
        next = batches.next();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === undefined) throw error;
        yield { nth, failure: { code, reason: toReason(error) } };
        return;
      }
      if (next.done) {
        yield { nth, end: next.value };
        return;
      }
      yield { nth, batch: next.value };
    }
  } finally {
    // Closes the file where nobody wants the rest.
    batches.return('unfinished');
  }
}

/** What a thread is given: whose transcripts it reads and, shared with it, whether to stop and how many of its messages were taken. */
export interface ThreadData {
  readonly agent: AgentName;
  readonly stop: Int32Array;
  readonly taken: Int32Array;
}

/** Jobs that are sent to a thread together, the first of them being the `firstNth` of all. */
export interface JobGroup {
  readonly firstNth: number;
  readonly jobs: readonly ReadJob[];
}

/** Many files are small; sending each on its own would cost more than reading it. */
const groupBytes = 4 * 1024 * 1024;
const groupFiles = 64;

/** So many wait at each thread, so that none is idle while its results are being inserted, or those of another. */
const groupsAhead = 4;

function readInThreads(agent: AgentName, workerPath: string, count: number): Reader {
  // Thousands of collections of a millisecond each: waking V8's other threads for them is a twentieth of the time of a first index.
  setFlagsFromString('--no-parallel-scavenge');
  const stopFlag = new Int32Array(new SharedArrayBuffer(4));
  const threads = Array.from({ length: count }, () => new ThreadQueue(agent, workerPath, stopFlag));
  return {
    read: (jobs) => readGroups(threads, groupJobs(jobs)),
    stop: () => Atomics.store(stopFlag, 0, 1),
    close: () => Promise.all(threads.map((thread) => thread.close())),
  };
}

/** Each thread works through its groups in their order, so the one that is waited for is never behind another. */
async function* readGroups(
  threads: readonly ThreadQueue[],
  groups: readonly JobGroup[],
): AsyncGenerator<Found> {
  const underWay: ThreadQueue[] = [];
  let sent = 0;
  for (let taken = 0; taken < groups.length; taken++) {
    while (sent < groups.length && underWay.length < threads.length * groupsAhead) {
      const idlest = threads.reduce((least, each) => (each.load < least.load ? each : least));
      idlest.send(groups[sent++] as JobGroup);
      underWay.push(idlest);
    }
    yield* (underWay.shift() as ThreadQueue).takeGroup();
  }
}

function groupJobs(jobs: readonly ReadJob[]): JobGroup[] {
  const groups: { firstNth: number; jobs: ReadJob[] }[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [nth, job] of jobs.entries()) {
    const last = groups.at(-1);
    if (last === undefined || bytes >= groupBytes || last.jobs.length >= groupFiles) {
      groups.push({ firstNth: nth, jobs: [job] });
      bytes = 0;
    } else last.jobs.push(job);
    bytes += Math.max(0, job.sizeBytes - job.from.bytes);
  }
  return groups;
}

export interface GroupFound {
  readonly found: readonly Found[];
  readonly isLast: boolean;
}

/** Left to itself a heap grows by 50 MB for nothing: what is read is short-lived. The longest line takes some 100 MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 };

class ThreadQueue {
  load = 0;
  private readonly worker: Worker;
  private readonly taken = new Int32Array(new SharedArrayBuffer(4));
  private readonly messages: GroupFound[] = [];
  private failure: unknown = null;
  private wake: () => void = () => {};

  constructor(agent: AgentName, workerPath: string, stop: Int32Array) {
    const workerData: ThreadData = { agent, stop, taken: this.taken };
    this.worker = new Worker(workerPath, { workerData, resourceLimits });
    this.worker.on('message', (message: GroupFound) => {
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

  send(group: JobGroup): void {
    this.load++;
    this.worker.postMessage(group);
  }

  async *takeGroup(): AsyncGenerator<Found> {
    for (;;) {
      const { found, isLast } = await this.takeMessage();
      yield* found;
      if (isLast) return;
    }
  }

  close(): Promise<number> {
    return this.worker.terminate();
  }

  private async takeMessage(): Promise<GroupFound> {
    while (this.messages.length === 0) {
      if (this.failure !== null) throw this.failure;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    Atomics.add(this.taken, 0, 1);
    Atomics.notify(this.taken, 0);
    return this.messages.shift() as GroupFound;
  }
}

/** Not before a source asks for it: a thread that reads files has no use for SQLite. */
export async function loadTools(): Promise<SourceTools> {
  const { openForeign } = await import('../store/open/database.ts');
  return { openDatabase: openForeign };
}
