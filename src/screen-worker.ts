// The program of a thread of the screen: an API of its own on the same index, which answers questions or keeps the index up to
// date.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Recall } from './api/recall.ts';
import { buildHost, type HostOptions } from './build-host.ts';
import type { Within } from './screen/questions.ts';
import { serveAnswers, serveUpkeep, toReporter } from './screen/serve.ts';

export interface ScreenWorkerData {
  readonly role: 'answers' | 'upkeep';
  readonly within: Within;
  readonly host: Pick<HostOptions, 'at' | 'db' | 'archive' | 'givenRoots' | 'workerPath'>;
}

const { role, within, host } = workerData as ScreenWorkerData;
const port = parentPort as MessagePort;
const stopping = new AbortController();
const options = { ...host, signal: () => stopping.signal, freshForMs: 0 };
const openRecall = (onEvent?: HostOptions['onEvent']) => new Recall(buildHost({ ...options, onEvent }));
const elapsedMs = () => performance.now();

if (role === 'answers') serveAnswers(port, openRecall(), within);
else serveUpkeep(port, openRecall(toReporter(port, elapsedMs, () => new Date())), stopping);
