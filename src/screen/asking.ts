// Asks what the state needs whenever that differs from what was asked last, and turns answers into events. Below are the two threads
// as the screen sees them: one answers, one question at a time and of those that wait only the last of each kind, so that a burst of
// keys is few searches; the other keeps the index up to date.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Progress } from '../records.ts';
import { toReference } from '../render/sessions.ts';
import type { ConversationDrawer } from './draw-conversation.ts';
import type { Answers, Failure, ListQuestion, PageQuestion, PreviewQuestion, Question } from './questions.ts';
import { type Effect, findSearchedText, findSelected, planLayout, type State } from './state.ts';
import type { Event } from './update.ts';

interface AskingParts {
  readonly thread: Pick<AnswerThread, 'ask'>;
  readonly drawer: ConversationDrawer;
  readonly getState: () => State;
  readonly onEvent: (event: Event) => void;
  readonly now: () => Date;
}

export class Asking {
  private readonly parts: AskingParts;
  private readonly asked = new Map<Question['type'], string>();
  /** The question that the list answers, whatever its limit. */
  private answeredList = '';

  constructor(parts: AskingParts) {
    this.parts = parts;
    const state = parts.getState();
    if (state.results === null) return;
    const question = buildListQuestion(state);
    this.asked.set('list', JSON.stringify(question));
    this.answeredList = toListKey(question);
  }

  askAll(): void {
    const state = this.parts.getState();
    this.askForList(buildListQuestion(state));
    this.askForPreview(state);
    this.askForPage(state);
  }

  /** The index has changed: the same questions may have other answers. */
  askAgain(): void {
    this.asked.delete('list');
    this.asked.delete('preview');
    this.askForList(buildListQuestion(this.parts.getState()));
  }

  ask<Q extends Question>(question: Q, toEvent: (answer: Answers[Q['type']]) => Event | null): void {
    this.parts.thread.ask(question, (answered) => {
      const event =
        'failure' in answered ? this.findFailureEvent(question, answered.failure) : toEvent(answered.answer);
      if (event !== null) this.parts.onEvent(event);
    });
  }

  /** Without a list there is nothing else to show; anything else that fails is worth a message, if it is still wanted. */
  private findFailureEvent(question: Question, failure: Failure): Event | null {
    if (question.type === 'list') return { type: 'failure', failure };
    const wanted = findPreviewQuestion(this.parts.getState());
    if (question.type === 'preview' && question.id !== wanted?.id) return null;
    return { type: 'message', text: failure.message };
  }

  private askForList(question: ListQuestion): void {
    this.askIfNew(question, JSON.stringify(question), (results) => {
      const key = toListKey(question);
      const isSame = key === this.answeredList;
      this.answeredList = key;
      return { type: 'results', results, isSame, now: this.parts.now() };
    });
  }

  private askForPreview(state: State): void {
    const question = findPreviewQuestion(state);
    if (question === undefined) return;
    const { id, bestId } = question;
    const columns = planLayout(state.size).preview?.columns ?? 0;
    this.askIfNew(question, `${JSON.stringify(question)} ${columns}`, (answer) => {
      return { type: 'preview', id, preview: this.parts.drawer.preview(answer, bestId, columns) };
    });
  }

  /** The page is drawn as the reader is when the answer comes. */
  private askForPage(asking: State): void {
    const question = findPageQuestion(asking);
    if (question === undefined) {
      this.asked.delete('page');
      return;
    }
    const key = toPageKey(question);
    this.askIfNew(question, key, (answer) => {
      const state = this.parts.getState();
      const wanted = findPageQuestion(state);
      if (state.front?.type !== 'reader' || wanted === undefined || toPageKey(wanted) !== key) return null;
      return { type: 'page', page: this.parts.drawer.page(answer, state.front) };
    });
  }

  private askIfNew<Q extends Question>(
    question: Q,
    key: string,
    toEvent: (answer: Answers[Q['type']]) => Event | null,
  ): void {
    if (this.asked.get(question.type) === key) return;
    this.asked.set(question.type, key);
    this.ask(question, toEvent);
  }
}

/** Pages of one conversation differ only in `start.at`. */
function toPageKey({ start, ...question }: PageQuestion): string {
  return JSON.stringify({ ...question, at: start?.at });
}

