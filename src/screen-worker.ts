// The program of a thread of the screen: an API of its own on the same index, which answers questions or keeps the index current.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Recall } from './api/recall.ts';
import { buildHost, type HostOptions } from './build-host.ts';
import type { Within } from './screen/questions.ts';
import { createReporter, serveAnswers, serveUpkeep } from './screen/serve.ts';

export interface ScreenWorkerData {
  readonly role: 'answers' | 'upkeep';
  readonly within: Within;
  readonly host: Pick<HostOptions, 'at' | 'db' | 'archive' | 'givenRoots' | 'workerPath'>;
}

const { role, within, host } = workerData as ScreenWorkerData;
const port = parentPort as MessagePort;
const stopping = new AbortController();
const elapsedMs = () => performance.now();
const onEvent = role === 'upkeep' ? createReporter(port, elapsedMs, () => new Date()) : undefined;
const recall = new Recall(buildHost({ ...host, signal: () => stopping.signal, freshForMs: 0, onEvent }));

if (role === 'answers') serveAnswers(port, recall, within);
else serveUpkeep(port, recall, stopping);
