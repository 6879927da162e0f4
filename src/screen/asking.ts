// Asks what the state wants to know whenever that differs from what was asked last, and turns answers into events. A person's keys
// are searched for one by one; keys that come faster, from a paste or a key held down, together.

import type { Answers, Failure, ListQuestion, Question } from './questions.ts';
import type { State } from './state.ts';
import type { AnswerSource } from './threads.ts';
import type { Event } from './update/update.ts';
import { findPageQuestion, findPreviewQuestion, toListQuestion } from './wishes.ts';

type AnswerOf<Q extends Question> = Answers[Q['type']];

export interface AskingParts {
  readonly source: AnswerSource;
  readonly getState: () => State;
  readonly onEvent: (event: Event) => void;
  readonly now: () => Date;
  readonly elapsedMs: () => number;
}

/** Nobody types faster. */
const burstMs = 20;
/** In a burst without an end, there is an answer now and then. */
const maxBurstMs = 250;

export class Asking {
  private readonly parts: AskingParts;
  /** The last question of each kind, as text. */
  private readonly asked = new Map<Question['type'], string>();
  /** The question that the list answers, whatever its limit. */
  private answeredList = '';
  private timer: NodeJS.Timeout | undefined;
  private waitingSince: number | null = null;
  private keyAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AskingParts) {
    this.parts = parts;
    const state = parts.getState();
    if (state.results === null) return;
    const question = toListQuestion(state);
    this.asked.set('list', toKey(question));
    this.answeredList = toListKey(question);
  }

  /** After a key. */
  askSoon(): void {
    clearTimeout(this.timer);
    const at = this.parts.elapsedMs();
    const isBurst = at - this.keyAt < burstMs;
    this.keyAt = at;
    this.waitingSince ??= at;
    if (!isBurst || at - this.waitingSince > maxBurstMs) this.askAll();
    else this.timer = setTimeout(() => this.askAll(), burstMs);
  }

  askAll(): void {
    this.stop();
    const state = this.parts.getState();
    this.askForList(toListQuestion(state));
    const preview = findPreviewQuestion(state);
    if (preview !== undefined)
      this.askIfNew(preview, (answer) => ({ type: 'preview', id: preview.id, preview: answer }));
    const page = findPageQuestion(state);
    if (page === undefined) this.asked.delete('page');
    else this.askIfNew(page, (answer) => ({ type: 'page', page: answer }));
  }

  /** The index has changed: the same questions may have other answers. */
  askAgain(): void {
    this.asked.delete('list');
    this.asked.delete('preview');
    this.askForList(toListQuestion(this.parts.getState()));
  }

  ask<Q extends Question>(question: Q, toEvent: (answer: AnswerOf<Q>) => Event | null): void {
    this.parts.source.ask(question, (answered) => {
      const event: Event | null =
        'failure' in answered ? this.toFailureEvent(question, answered.failure) : toEvent(answered.answer);
      if (event !== null) this.parts.onEvent(event);
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waitingSince = null;
  }

  /** Without a list there is nothing else to show; anything else that fails is worth a message, if it is still wanted. */
  private toFailureEvent(question: Question, failure: Failure): Event | null {
    if (question.type === 'list') return { type: 'failure', failure };
    const wanted = findPreviewQuestion(this.parts.getState());
    if (question.type === 'preview' && question.id !== wanted?.id) return null;
    return { type: 'message', text: failure.message };
  }

  private askForList(question: ListQuestion): void {
    this.askIfNew(question, (results) => {
      const key = toListKey(question);
      const isSame = key === this.answeredList;
      this.answeredList = key;
      return { type: 'results', results, isSame, now: this.parts.now() };
    });
  }

  private askIfNew<Q extends Question>(question: Q, toEvent: (answer: AnswerOf<Q>) => Event): void {
    const key = toKey(question);
    if (this.asked.get(question.type) === key) return;
    this.asked.set(question.type, key);
    this.ask(question, toEvent);
  }
}

function toKey(question: Question): string {
  return JSON.stringify(question);
}

function toListKey(question: ListQuestion): string {
  return toKey({ ...question, limit: 0 });
}
