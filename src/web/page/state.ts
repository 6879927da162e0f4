// What all of the page shares: where it is (the address holds all state), how it asks the server, the token, and the one stream that
// says what has changed. The stream is closed while the tab is hidden, since a browser has six connections to a host.

import { signal } from '@preact/signals';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Answers, Done, toFailure } from '../routes.ts';

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
export const now = signal(new Date());
changes.subscribe(() => {
  now.value = new Date();
});

export function navigate(address: string, isReplacing = false): void {
  const { pathname, search, hash } = window.location;
  const isNew = address !== `${pathname}${search}${hash}`;
  if (isNew) window.history[isReplacing ? 'replaceState' : 'pushState'](null, '', address);
  const before = place.value;
  // Also where it stays the same: a link to the message from which one has scrolled away leads back to it.
  place.value = readPlace();
  if (before.path !== place.value.path) window.scrollTo(0, 0);
}

window.addEventListener('popstate', () => {
  place.value = readPlace();
});

export type Given = Readonly<Record<string, string | number | null>>;

/** An address with some parameters changed; empty ones are left out. */
export function toAddress(path: string, ...changed: readonly (URLSearchParams | Given)[]): string {
  const given = new URLSearchParams();
  for (const each of changed)
    for (const [name, value] of each instanceof URLSearchParams ? each : Object.entries(each))
      if (value === null || value === '') given.delete(name);
      else given.set(name, String(value));
  const query = given.toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Another machine may have a session of the same id. */
export function toSessionAddress(
  { id, machine = null }: { readonly id: string; readonly machine?: string | null },
  position: number | null = null,
  words = '',
): string {
  const path = `/session/${encodeURIComponent(machine === null ? id : `${id}@${machine}`)}`;
  return `${toAddress(path, { q: words })}${position === null ? '' : `#${position}`}`;
}

let timer: number | undefined;

export function say(text: string): void {
  message.value = text;
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    message.value = '';
  }, 4000);
}

/** What was asked for by hand, and failed, says why. */
export function attempt(work: Promise<unknown>): void {
  work.catch((error) => say(error instanceof AskError ? error.message : 'it did not work'));
}

export async function copyCommand(command: string): Promise<void> {
  if (command === '') return;
  try {
    await navigator.clipboard.writeText(command);
    say('copied the command that resumes it');
  } catch {
    say('the browser does not allow copying here');
  }
}

const [tokenKey, homeKey] = ['recall-token', 'recall-home'];

/** The home directory of the person whose sessions these are. */
export function findHomeDir(): string {
  return window.localStorage.getItem(homeKey) ?? '';
}

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
  if (!response.ok) return;
  const { token, homeDir } = await response.json();
  window.localStorage.setItem(tokenKey, token);
  window.localStorage.setItem(homeKey, homeDir);
}

export class AskError extends Error {
  readonly hint: string;

  constructor({ error }: ReturnType<typeof toFailure>['body']) {
    super(error.message);
    this.hint = error.hint;
  }
}

async function request(path: string, options: RequestInit): Promise<Response> {
  const token = window.localStorage.getItem(tokenKey) ?? '';
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

export async function ask<Name extends keyof Answers>(
  name: Name,
  given: Given = {},
  signal: AbortSignal | null = null,
): Promise<Answers[Name]> {
  return (await request(toAddress(`/api/${name}`, given), { signal })).json();
}

export async function askBlob(name: 'image' | 'export', given: Given): Promise<Blob> {
  return (await request(toAddress(`/api/${name}`, given), {})).blob();
}

export async function change(name: 'restore' | 'forget' | 'label', body: object): Promise<Done> {
  const headers = { 'Content-Type': 'application/json' };
  return (await request(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}

interface Asked<Name extends keyof Answers> {
  /** The address that was asked: what is shown may be the answer to an earlier question. */
  readonly of?: string;
  readonly answer?: Answers[Name];
  readonly error?: AskError;
}

/** Asks when the question differs, and again when the index has changed, unless the answer lasts. */
export function useAnswer<Name extends keyof Answers>(name: Name, given: Given | null, lasts = false) {
  const [asked, setAsked] = useState<Asked<Name>>({});
  const address = given === null ? '' : toAddress(name, given);
  const version = lasts ? 0 : changes.value;
  // Before the next frame, which would be 16 ms later.
  useLayoutEffect(() => {
    if (given === null) return;
    const abort = new AbortController();
    // What is asked again was refreshed already.
    const refresh = lasts || asked.of === address ? null : 1;
    ask(name, { ...given, refresh }, abort.signal).then(
      (answer) => setAsked({ of: address, answer }),
      (error) => {
        if (error instanceof AskError) setAsked({ of: address, error });
      },
    );
    return () => abort.abort();
  }, [address, version]);
  return { ...asked, isWaiting: asked.of !== address };
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
  // It may have been this machine that slept.
  if (problem.value === 'ended') problem.value = null;
  connect();
  if (!document.hidden) changes.value++;
});

async function listen(signal: AbortSignal): Promise<void> {
  const response = await request(toAddress('/api/events', { follow: followed }), { signal });
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
  if (!signal.aborted) problem.value = 'ended';
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
