// The server of the page, on loopback only: listens on 127.0.0.1 and ::1, serves the files of the page to anybody who asks, and
// everything else to whoever has the token. A file that only its owner can read says that it runs, so that a second `recall web`
// opens the one that is there. It ends when it is told to, or some time after the last page was closed.

import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Recall } from '../api/recall.ts';
import { UserError } from '../errors.ts';
import type { Thread } from '../screen/asking.ts';
import { Guard, isSame, limits, prove, Refusal, readBody, send, sendJson } from './guard.ts';
import { Live } from './live.ts';
import { Routes, toFailure } from './routes.ts';

/** So that bookmarks last. */
export const usualPort = 7325;

export interface WebParts {
  readonly recall: Recall;
  readonly startThread: () => Promise<Thread>;
  /** The folder with the files of the page. */
  readonly pagePath: string;
  /** Where this run is written down. */
  readonly runPath: string;
  /** Null for the usual one, or a free one where that is taken. */
  readonly port: number | null;
  readonly idleMs: number;
  readonly homeDir: string;
  readonly pid: number;
  readonly elapsedMs: () => number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export interface RunningPage {
  readonly origin: string;
  /** An address that works once. */
  makeCode(): Promise<string>;
}

export interface ServedPage extends RunningPage {
  readonly ended: Promise<'idle' | 'stopped'>;
}

export async function serveWeb(parts: WebParts): Promise<ServedPage> {
  const guard = new Guard(parts.elapsedMs);
  const live = new Live(parts);
  const site = new Site(parts, guard, live);
  const servers = await listen(parts.port, (request, response) => void site.answer(request, response));
  const [{ port }] = servers.map((server) => server.address()) as [AddressInfo];
  guard.listensOn(port);
  const run: Run = { port, pid: parts.pid, secret: guard.secret };
  writePrivately(parts.runPath, JSON.stringify(run));
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;
  const ended = new Promise<'idle' | 'stopped'>((resolve) => {
    site.onUse = () => {
      clearTimeout(timer);
      // Streams that are closed at the end are not the last page.
      if (live.streamCount === 0 && !isEnding) timer = setTimeout(() => resolve('idle'), parts.idleMs);
    };
    live.onStreamsChanged = site.onUse;
    site.onUse();
    if (parts.signal.aborted) resolve('stopped');
    parts.signal.addEventListener('abort', () => resolve('stopped'));
  }).finally(async () => {
    isEnding = true;
    clearTimeout(timer);
    if (readRun(parts.runPath)?.secret === guard.secret) rmSync(parts.runPath, { force: true });
    await live.close();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  });
  return { origin: `http://127.0.0.1:${port}`, makeCode: async () => guard.makeCode(), ended };
}

/** For its owner only, whatever was there before. */
export function writePrivately(path: string, content: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
}

const pages = /^\/(?:$|(?:search|session|activity|projects|files|health)(?:\/|$))/;
const files: Readonly<Record<string, string>> = {
  '/page.js': 'text/javascript; charset=utf-8',
  '/page.css': 'text/css; charset=utf-8',
  '/icon.svg': 'image/svg+xml',
};

class Site {
  private readonly parts: WebParts;
  private readonly guard: Guard;
  private readonly routes: Routes;
  private readonly read = new Map<string, Buffer>();
  onUse: () => void = () => {};

  constructor(parts: WebParts, guard: Guard, live: Live) {
    this.parts = parts;
    this.guard = guard;
    this.routes = new Routes({ ...parts, live });
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.guard.checkRequest(request);
      if (!URL.canParse(request.url ?? '/', 'http://localhost')) throw new Refusal(400, 'not an address');
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname.startsWith('/api/')) await this.answerApi(url, request, response);
      else if (request.method === 'GET') this.sendFile(url.pathname, response);
      else throw new Refusal(405, 'nothing to change here');
    } catch (error) {
      this.sendFailure(error, request, response);
    }
  }

  private async answerApi(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = url.pathname.slice('/api/'.length);
    const isChange = request.method === 'POST';
    if (isChange && name === 'token') {
      const { code } = await readBody(request);
      return sendJson(response, { token: this.guard.takeToken(code), homeDir: this.parts.homeDir });
    }
    if (isChange && name === 'code') {
      const { nonce, proof } = await readBody(request);
      const answered = this.guard.checkProof(nonce, proof);
      this.onUse();
      return sendJson(response, { proof: answered, code: this.guard.makeCode() });
    }
    this.guard.checkToken(request);
    this.onUse();
    const isAnswered = isChange
      ? await this.routes.change(name, await readBody(request), response)
      : await this.routes.answer(name, url.searchParams, response);
    if (!isAnswered) throw new Refusal(404, 'there is nothing here');
  }

  private sendFile(path: string, response: ServerResponse): void {
    const type = files[path] ?? 'text/html; charset=utf-8';
    if (files[path] === undefined && !pages.test(path)) throw new Refusal(404, 'there is nothing here');
    const name = files[path] === undefined ? 'index.html' : path.slice(1);
    const content = this.read.get(name) ?? readFileSync(join(this.parts.pagePath, name));
    this.read.set(name, content);
    send(response, 200, type, content);
  }

  private sendFailure(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    const { status, body } = toFailure(error);
    if (status === 500 && !response.destroyed) this.parts.onError(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What is left of a request that is too large is not read.
    if (status === 413) response.setHeader('Connection', 'close');
    if ((request.headers.accept ?? '').includes('text/html'))
      send(response, status, 'text/html; charset=utf-8', formatRefusal(status));
    else sendJson(response, body, status);
  }
}

