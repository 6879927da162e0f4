// What the two threads do, where nothing keeps a key waiting: one answers questions with data that the screen draws; the other keeps
// the index up to date, forgets, restores and labels.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Conversation, ConversationPage, FilterValue, PageStart, Piece } from '../api/answers.ts';
import type { RecallEvent } from '../api/host.ts';
import type { Recall } from '../api/recall.ts';
import { UserError } from '../errors.ts';
import { type Hint, toHintText } from '../hints.ts';
import { formatUpgrade } from '../render/index-summary.ts';
import { findEventNote, formatFreshnessNotes } from '../render/notes.ts';
import { formatNumbered } from '../render/quantities.ts';
import type { Answered, FromUpkeepThread, ToUpkeepThread } from './asking.ts';
import {
  type Answers,
  type Failure,
  type ListQuestion,
  type PageAnswer,
  type PageQuestion,
  type PreviewAnswer,
  type PreviewQuestion,
  type Question,
  type Results,
  toFoundResults,
  toRecentResults,
  type ValuesQuestion,
  type Within,
} from './questions.ts';

interface Port<Received, Sent> {
  on(event: 'message', listener: (message: Received) => void): unknown;
  postMessage(message: Sent): void;
  close(): void;
}

/** Anything else is a bug and ends the thread, and with it the screen. */
function toFailure(error: unknown): Failure {
  if (!(error instanceof UserError)) throw error;
  return { message: toHintText(error.wording, ''), hint: toHintText(error.hint ?? '', '') };
}

export function serveAnswers(port: Port<Question, Answered>, recall: Recall, within: Within): void {
  port.on('message', async (question) => {
    try {
      port.postMessage({ answer: await answer(recall, within, question) });
    } catch (error) {
      port.postMessage({ failure: toFailure(error) });
    }
  });
}

/** A preview is 300 lines, and a message at least two. */
const previewMessages = 150;
/** The best passage may be far below. */
const maxPreviewPages = 10;
/** Few enough to be drawn between two keys. */
const pageMessages = 100;

/** A single letter is not searched for yet. */
const firstLetter = /^\s*[a-z0-9]$/i;

/** Never refreshed here: another thread does that. */
const asIndexed = { refresh: false } as const;

function answer(recall: Recall, within: Within, question: Question): Promise<Answers[Question['type']]> {
  switch (question.type) {
    case 'list':
      return findSessions(recall, within, question);
    case 'preview':
      return readPreview(recall, question);
    case 'page':
      return readPage(recall, question);
    case 'values':
      return listValues(recall, within, question);
  }
}

async function findSessions(recall: Recall, places: Within, question: ListQuestion): Promise<Results> {
  const { query, scope, sort, limit } = question;
  const within = scope === 'everywhere' ? undefined : places[scope];
  const of = { query, scope, sort };
  const recent = async () => toRecentResults(await recall.list({ within, limit }, asIndexed), of);
  const typed = query.replace(firstLetter, '');
  if (typed.trim() === '') return recent();
  const request = { query: typed, within, sort, limit };
  const found = await recall.search({ ...request, isTyping: true }, asIndexed);
  if (found.hits.length > 0 || /\s$/.test(typed)) return toFoundResults(found, of);
  // The word that is being typed matches by its start only. Where nothing does, it may be misspelt.
  const asked = found.begun === null ? typed : typed.slice(0, typed.length - found.begun.length);
  if (asked.trim() === '') return recent();
  return toFoundResults(await recall.search({ ...request, query: asked }, asIndexed), of);
}

async function readPreview(recall: Recall, { id, match, bestId }: PreviewQuestion): Promise<PreviewAnswer> {
  const { head, matches, start } = await findPassages(recall, id, match);
  const pieces: Piece[] = [];
  let next: PageStart | null = start;
  for (let nth = 0; nth < maxPreviewPages && next !== null; nth++) {
    const page: ConversationPage = await recall.readPage(next, previewMessages);
    pieces.push(...page.pieces);
    next = page.next;
    if (bestId === null || page.pieces.some((piece) => isMessage(piece, bestId))) break;
  }
  return { opened: { head, terms: matches?.terms ?? [] }, pieces, isCut: next !== null };
}

