// The two threads behind the screen, as it sees them. One answers questions, one at a time: of those that wait, only the last of each
// kind is ever asked, and an answer that is no longer wanted is dropped. The other keeps the index up to date.

import type { Worker } from 'node:worker_threads';
import type { Restoration } from '../api/archive/restore.ts';
import type { Progress } from '../api/host.ts';
import type { Answers, Failure, Question } from './questions.ts';

/** The end of a thread that the screen holds. */
export type Thread = Pick<Worker, 'postMessage' | 'on' | 'terminate'>;

/** Of the kind that its question asks for. */
export type Answered<Q extends Question = Question> =
  | { readonly answer: Answers[Q['type']] }
  | { readonly failure: Failure };

export type ToAnswerThread = { readonly generation: number; readonly question: Question };
export type FromAnswerThread = { readonly generation: number; readonly answered: Answered };

export interface AnswerSource {
  /** The answer never comes if another question of the same kind is asked before. */
  ask<Q extends Question>(question: Q, onAnswered: (answered: Answered<Q>) => void): void;
}

/** What a person waits for goes first. */
const urgency: readonly Question['type'][] = ['list', 'page', 'projects', 'preview'];

interface Asked {
  readonly generation: number;
  readonly question: Question;
  readonly onAnswered: (answered: Answered) => void;
}

export class AnswerThread implements AnswerSource {
  private readonly thread: Thread;
  private readonly waiting = new Map<Question['type'], Asked>();
  private running: Asked | null = null;
  private generation = 0;

  constructor(thread: Thread, onError: (error: unknown) => void) {
    this.thread = thread;
    thread.on('message', (message: FromAnswerThread) => this.receive(message));
    thread.on('error', onError);
  }

  ask<Q extends Question>(question: Q, onAnswered: (answered: Answered<Q>) => void): void {
    this.generation++;
    this.waiting.set(question.type, {
      generation: this.generation,
      question,
      onAnswered: onAnswered as Asked['onAnswered'],
    });
    this.sendNext();
  }

  private sendNext(): void {
    if (this.running !== null) return;
    const next = urgency.map((type) => this.waiting.get(type)).find((asked) => asked !== undefined);
    if (next === undefined) return;
    this.waiting.delete(next.question.type);
    this.running = next;
    const { generation, question } = next;
    this.thread.postMessage({ generation, question } satisfies ToAnswerThread);
  }

  private receive({ generation, answered }: FromAnswerThread): void {
    const asked = this.running;
    if (asked?.generation !== generation) return;
    this.running = null;
    const isWanted = !this.waiting.has(asked.question.type);
    this.sendNext();
    if (isWanted) asked.onAnswered(answered);
  }
}

export type ToUpkeepThread =
  | { readonly type: 'refresh' }
  | { readonly type: 'forget'; readonly id: string }
  | { readonly type: 'restore'; readonly id: string }
  | { readonly type: 'stop' };

export type FromUpkeepThread =
  | { readonly type: 'progress'; readonly progress: Progress }
  /** What else goes on, in words; empty if nothing does. */
  | { readonly type: 'note'; readonly text: string }
  /** Something may have been added. */
  | { readonly type: 'refreshed'; readonly isDone: boolean }
  | { readonly type: 'forgot'; readonly text: string }
  | { readonly type: 'restored'; readonly restored: Restoration }
  | { readonly type: 'not-restored'; readonly failure: Failure }
  | { readonly type: 'failed'; readonly failure: Failure };

export interface Upkeep {
  refresh(): void;
  forget(id: string): void;
  restore(id: string): void;
  onReport(listener: (report: FromUpkeepThread) => void): void;
}

/** A session that is being written is finished. */
const maxRestoreMs = 10_000;

export class UpkeepThread implements Upkeep {
  private readonly thread: Thread;
  private isRestoring = false;

  constructor(thread: Thread, onError: (error: unknown) => void) {
    this.thread = thread;
    thread.on('error', onError);
    thread.on('message', ({ type }: FromUpkeepThread) => {
      if (type === 'restored' || type === 'not-restored') this.isRestoring = false;
    });
  }

  refresh(): void {
    this.send({ type: 'refresh' });
  }

  forget(id: string): void {
    this.send({ type: 'forget', id });
  }

  restore(id: string): void {
    this.isRestoring = true;
    this.send({ type: 'restore', id });
  }

  onReport(listener: (report: FromUpkeepThread) => void): void {
    this.thread.on('message', listener);
  }

  /** At the next safe point, or when the time is up: a run that is cut off is continued by the next one. */
  async stop(maxWaitMs: number): Promise<void> {
    const ended = new Promise<void>((resolve) => this.thread.on('exit', resolve));
    this.send({ type: 'stop' });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.isRestoring ? maxRestoreMs : maxWaitMs);
    });
    await Promise.race([ended, late]);
    clearTimeout(timer);
    await this.thread.terminate();
  }

  private send(message: ToUpkeepThread): void {
    this.thread.postMessage(message);
  }
}
