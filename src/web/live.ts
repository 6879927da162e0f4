// What happens without being asked for: the index is brought up to date by a thread of its own, at most once a second, when somebody
// searches or when a transcript that a page follows has grown; pages are told through one stream each. While nobody looks, nothing
// runs.

import { type FSWatcher, watch } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Recall } from '../api/recall.ts';
import { type FromUpkeepThread, type Thread, UpkeepThread } from '../screen/asking.ts';
import { headers, limits, Refusal } from './guard.ts';

const refreshEveryMs = 1000;
/** An agent writes several lines at once. */
const gatherMs = 120;
const maxStopMs = 500;

interface Stream {
  readonly response: ServerResponse;
  watcher: FSWatcher | null;
}

export class Live {
  private readonly recall: Recall;
  private readonly startThread: () => Promise<Thread>;
  private readonly elapsedMs: () => number;
  private readonly onError: (error: unknown) => void;
  private readonly streams = new Set<Stream>();
  private upkeep: Promise<UpkeepThread> | null = null;
  private refreshedAtMs = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private state: number | null = null;
  onStreamsChanged: () => void = () => {};

  constructor(parts: {
    readonly recall: Recall;
    readonly startThread: () => Promise<Thread>;
    readonly elapsedMs: () => number;
    readonly onError: (error: unknown) => void;
  }) {
    this.recall = parts.recall;
    this.startThread = parts.startThread;
    this.elapsedMs = parts.elapsedMs;
    this.onError = parts.onError;
  }

  get streamCount(): number {
    return this.streams.size;
  }

  /** Soon, and not more often than once a second. */
  refresh(waitMs = 0): void {
    if (this.timer !== undefined) return;
    const sinceMs = this.elapsedMs() - this.refreshedAtMs;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.refreshedAtMs = this.elapsedMs();
        this.askThread().catch(this.onError);
      },
      Math.max(waitMs, refreshEveryMs - sinceMs, 0),
    );
  }

  private async askThread(): Promise<void> {
    this.upkeep ??= this.startThread().then((thread) => {
      const upkeep = new UpkeepThread(thread, this.onError);
      upkeep.onReport((report) => void this.receive(report).catch(this.onError));
      return upkeep;
    });
    this.state ??= await this.recall.readState();
    (await this.upkeep).send({ type: 'refresh' });
  }

  private async receive(report: FromUpkeepThread): Promise<void> {
    if (report.type === 'note') this.tell('note', { text: report.text });
    else if (report.type === 'failure') this.tell('note', { text: report.failure.message });
    else if (report.type === 'progress') this.tell('progress', report.progress);
    else if (report.type === 'refreshed') {
      const state = await this.recall.readState();
      if (state !== this.state) this.tell('changed', {});
      this.state = state;
    }
  }

  /** After something was done here. */
  tellChanged(): void {
    this.tell('changed', {});
  }

  async open(response: ServerResponse, followedId: string | null): Promise<void> {
    if (this.streams.size >= limits.streams) throw new Refusal(429, 'too many streams are open');
    // Counted before anything is waited for: others ask meanwhile, and the page may be closed by then.
    const stream: Stream = { response, watcher: null };
    this.streams.add(stream);
    this.onStreamsChanged();
    response.on('close', () => {
      stream.watcher?.close();
      this.streams.delete(stream);
      this.onStreamsChanged();
    });
    stream.watcher = await this.follow(followedId);
    if (response.destroyed) {
      stream.watcher?.close();
      return;
    }
    response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write('event: open\ndata: {}\n\n');
    this.refresh();
  }

  /** The file of a session that may be growing; null where it has none. */
  private async follow(id: string | null): Promise<FSWatcher | null> {
    if (id === null) return null;
    const { head } = await this.recall.read(id);
    const path = head.resumption.transcriptPath;
    if (path === null) return null;
    try {
      const watcher = watch(path, () => this.refresh(gatherMs));
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      // It was deleted, or the system has no watcher left to give.
      return null;
    }
  }

  private tell(event: string, data: object): void {
    for (const { response } of this.streams)
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    for (const { response } of this.streams) response.end();
    await (await this.upkeep)?.stop(maxStopMs);
  }
}
