// recall's own output is distinguished from real messages.

import { expect, test } from 'vitest';
import { resultsFooters } from '../../src/hints.ts';
import { isEcho } from '../../src/search/features.ts';

test.each([
  ['shell', 'recall search jwt middleware'],
  ['shell', '  npx recall search jwt'],
  ['shell', 'recall open 2'],
  ['prompt', `10 of 42 sessions   ${resultsFooters[0]}`],
  ['prompt', `10 of more than 5,000 sessions   ${resultsFooters[1]}   more: --limit 30`],
  ['reply', `It printed:\n 1 JWT middleware\n10 of 42 sessions\n${resultsFooters[0]}`],
  ['prompt', '10 of 42 sessions   open one: recall open <number>'],
])('%s %j is an echo', async (kind, text) => {
  expect(isEcho(kind, text)).toBe(true);
});

test.each([
  ['shell', 'git search'],
  ['shell', 'recall-train --search'],
  ['prompt', 'recall search is slow, why?'],
  ['reply', 'I recall searching for the jwt middleware.'],
])('%s %j is not an echo', async (kind, text) => {
  expect(isEcho(kind, text)).toBe(false);
});
