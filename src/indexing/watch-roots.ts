// Follows the folders of the agents until stopped. Changes are gathered for a moment before they are looked at, because a
// running session writes several lines a second; an occasional look of its own makes up for events that the
// system dropped.

import { type FSWatcher, watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Root } from '../records.ts';
import { getSource } from '../sources/index.ts';

const gatherMs = 500;
const lookAnywayMs = 60_000;

export async function watchRoots(
  roots: readonly Root[],
  signal: AbortSignal,
  onChange: () => Promise<void>,
): Promise<void> {
  // Something may have changed since the roots were looked at, before anybody watched them.
  let hasChanged = true;
  let wake = () => {};
  const watchers = roots.flatMap((root) =>
    startWatching(root, () => {
      hasChanged = true;
      wake();
    }),
  );
  try {
    while (!signal.aborted) {
      if (!hasChanged) {
        const woken = new AbortController();
        wake = () => woken.abort();
        const either = AbortSignal.any([signal, woken.signal]);
        await sleep(lookAnywayMs, undefined, { signal: either }).catch(() => {});
      }
      if (hasChanged) await sleep(gatherMs, undefined, { signal });
      signal.throwIfAborted();
      hasChanged = false;
      await onChange();
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    for (const watcher of watchers) watcher.close();
  }
  signal.throwIfAborted();
}

/** No watcher at all, where the system has none left to give, still leaves the occasional look. */
function startWatching({ agent, path }: Root, onEvent: () => void): FSWatcher[] {
  const source = getSource(agent);
  try {
    const watcher = watch(path, { recursive: true }, (_event, name) => {
      if (name === null || source.isWatched(name)) onEvent();
    });
    watcher.on('error', () => {});
    return [watcher];
  } catch {
    return [];
  }
}