function toListKey(question: ListQuestion): string {
  return JSON.stringify({ ...question, limit: 0 });
}

function buildListQuestion({ line, scope, sort, limit }: State): ListQuestion {
  return { type: 'list', query: line.text, scope, sort, limit };
}

function findPreviewQuestion(state: State): PreviewQuestion | undefined {
  const row = findSelected(state);
  const { preview } = planLayout(state.size);
  if (row === undefined || preview === null || state.front?.type === 'reader') return undefined;
  return {
    type: 'preview',
    id: toReference(row.session),
    match: findSearchedText(state),
    bestId: row.bestId,
  };
}

function findPageQuestion({ front }: State): PageQuestion | undefined {
  if (front?.type !== 'reader' || front.isWhole || front.lines.length >= front.wanted) return undefined;
  const { id, match, showsSubagents, next } = front;
  return { type: 'page', id, match, showsSubagents, start: next };
}

export type Thread = Pick<Worker, 'postMessage' | 'on' | 'terminate'>;

export type Answered<Q extends Question = Question> =
  | { readonly answer: Answers[Q['type']] }
  | { readonly failure: Failure };

/** Questions in the order in which they are sent: what a person waits for first. */
const urgency: readonly Question['type'][] = ['list', 'page', 'values', 'preview'];

interface PendingQuestion {
  readonly question: Question;
  readonly onAnswered: (answered: Answered) => void;
}

export class AnswerThread {
  private readonly thread: Thread;
  private readonly waiting = new Map<Question['type'], PendingQuestion>();
  private running: PendingQuestion | null = null;

  constructor(thread: Thread, onError: (error: unknown) => void) {
    this.thread = thread;
    thread.on('message', (answered: Answered) => this.receive(answered));
    thread.on('error', onError);
  }

  /** The answer never comes if another question of the same kind is asked before. */
  ask<Q extends Question>(question: Q, onAnswered: (answered: Answered<Q>) => void): void {
    this.waiting.set(question.type, { question, onAnswered: onAnswered as PendingQuestion['onAnswered'] });
    this.sendNext();
  }

  private sendNext(): void {
    if (this.running !== null) return;
    const next = urgency.map((type) => this.waiting.get(type)).find((pending) => pending !== undefined);
    if (next === undefined) return;
    this.waiting.delete(next.question.type);
    this.running = next;
    this.thread.postMessage(next.question);
  }

  private receive(answered: Answered): void {
    const pending = this.running;
    if (pending === null) return;
    this.running = null;
    const isWanted = !this.waiting.has(pending.question.type);
    this.sendNext();
    if (isWanted) pending.onAnswered(answered);
  }
}

export type ToUpkeepThread =
  | { readonly type: 'refresh' | 'stop' }
  | Extract<Effect, { type: 'forget' | 'restore' | 'label' }>;

export type FromUpkeepThread =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** A line on what else is going on; empty if nothing is. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'refreshed'; readonly isDone: boolean }
  /** A session was forgotten or labelled. */
  | { readonly type: 'done'; readonly text: string }
  | Extract<Event, { type: 'restored' | 'not-restored' | 'failure' }>;

const maxRestoreMs = 10_000;

export class UpkeepThread {
  private readonly thread: Thread;
  private isRestoring = false;

  constructor(thread: Thread, onError: (error: unknown) => void) {
    this.thread = thread;
    thread.on('error', onError);
    thread.on('message', ({ type }: FromUpkeepThread) => {
      if (type === 'restored' || type === 'not-restored') this.isRestoring = false;
    });
  }

  send(order: ToUpkeepThread): void {
    if (order.type === 'restore') this.isRestoring = true;
    this.thread.postMessage(order);
  }

  onReport(listener: (report: FromUpkeepThread) => void): void {
    this.thread.on('message', listener);
  }

  /** At the next safe point, or when the time is up: a run that is cut off is continued by the next one. */
  async stop(maxWaitMs: number): Promise<void> {
    const ended = new Promise<void>((resolve) => this.thread.on('exit', resolve));
    this.send({ type: 'stop' });
    const late = sleep(this.isRestoring ? maxRestoreMs : maxWaitMs, undefined, { ref: false });
    await Promise.race([ended, late]);
    await this.thread.terminate();
  }
}
