// Words that very many texts of tools hold: which sessions have them is known all the same.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantLine, at, TempHome, toolResult, toolUse, userLine } from '../support/home.ts';
import { indexHome, withStore } from '../support/index-home.ts';
import { ask } from './ask.ts';

let home: TempHome;
beforeEach(() => {
  home = new TempHome();
});
afterEach(() => home.remove());

const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** `toOutput` says what the tools of each session print, `callsEach` times. */
async function indexSessions(
  count: number,
  callsEach: number,
  toPrompt: (n: number) => string,
  toOutput: (n: number) => string,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const when = { timestamp: at(0, `2026-03-${String(1 + (n % 28)).padStart(2, '0')}`) };
    const calls = Array.from({ length: callsEach }, (_, i) => [
      assistantLine([toolUse('Bash', { command: `run ${i}` }, `call-${n}-${i}`)], when),
      userLine([{ ...toolResult(`call-${n}-${i}`), content: toOutput(n) }], when),
    ]);
    home.writeSession(idOf(n), [userLine(toPrompt(n), when), ...calls.flat()]);
  }
  await indexHome(home);
}

const search = (text: string) => withStore(home, (store) => ask(store, text, { limit: 200 }));

test('all sessions are found and counted, each with a passage', async () => {
  await indexSessions(
    120,
    5,
    () => 'go on',
    () => 'dockerd says no',
  );
  const { hits, total, isTotalExact } = await search('dockerd');
  expect({ found: hits.length, total, isTotalExact }).toEqual({ found: 120, total: 120, isTotalExact: true });
  expect(hits.filter(({ matches }) => matches.every(({ toolText }) => toolText === null))).toEqual([]);
});

test('beside a word that was said, and beside one in another output', async () => {
  await indexSessions(
    120,
    5,
    (n) => (n === 0 || n === 119 ? 'the zebra' : 'the horse'),
    (n) => (n % 40 === 0 ? 'dockerd and kubelet' : 'dockerd'),
  );
  const beside = await search('zebra dockerd');
  expect(beside).toMatchObject({ tier: 'all', total: 2, isTotalExact: true });
  const both = await search('kubelet dockerd');
  expect(both).toMatchObject({ tier: 'all', total: 3 });
});