function formatRefusal(status: number): string {
  const text =
    status === 401
      ? 'This page needs a token. Run <code>recall web</code> in a terminal: it opens the page with one.'
      : 'There is nothing here.';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>recall</title><link rel="stylesheet" href="/page.css"><main class="locked"><h1>recall</h1><p>${text}</p></main></html>`;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** On both addresses of this machine, or none: on the other one there could be somebody else's server. */
async function listen(port: number | null, listener: Listener): Promise<Server[]> {
  const first = await tryListen('127.0.0.1', port ?? usualPort, listener);
  const v4 = first ?? (port === null ? await tryListen('127.0.0.1', 0, listener) : null);
  if (v4 === null) throw portTaken(port ?? usualPort);
  const { port: chosen } = v4.address() as AddressInfo;
  const v6 = await tryListen('::1', chosen, listener).catch((error: NodeJS.ErrnoException) => {
    // A machine without IPv6.
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') return undefined;
    throw error;
  });
  if (v6 === undefined) return [v4];
  if (v6 !== null) return [v4, v6];
  v4.close();
  if (port !== null) throw portTaken(port);
  return listen(0, listener);
}

/** Null where the port is taken, or may not be used. */
function tryListen(host: string, port: number, listener: Listener): Promise<Server | null> {
  const options = {
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.requestMs,
    maxHeaderSize: 16_384,
  };
  const server = createServer(options, listener);
  server.maxConnections = limits.connections;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(null) : reject(error),
    );
    server.listen({ host, port, ipv6Only: true }, () => resolve(server));
  });
}

function portTaken(port: number): UserError {
  return new UserError(`port ${port} is taken, or may not be used`, {
    code: 'port-taken',
    hint: 'another one with --port <n>; without it, a free one is found',
  });
}

interface Run {
  readonly port: number;
  readonly pid: number;
  readonly secret: string;
}

function readRun(path: string): Run | null {
  try {
    const run = JSON.parse(readFileSync(path, 'utf8')) as Run;
    return Number.isInteger(run.port) && typeof run.secret === 'string' ? run : null;
  } catch {
    return null;
  }
}

/** The page that another `recall web` serves for the same index; null where there is none. */
export async function findRunning(runPath: string): Promise<RunningPage | null> {
  const run = readRun(runPath);
  if (run === null || (await askForCode(run)) === null) return null;
  const makeCode = async () => {
    const code = await askForCode(run);
    if (code !== null) return code;
    throw new UserError('the page that was running has just ended', {
      code: 'ended',
      hint: 'recall web again',
    });
  };
  return { origin: `http://127.0.0.1:${run.port}`, makeCode };
}

const maxAnswerChars = 10_000;

function askForCode({ port, secret }: Run): Promise<string | null> {
  const nonce = randomBytes(18).toString('base64url');
  const body = JSON.stringify({ nonce, proof: prove(secret, 'asks', nonce) });
  return new Promise((resolve) => {
    const asked = openRequest(
      {
        host: '127.0.0.1',
        port,
        path: '/api/code',
        method: 'POST',
        timeout: 2000,
        headers: { Origin: `http://127.0.0.1:${port}`, 'Content-Type': 'application/json' },
      },
      async (response) => {
        try {
          let text = '';
          for await (const chunk of response) {
            text += chunk;
            if (text.length > maxAnswerChars) return resolve(null);
          }
          const { proof, code } = JSON.parse(text);
          // Somebody else's server may be there by now.
          resolve(isSame(String(proof), prove(secret, 'answers', nonce)) ? String(code) : null);
        } catch {
          resolve(null);
        }
      },
    );
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(null));
    asked.end(body);
  });
}
