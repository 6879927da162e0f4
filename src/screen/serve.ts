// The other end of the two threads: takes questions and orders, and answers them through the API.

import { setTimeout as sleep } from 'node:timers/promises';
import type { RecallEvent } from '../api/host.ts';
import type { Recall } from '../api/recall.ts';
import { UserError } from '../errors.ts';
import { type Hint, toHintText } from '../hints.ts';
import { toUpgradeLine } from '../render/index-summary.ts';
import { toEventNote, toFreshnessNotes } from '../render/notes.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Answerer } from './answers.ts';
import type { Failure } from './questions.ts';
import type { FromAnswerThread, FromUpkeepThread, ToAnswerThread, ToUpkeepThread } from './threads.ts';

/** The end of a thread that it holds itself. */
export interface Port<Received, Sent> {
  on(event: 'message', listener: (message: Received) => void): unknown;
  postMessage(message: Sent): void;
  close(): void;
}

/** With the flags of the command line, which opened the screen. */
function toText(hint: Hint): string {
  return toHintText(hint, '');
}

/** Anything else is a bug and ends the thread, and with it the screen. */
function toFailure(error: unknown): Failure {
  if (!(error instanceof UserError)) throw error;
  return { message: toText(error.wording), hint: toText(error.hint ?? '') };
}

export function serveAnswers(port: Port<ToAnswerThread, FromAnswerThread>, answerer: Answerer): void {
  port.on('message', async ({ generation, question }) => {
    try {
      port.postMessage({ generation, answered: { answer: await answerer.answer(question) } });
    } catch (error) {
      port.postMessage({ generation, answered: { failure: toFailure(error) } });
    }
  });
}

type UpkeepPort = Port<ToUpkeepThread, FromUpkeepThread>;

/** While another recall is indexing, the files are looked at again after this time. */
const busyMs = 2000;

export function serveUpkeep(port: UpkeepPort, recall: Recall, stopping: AbortController): void {
  let isRefreshing = false;
  const run = async (message: ToUpkeepThread): Promise<void> => {
    if (message.type === 'stop') {
      stopping.abort();
      recall.close();
      port.close();
    } else if (message.type === 'forget') {
      port.postMessage({ type: 'forgot', text: await forget(recall, message.id) });
    } else if (message.type === 'restore') {
      port.postMessage(await restore(recall, message.id));
    } else if (!isRefreshing) {
      isRefreshing = true;
      try {
        await refresh(port, recall, stopping.signal);
      } finally {
        isRefreshing = false;
      }
    }
  };
  port.on('message', (message) => {
    run(message).catch((error) => {
      if (!stopping.signal.aborted) port.postMessage({ type: 'failed', failure: toFailure(error) });
    });
  });
}

/** A slice at a time, so that what is newest can be searched while the rest is read. */
async function refresh(port: UpkeepPort, recall: Recall, signal: AbortSignal): Promise<void> {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const freshness = await recall.refresh();
    signal.throwIfAborted();
    const { pendingFiles, obstacle } = freshness;
    const isMore = pendingFiles > 0 && pendingFiles < before;
    const isBusy = obstacle?.type === 'busy';
    const [note] = isMore ? [] : toFreshnessNotes(freshness);
    port.postMessage({ type: 'note', text: note === undefined ? '' : withoutName(toText(note)) });
    port.postMessage({ type: 'refreshed', isDone: !isMore && !isBusy });
    if (!isMore && !isBusy) return;
    before = isBusy ? before : pendingFiles;
    if (isBusy) await sleep(busyMs, undefined, { signal });
  }
}

async function forget(recall: Recall, id: string): Promise<string> {
  const forgettable = await recall.forgettable(id);
  const { forgotten, archived, isWiped } = await recall.forget(forgettable);
  const { copies } = forgettable;
  return [
    `removed: ${formatNumbered(forgotten.messages, 'message')}`,
    archived === 0 ? '' : 'its copy in the archive is deleted, too',
    copies.length === 0 ? '' : `${formatNumbered(copies.length, 'copy', 'copies')} with the same text stay`,
    isWiped ? '' : 'another recall is reading the index; the next command finishes wiping',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** As `recall open --restore` does. */
async function restore(recall: Recall, id: string): Promise<FromUpkeepThread> {
  try {
    return { type: 'restored', restored: await recall.archive.restore(id) };
  } catch (error) {
    return { type: 'not-restored', failure: toFailure(error) };
  }
}

/** Every key would be drawn late if each file that is read were reported. */
const progressEveryMs = 120;

/** What happens in the thread, for the screen. */
export function toReporter(
  port: UpkeepPort,
  elapsedMs: () => number,
  now: () => Date,
): (event: RecallEvent) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (event) => {
    const isProgress = event.type === 'progress' || event.type === 'upgrading';
    if (isProgress && elapsedMs() - reportedAt < progressEveryMs) return;
    if (isProgress) reportedAt = elapsedMs();
    if (event.type === 'progress') port.postMessage({ type: 'progress', progress: event.progress });
    else if (event.type === 'upgrading')
      port.postMessage({ type: 'note', text: toUpgradeLine(event.progress) });
    else {
      const note = toEventNote(event, now());
      if (note !== null) port.postMessage({ type: 'note', text: withoutName(toText(note)) });
    }
  };
}

/** The screen need not say who is speaking. */
function withoutName(text: string): string {
  return text.replace(/^recall: /, '');
}
