// The program of a reading thread: takes groups of jobs, sends back what it found in messages of bounded size, and
// waits when too many of them have not been taken yet, so that memory stays bounded however slow the inserting is.

import { parentPort, workerData } from 'node:worker_threads';
import { getSource } from '../sources/index.ts';
import { WordForms } from '../text/words.ts';
import {
  type Found,
  type GroupFound,
  type JobGroup,
  loadReader,
  readJob,
  type ThreadData,
} from './reader.ts';

const { agent, stop, taken } = workerData as ThreadData;

/** A batch is never divided. Node takes messages above 100 kB for long-lived, and would pile up all text there is. */
const messageChars = 48 * 1024;
/** Text that may wait to be taken; a single batch may be longer. */
const maxWaitingChars = 2 * 1024 * 1024;

const options = { forms: new WordForms(), shouldStop: () => Atomics.load(stop, 0) === 1 };
/** How much text each message held that was sent and not yet seen to be taken. */
const waiting: number[] = [];
let sent = 0;
let last = Promise.resolve();

parentPort?.on('message', (group: JobGroup) => {
  last = last.then(() => readGroup(group));
});

async function readGroup({ firstNth, jobs }: JobGroup): Promise<void> {
  const reader = await loadReader(getSource(agent), jobs);
  let found: Found[] = [];
  let chars = 0;
  const send = (isLast: boolean) => {
    waitForRoom();
    parentPort?.postMessage({ found, isLast } satisfies GroupFound);
    waiting.push(chars);
    sent++;
    found = [];
    chars = 0;
  };
  for (const [i, job] of jobs.entries()) {
    for (const each of readJob(reader, job, firstNth + i, options)) {
      found.push(each);
      if ('batch' in each)
        chars += each.batch.chars + 200 * (each.batch.messages.length + each.batch.toolCalls.length);
      if (chars >= messageChars) send(false);
    }
  }
  send(true);
}

function waitForRoom(): void {
  for (;;) {
    const count = Atomics.load(taken, 0);
    while (waiting.length > sent - count) waiting.shift();
    if (waiting.reduce((sum, chars) => sum + chars, 0) < maxWaitingChars) return;
    Atomics.wait(taken, 0, count);
  }
}