async function readPage(recall: Recall, question: PageQuestion): Promise<PageAnswer> {
  const { id, match, showsSubagents, start } = question;
  if (start !== null) return { ...(await recall.readPage(start, pageMessages)), opened: null };
  const matches = match === '' ? null : (await findPassages(recall, id, match)).matches;
  const request = { subagents: showsSubagents, callTexts: matches ?? false };
  const { head, start: first } = await recall.read(id, request, asIndexed);
  const page = await recall.readPage(first, pageMessages);
  return { ...page, opened: { head, terms: matches?.terms ?? [] } };
}

async function listValues(
  recall: Recall,
  places: Within,
  question: ValuesQuestion,
): Promise<readonly FilterValue[]> {
  const { filter, query, scope, among } = question;
  const within = scope === 'everywhere' ? undefined : places[scope];
  return (await recall.filterValues({ filter, query, within, among }, asIndexed)).values;
}

/** The passages that match; the whole conversation if none does, as when only its name matched. */
async function findPassages(recall: Recall, id: string, match: string): Promise<Conversation> {
  for (const isTyping of match === '' ? [] : [true, false]) {
    const request = { match, isTyping, callTexts: 'matching' as const };
    const passages = await recall.read(id, request, asIndexed);
    if ((passages.matches?.lines.size ?? 0) > 0) return passages;
  }
  return recall.read(id, {}, asIndexed);
}

function isMessage(piece: Piece, id: number): boolean {
  return (
    piece.type === 'part' &&
    (piece.part.type === 'message' || piece.part.type === 'recap') &&
    piece.part.message.id === id
  );
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
      port.postMessage({ type: 'done', text: await forget(recall, message.id) });
    } else if (message.type === 'label') {
      await recall.label(message.id, message.request);
      port.postMessage({ type: 'done', text: 'saved' });
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
      if (!stopping.signal.aborted) port.postMessage({ type: 'failure', failure: toFailure(error) });
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
    const [note = ''] = isMore ? [] : formatFreshnessNotes(freshness);
    port.postMessage({ type: 'note', text: formatNote(note) });
    port.postMessage({ type: 'refreshed', isDone: !isMore && !isBusy });
    if (!isMore && !isBusy) return;
    before = isBusy ? before : pendingFiles;
    if (isBusy) await sleep(busyMs, undefined, { signal });
  }
}

async function forget(recall: Recall, id: string): Promise<string> {
  const forgettable = await recall.forgettable(id);
  const { forgotten, archived, due } = await recall.forget(forgettable);
  const { copies } = forgettable;
  return [
    `removed: ${formatNumbered(forgotten.messages, 'message')}`,
    archived === 0 ? '' : 'its copy in the archive is deleted, too',
    copies.length === 0 ? '' : `${formatNumbered(copies.length, 'copy', 'copies')} with the same text stay`,
    ...due.map(({ path, reason }) => `${path}: ${reason}`),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

async function restore(recall: Recall, id: string): Promise<FromUpkeepThread> {
  try {
    return { type: 'restored', restored: await recall.archive.restore(id) };
  } catch (error) {
    return { type: 'not-restored', failure: toFailure(error) };
  }
}

/** Every key would be drawn late if each file that is read were reported. */
const progressEveryMs = 120;

export function createReporter(port: UpkeepPort, elapsedMs: () => number, now: () => Date) {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (event: RecallEvent): void => {
    if (event.type !== 'progress' && event.type !== 'upgrading') {
      const note = findEventNote(event, now());
      if (note !== null) port.postMessage({ type: 'note', text: formatNote(note) });
      return;
    }
    if (elapsedMs() - reportedAtMs < progressEveryMs) return;
    reportedAtMs = elapsedMs();
    if (event.type === 'progress') port.postMessage({ type: 'progress', progress: event.progress });
    else port.postMessage({ type: 'note', text: formatUpgrade(event.progress) });
  };
}

/** The screen need not say who is speaking. */
function formatNote(note: Hint): string {
  return toHintText(note, '').replace(/^recall: /, '');
}
