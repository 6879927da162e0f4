// A session without a title is called after its first prompt of substance.

import { afterEach, expect, test } from 'vitest';
import { assistantLine, TempHome, userLine } from '../support/home.ts';
import { indexHome, withStore } from '../support/index-home.ts';

const homes: TempHome[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

async function titleOf(...lines: Parameters<TempHome['writeSession']>[1]) {
  const home = new TempHome();
  homes.push(home);
  home.writeSession('s', lines);
  await indexHome(home);
  return withStore(home, async ({ db }) =>
    db.prepare('select title, title_source as source, first_prompt as firstPrompt from session').get(),
  );
}

test('a greeting is not a title', async () => {
  const lines = [
    userLine('hi'),
    assistantLine('Hello!'),
    userLine('ls'),
    userLine('move the queue to redis'),
  ];
  expect(await titleOf(...lines)).toEqual({
    title: 'move the queue to redis',
    source: 'first-prompt',
    firstPrompt: 'hi',
  });
});

test('unless there is nothing else', async () => {
  expect(await titleOf(userLine('hi'), assistantLine('Hello!'))).toMatchObject({ title: 'hi' });
});

test.each(['Invalid API key · Please run /login', 'Request timed out', 'API Error: 500'])(
  'a summary of an error is not a title: %s',
  async (summary) => {
    const prompt = userLine('hello');
    const asked = userLine('why is the order page slow?');
    expect(
      await titleOf(prompt, asked, { type: 'summary', summary, leafUuid: String(asked.uuid) }),
    ).toMatchObject({ title: 'why is the order page slow?', source: 'first-prompt' });
  },
);
