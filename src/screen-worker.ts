// The program of a thread of the screen: an API of its own on the same index, which answers questions or keeps the index up to
// date.

import { hostname } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Host } from './api/host.ts';
import { Recall } from './api/recall.ts';
import { type GivenRoots, getRoots } from './api/roots.ts';
import { readConfig, type Surroundings } from './config.ts';
import { Answerer } from './screen/answers.ts';
import type { Within } from './screen/open-screen.ts';
import { serveAnswers, serveUpkeep, toReporter } from './screen/serve.ts';

export interface ScreenWorkerData {
  readonly role: 'answers' | 'upkeep';
  readonly at: Surroundings;
  readonly indexPath: string;
  readonly archivePath: string;
  readonly givenRoots: GivenRoots;
  readonly threads: Host['threads'];
  readonly within: Within;
}

const data = workerData as ScreenWorkerData;
const port = parentPort as MessagePort;
const stopping = new AbortController();
const now = () => new Date();
const elapsedMs = () => performance.now();

const recall = new Recall({
  at: data.at,
  indexPath: data.indexPath,
  archivePath: data.archivePath,
  machine: hostname(),
  roots: () => getRoots(data.givenRoots, data.at, readConfig(data.at).agents),
  config: () => readConfig(data.at),
  now,
  elapsedMs,
  pid: process.pid,
  terminal: null,
  signal: stopping.signal,
  threads: data.threads,
  freshForMs: 0,
  onEvent: data.role === 'upkeep' ? toReporter(port, elapsedMs, now) : () => {},
});

if (data.role === 'answers') serveAnswers(port, new Answerer(recall, data.within));
else serveUpkeep(port, recall, stopping);
