// When the index is brought up to date for the page: not more often than once a second, however often it is asked for.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRecall } from '../../src/library.ts';
import type { Thread } from '../../src/screen/asking.ts';
import { Live } from '../../src/web/live.ts';
import { TempHome } from '../support/home.ts';
import { runRecall, toEnv } from '../support/program.ts';

test('at once, and then at most once a second', async () => {
  using home = new TempHome();
  runRecall(home, ['index']);
  const posted: unknown[] = [];
  const thread = {
    postMessage: (message: unknown) => posted.push(message),
    on: () => thread,
    terminate: async () => 0,
  } as unknown as Thread;
  const recall = openRecall({ db: home.indexPath, env: toEnv(home), cwd: home.path });
  const errors: unknown[] = [];
  const live = new Live({
    recall,
    startThread: async () => thread,
    elapsedMs: () => performance.now(),
    onError: (error) => errors.push(error),
  });
  const count = () => posted.filter((each) => (each as { type: string }).type === 'refresh').length;
  const askFor = async (ms: number) => {
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < ms) {
      live.refresh();
      await sleep(10);
    }
  };
  await askFor(500);
  expect(count()).toBe(1);
  await askFor(1200);
  expect(count()).toBe(2);
  expect(errors).toEqual([]);
  await live.close();
  recall.close();
});
