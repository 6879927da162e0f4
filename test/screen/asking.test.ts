// What is asked, and when: the last question of each kind, one at a time.

import { expect, test } from 'vitest';
import { AnswerThread, Asking, type Thread } from '../../src/screen/asking.ts';
import { ConversationDrawer } from '../../src/screen/draw-conversation.ts';
import type { Question } from '../../src/screen/questions.ts';
import { buildFirstState, type State } from '../../src/screen/state.ts';

const now = new Date('2026-11-16T12:00:00.000Z');
const size = { columns: 80, rows: 24 };

class FakeThread {
  readonly sent: Question[] = [];
  private receive: (message: unknown) => void = () => {};
  on(event: string, listener: (message: unknown) => void) {
    if (event === 'message') this.receive = listener;
  }
  postMessage(message: never) {
    this.sent.push(message);
  }
  async terminate() {}
  answer(answer: unknown) {
    this.receive({ answer });
  }
}

const toThread = (fake: FakeThread) => new AnswerThread(fake as unknown as Thread, () => {});
const list = (query: string): Question => ({
  ...{ type: 'list', query, scope: 'everywhere', sort: 'relevance', limit: 50 },
});

test('an answer that is no longer wanted is dropped, and what waits is only the last', () => {
  const fake = new FakeThread();
  const thread = toThread(fake);
  const answers: unknown[] = [];
  for (const query of ['j', 'jw', 'jwt'])
    thread.ask(list(query), (answered) => answers.push(query, answered));
  expect(fake.sent).toEqual([list('j')]);
  fake.answer('old');
  expect(fake.sent).toEqual([list('j'), list('jwt')]);
  expect(answers).toEqual([]);
  fake.answer('new');
  expect(answers).toEqual(['jwt', { answer: 'new' }]);
});

test('the list goes before what is shown beside it', () => {
  const fake = new FakeThread();
  const thread = toThread(fake);
  const preview: Question = { type: 'preview', id: 'x', match: '', bestId: null };
  thread.ask({ type: 'values', filter: 'project', query: '', scope: 'everywhere', among: [] }, () => {});
  thread.ask(preview, () => {});
  thread.ask(list('jwt'), () => {});
  fake.answer([]);
  expect(fake.sent.at(-1)).toEqual(list('jwt'));
});

test('keys that come faster than answers are few searches; keys of a person are one each', () => {
  const fake = new FakeThread();
  let state: State = buildFirstState(size, now, null);
  const asking = new Asking({
    thread: toThread(fake),
    drawer: new ConversationDrawer('/home/maya', () => now),
    getState: () => state,
    onEvent: () => {},
    now: () => now,
  });
  const type = (text: string) => {
    state = { ...state, line: { text, cursor: text.length } };
    asking.askAll();
  };
  for (let i = 1; i <= 40; i++) type('x'.repeat(i));
  fake.answer(null);
  fake.answer(null);
  expect(fake.sent).toEqual([list('x'), list('x'.repeat(40))]);
  for (let i = 1; i <= 5; i++) {
    type('y'.repeat(i));
    fake.answer(null);
  }
  expect(fake.sent.length).toBe(7);
});
