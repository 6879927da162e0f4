// Asks what the state wants to know whenever that differs from what was asked last, and turns answers into events. A person's keys
// are searched for one by one; keys that come faster, from a paste or a key held down, together.

import type { ConversationDrawer } from './draw-conversation.ts';
import { toLayout } from './layout.ts';
import type { Answers, Failure, ListQuestion, PageQuestion, PreviewQuestion, Question } from './questions.ts';
import type { State } from './state.ts';
import type { AnswerSource } from './threads.ts';
import type { Event } from './update/update.ts';
import { findPageQuestion, findPreviewQuestion, toListQuestion } from './wishes.ts';

type AnswerOf<Q extends Question> = Answers[Q['type']];

export interface AskingParts {
  readonly source: AnswerSource;
  readonly drawer: ConversationDrawer;
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
    this.askForPreview(findPreviewQuestion(state), toLayout(state.size).preview?.columns ?? 0);
    this.askForPage(findPageQuestion(state));
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
    this.askIfNew(question, toKey(question), (results) => {
      const key = toListKey(question);
      const isSame = key === this.answeredList;
      this.answeredList = key;
      return { type: 'results', results, isSame, now: this.parts.now() };
    });
  }

  private askForPreview(question: PreviewQuestion | undefined, columns: number): void {
    if (question === undefined) return;
    const { id, bestId } = question;
    const key = `${toKey(question)} ${columns}`;
    this.askIfNew(question, key, (answer) => ({
      type: 'preview',
      id,
      preview: this.parts.drawer.preview(answer, bestId, columns),
    }));
  }

  /** The page is drawn as the reader is when the answer comes. */
  private askForPage(question: PageQuestion | undefined): void {
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
    toEvent: (answer: AnswerOf<Q>) => Event | null,
  ): void {
    if (this.asked.get(question.type) === key) return;
    this.asked.set(question.type, key);
    this.ask(question, toEvent);
  }
}

function toKey(question: Question): string {
  return JSON.stringify(question);
}

/** What is shown does not change from page to page. */
function toPageKey({ start, ...question }: PageQuestion): string {
  return JSON.stringify({ ...question, at: start?.at });
}

function toListKey(question: ListQuestion): string {
  return toKey({ ...question, limit: 0 });
}
