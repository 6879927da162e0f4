// How often progress is shown: several times a second on a terminal, every few seconds elsewhere.

import { expect, test } from 'vitest';
import { ProgressDisplay } from '../src/process.ts';

/** What is shown when progress is reported at these times. */
function shownAt(isTerminal: boolean, timesMs: readonly number[]) {
  const shown: string[] = [];
  let now = 0;
  const display = new ProgressDisplay({
    terminal: { isTerminal, columns: 40, rows: 20, hasWidth: true },
    elapsedMs: () => now,
    line: (text) => shown.push(`line ${text}`),
    redraw: (text) => shown.push(`redraw ${text}`),
  });
  const report = (atMs: number) => {
    now = atMs;
    display.show((elapsedMs, columns) => `${elapsedMs} of ${columns}`);
  };
  for (const atMs of timesMs) report(atMs);
  display.clear();
  return { shown, display, report };
}

test('a terminal: nothing at first, then at most every 80 ms, and cleared at the end', () => {
  const { shown } = shownAt(true, [1000, 1079, 1080, 1100, 1159, 1160]);
  expect(shown).toEqual(['redraw 80 of 40', 'redraw 160 of 40', 'redraw ']);
});

test('a terminal: what took no time was never shown, so there is nothing to clear', () => {
  expect(shownAt(true, [1000, 1050]).shown).toEqual([]);
});

test('no terminal: a line every five seconds, as wide as a log may be, and none to clear', () => {
  const { shown } = shownAt(false, [0, 4999, 5000, 9999, 10_000]);
  expect(shown).toEqual(['line 5000 of 120', 'line 10000 of 120']);
});

test('after the end, time starts again', () => {
  const { shown, report, display } = shownAt(true, [0, 100]);
  report(1000);
  report(1080);
  display.clear();
  expect(shown.slice(2)).toEqual(['redraw 80 of 40', 'redraw ']);
});
