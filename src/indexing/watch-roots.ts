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
  const changes = new ChangeSignal();
  const watchers = roots.flatMap((root) => startWatching(root, () => changes.raise()));
  // Something may have changed since the roots were looked at, before there was anyone to say so.
  changes.raise();
  try {
    while (!signal.aborted) {
      const wasRaised = await changes.wait(lookAnywayMs, signal);
      if (wasRaised) await sleep(gatherMs, undefined, { signal });
      changes.lower();
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

class ChangeSignal {
  private isRaised = false;
  private wake: () => void = () => {};

  raise(): void {
    this.isRaised = true;
    this.wake();
  }

  lower(): void {
    this.isRaised = false;
  }

  /** True when a change was seen, false when the time ran out. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.isRaised) return true;
    const timeout = new AbortController();
    const raised = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    const slept = sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, timeout.signal]) });
    try {
      await Promise.race([raised, slept]);
    } finally {
      timeout.abort();
      await slept.catch(() => {});
    }
    signal.throwIfAborted();
    return this.isRaised;
  }
}
