// What all of the page shares: where it is (the address holds all state), how it asks the server, the token, and the one stream that
// says what has changed. The stream is closed while the tab is hidden, since a browser has six connections to a host.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../answers.ts';

export interface Place {
  readonly path: string;
  readonly given: URLSearchParams;
  readonly hash: string;
}

function readPlace(): Place {
  const { pathname, search, hash } = window.location;
  return { path: pathname, given: new URLSearchParams(search), hash: hash.slice(1) };
}

export const place = signal(readPlace());
export const problem = signal<'locked' | 'ended' | null>(null);
/** What is said for a moment, also to screen readers. */
export const message = signal('');
/** What the index is doing, in words. */
export const activity = signal('');
/** Rises when the index has changed. */
export const changes = signal(0);
export const home = signal<{ readonly homeDir: string; readonly nowMs: number }>({
  homeDir: '',
  nowMs: Date.now(),
});

export function navigate(address: string, isReplacing = false): void {
  const { pathname, search, hash } = window.location;
  if (address === `${pathname}${search}${hash}`) return;
  window.history[isReplacing ? 'replaceState' : 'pushState'](null, '', address);
  const before = place.value;
  place.value = readPlace();
  if (before.path !== place.value.path) window.scrollTo(0, 0);
}

window.addEventListener('popstate', () => {
  place.value = readPlace();
});

/** An address with some parameters changed; empty ones are left out. */
export function toAddress(
  path: string,
  ...changed: readonly (URLSearchParams | Record<string, string | null>)[]
): string {
  const given = new URLSearchParams();
  for (const each of changed)
    for (const [name, value] of each instanceof URLSearchParams ? each : Object.entries(each))
      if (value === null || value === '') given.delete(name);
      else given.set(name, value);
  const query = given.toString();
  return query === '' ? path : `${path}?${query}`;
}

export function toSessionAddress(id: string, position: number | null = null, words = ''): string {
  const hash = position === null ? '' : `#${position}`;
  return `${toAddress(`/session/${encodeURIComponent(id)}`, { q: words })}${hash}`;
}

let timer: number | undefined;

export function say(text: string): void {
  message.value = text;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    message.value = '';
  }, 4000);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`copied ${what}`);
  } catch {
    say('the browser does not allow copying here');
  }
}

const storageKey = 'recall-token';

/** The code in the address is worth the token once, and leaves the address at once. */
export async function unlock(): Promise<void> {
  const [, code, position] = /^code=([\w-]+)(?:&message=(\d+))?$/.exec(place.value.hash) ?? [];
  if (code === undefined) return;
  const { pathname, search } = window.location;
  navigate(`${pathname}${search}${position === undefined ? '' : `#${position}`}`, true);
  const response = await fetch('/api/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (response.ok) window.localStorage.setItem(storageKey, (await response.json()).token);
}

export class AskError extends Error {
  readonly hint: string;

  constructor({ error }: Failure) {
    super(error.message);
    this.hint = error.hint;
  }
}

async function request(path: string, options: RequestInit): Promise<Response> {
  const token = window.localStorage.getItem(storageKey) ?? '';
  let response: Response;
  try {
    response = await fetch(path, {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${token}` },
    });
  } catch (error) {
    if (options.signal?.aborted !== true) problem.value = 'ended';
    throw error;
  }
  if (response.status === 401) problem.value = 'locked';
  else if (problem.value !== null) problem.value = null;
  if (response.ok) return response;
  throw new AskError(await response.json());
}

export async function ask<T>(address: string, abort?: AbortSignal): Promise<T> {
  return (await request(`/api/${address}`, abort === undefined ? {} : { signal: abort })).json();
}

export async function askBlob(address: string, abort?: AbortSignal): Promise<Blob> {
  return (await request(`/api/${address}`, abort === undefined ? {} : { signal: abort })).blob();
}

export async function change<T>(name: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return (await request(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

interface Asked<T> {
  readonly answer: T | undefined;
  readonly error: AskError | undefined;
  /** The answer is to an earlier question. */
  readonly isWaiting: boolean;
}

/** Asks when the address differs, and again when the index has changed. */
export function useAnswer<T>(address: string | null): Asked<T> {
  const [state, setState] = useState<{ of: string | null; answer?: T; error?: AskError }>({ of: null });
  const version = changes.value;
  useEffect(() => {
    if (address === null) return;
    const abort = new AbortController();
    // What is asked again was refreshed already.
    const asked = state.of === address ? address.replace(/[?&]refresh=1$/, '') : address;
    ask<T>(asked, abort.signal).then(
      (answer) => setState({ of: address, answer }),
      (error) => {
        if (error instanceof AskError) setState({ of: address, error });
      },
    );
    return () => abort.abort();
  }, [address, version]);
  return { answer: state.answer, error: state.error, isWaiting: state.of !== address };
}

let stream: AbortController | null = null;
let followed = '';

/** One stream for all of the page; it also says when the transcript of one session has grown. */
export function follow(id: string): void {
  if (id === followed && stream !== null) return;
  followed = id;
  connect();
}

function connect(): void {
  stream?.abort();
  stream = null;
  if (document.hidden || problem.value !== null) return;
  const own = new AbortController();
  stream = own;
  listen(own.signal).catch(() => {
    if (stream === own) stream = null;
  });
}

document.addEventListener('visibilitychange', () => {
  connect();
  if (!document.hidden) changes.value++;
});

async function listen(abort: AbortSignal): Promise<void> {
  const response = await request(
    `/api/events${followed === '' ? '' : `?follow=${encodeURIComponent(followed)}`}`,
    {
      signal: abort,
    },
  );
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as never)
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value: string };
    if (done) break;
    text += value;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) receive(event);
  }
  if (!abort.aborted) problem.value = 'ended';
}

function receive(event: string): void {
  const [, name = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
  if (name === 'changed') changes.value++;
  else if (name === 'note') activity.value = JSON.parse(data).text;
  else if (name === 'progress') {
    const { filesDone, filesTotal } = JSON.parse(data);
    activity.value = filesDone < filesTotal ? `reading file ${filesDone} of ${filesTotal}` : '';
  }
}
