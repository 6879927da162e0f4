// A session: its facts, an outline of its prompts, and the conversation. Only stretches of the conversation that are near the view are
// in the document; the others are empty boxes of about their height. A running session grows while one looks.

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatMoment, formatNumbered } from '../../render/quantities.ts';
import type { MessagesPage, Related, SessionPage, ShownPart } from '../answers.ts';
import { Call, MessageImages } from './call.tsx';
import { askForget, askLabel, askRestore, toggleStar } from './dialogs.tsx';
import { Badges, Trouble } from './sessions.tsx';
import {
  ask,
  askBlob,
  changes,
  copy,
  follow,
  navigate,
  place,
  say,
  toAddress,
  toSessionAddress,
  useAnswer,
} from './state.ts';

/** Messages of one stretch, and about how high one is before it was drawn. */
const stretchSize = 40;
const guessedHeight = 130;

/** Tool calls one by one, or in a line. */
export const showsCalls = signal(false);
/** The message that is at the top of the view. */
const current = signal(1);
const loaded = signal<ReadonlySet<number>>(new Set());
/** The stretch that is to be drawn wherever the view is, since something in it is to be shown. */
const wanted = signal(-1);
/** What was drawn last, so that coming back to it is quick. */
const drawn = new Map<string, readonly ShownPart[]>();
let shown: SessionPage | null = null;

export function SessionView({ id }: { readonly id: string }) {
  const { given, hash } = place.value;
  const words = given.get('find') ?? given.get('q') ?? '';
  const { answer, error } = useAnswer<SessionPage>(toAddress('session', { id, match: words }));
  const page = answer?.session.id === id || answer?.session.id.startsWith(id) ? answer : undefined;
  shown = page ?? null;
  useLayoutEffect(() => {
    follow(id);
    loaded.value = new Set();
    // Before anything is drawn, so that what is asked for first is what will be in view.
    current.value = /^\d+$/.test(hash) ? Math.max(1, Number(hash)) : 1;
    wanted.value = toStretch(current.value);
    return () => follow('');
  }, [id]);
  useEffect(() => {
    if (page !== undefined) document.title = `${page.title} – recall`;
  }, [page?.title]);
  const isReady = page !== undefined;
  useEffect(() => {
    if (isReady && /^\d+$/.test(hash)) void goTo(Number(hash));
    else if (isReady && hash === '' && page.matches?.positions[0] !== undefined)
      void goTo(page.matches.positions[0]);
  }, [isReady, hash, words]);
  useFollowing(page);
  if (error !== undefined) return <Trouble error={error} />;
  if (page === undefined) return null;
  const stretches = Math.ceil(page.messageCount / stretchSize);
  return (
    <div class="session">
      <Outline page={page} />
      <article>
        <Head page={page} />
        <Matches page={page} words={words} />
        <div class="conversation">
          {Array.from({ length: Math.max(1, stretches) }, (_, i) => (
            <Stretch
              key={`${page.session.id} ${words} ${i}`}
              page={page}
              index={i}
              words={words}
              isLast={i === stretches - 1}
            />
          ))}
        </div>
        <Remainder page={page} stretches={stretches} />
      </article>
    </div>
  );
}

/** Stays at the end of a conversation that grows, if the view was there. */
function useFollowing(page: SessionPage | undefined): void {
  const wasAtEnd = useRef(false);
  const count = page?.messageCount ?? 0;
  const version = changes.value;
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      wasAtEnd.current = window.scrollY + window.innerHeight >= scrollHeight - 80;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useEffect(() => {
    if (!wasAtEnd.current || count === 0) return;
    const timer = window.setTimeout(() => window.scrollTo(0, document.documentElement.scrollHeight), 250);
    return () => window.clearTimeout(timer);
  }, [count, version]);
}

function Head({ page }: { readonly page: SessionPage }) {
  const { session, facts, title, pullRequest, owner } = page;
  const command = session.resume?.command ?? '';
  const isStarred = session.labels.starred;
  return (
    <header class="head">
      <h1>{title}</h1>
      <p class="facts">
        <span class={`agent agent-${session.agent}`}>{session.agent}</span>
        <Badges session={session} />
        {owner !== null && (
          <span>
            belongs to <a href={toSessionAddress(owner.id)}>{owner.title}</a>
          </span>
        )}
        {pullRequest !== null &&
          (pullRequest.url === null ? (
            <span>{pullRequest.label}</span>
          ) : (
            <a href={pullRequest.url} target="_blank" rel="noopener noreferrer">
              pull request {pullRequest.label}
            </a>
          ))}
      </p>
      <p class="buttons">
        <button type="button" aria-pressed={isStarred} onClick={() => void toggleStar(session.id, isStarred)}>
          {isStarred ? '★ Starred' : '☆ Star'}
        </button>
        {(['name', 'tags', 'note'] as const).map((what) => (
          <button type="button" onClick={() => askLabel(session.id, session.labels, what)}>
            {what === 'name' ? 'Name…' : what === 'tags' ? 'Tags…' : 'Note…'}
          </button>
        ))}
      </p>
      {session.labels.notes.map(({ position, text }) => (
        <p class="note">
          {position === null ? '' : `On message ${position}: `}
          {text}
        </p>
      ))}
      {command !== '' && (
        <div class="resume">
          <code>{command}</code>
          <button type="button" onClick={() => copy(command, 'the command that resumes it')}>
            Copy
          </button>
        </div>
      )}
      {command !== '' && page.warning !== null && <p class="warning">Take care: {page.warning}.</p>}
      {page.isDeleted && (
        <p class="warning">
          Its transcript was deleted; this is what the index has of it.{' '}
          {session.restorable !== null && (
            <button type="button" onClick={() => askRestore(session.id, title, session.restorable)}>
              Restore…
            </button>
          )}
        </p>
      )}
      <details class="more">
        <summary>
          {formatNumbered(page.messageCount, 'message')}, {formatNumbered(page.toolCallCount, 'tool call')},{' '}
          {formatMoment(session.modifiedAt)}
        </summary>
        <dl>
          {facts.map(([label, value]) => (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
        <RelatedList title="Copies" sessions={page.copies} />
        <RelatedList title="Subagents" sessions={page.subagents} />
        <p class="buttons">
          {(['html', 'markdown', 'json'] as const).map((format) => (
            <button type="button" onClick={() => void exportAs(session.id, format)}>
              {format === 'html' ? 'Export as HTML' : format === 'markdown' ? 'Markdown' : 'JSON'}
            </button>
          ))}
          <button type="button" class="danger" onClick={() => void askForget(session.id)}>
            Forget…
          </button>
        </p>
      </details>
    </header>
  );
}

function RelatedList({ title, sessions }: { readonly title: string; readonly sessions: readonly Related[] }) {
  if (sessions.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="plain">
        {sessions.map((each) => (
          <li>
            <a href={toSessionAddress(each.id)}>{each.title}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

const extensions = { html: 'html', markdown: 'md', json: 'json' } as const;

async function exportAs(id: string, format: keyof typeof extensions): Promise<void> {
  try {
    const address = URL.createObjectURL(await askBlob(toAddress('export', { id, format })));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${id.replace(/[^\w.-]/g, '_').slice(0, 80)}.${extensions[format]}`;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
    say(`exported ${link.download}`);
  } catch {
    say('the export failed');
  }
}

export function exportShown(): void {
  if (shown !== null) void exportAs(shown.session.id, 'html');
}

export function copyShown(): void {
  const command = shown?.session.resume?.command ?? '';
  if (command !== '') void copy(command, 'the command that resumes it');
}

/** Words to find in all of the session, and the way from one match to the next. */
function Matches({ page, words }: { readonly page: SessionPage; readonly words: string }) {
  const { given } = place.value;
  const positions = page.matches?.positions ?? [];
  const at = positions.findLastIndex((position) => position <= current.value);
  return (
    <form
      class="find"
      aria-label="Find"
      onSubmit={(event) => {
        event.preventDefault();
        goToMatch(1);
      }}
    >
      <input
        id="find"
        type="search"
        placeholder="Find in this session"
        aria-label="Find in this session"
        value={words}
        onInput={(event) =>
          navigate(toAddress(place.value.path, given, { find: event.currentTarget.value, q: null }), true)
        }
      />
      {words.trim() !== '' && (
        <>
          <output>
            {positions.length === 0
              ? 'no match'
              : `${Math.max(1, at + 1)} of ${formatCount(positions.length)}`}
            {page.matches?.isPartial === true && positions.length > 0 ? ', some of the words' : ''}
          </output>
          <button type="button" aria-label="Previous match" onClick={() => goToMatch(-1)}>
            ↑
          </button>
          <button type="button" aria-label="Next match" onClick={() => goToMatch(1)}>
            ↓
          </button>
        </>
      )}
    </form>
  );
}

export function goToMatch(step: 1 | -1): void {
  const positions = shown?.matches?.positions ?? [];
  const next =
    step === 1
      ? (positions.find((position) => position > current.value) ?? positions[0])
      : (positions.findLast((position) => position < current.value) ?? positions.at(-1));
  if (next !== undefined) showMessage(next);
}

export function showMessage(position: number): void {
  // Before the address has changed: the next key may come sooner.
  current.value = position;
  const { path, given } = place.value;
  const address = `${toAddress(path, given)}#${position}`;
  if (place.value.hash === String(position)) void goTo(position);
  else navigate(address, true);
}

export function goToEnd(end: 'first' | 'last'): void {
  if (shown !== null) showMessage(end === 'first' ? 1 : shown.messageCount);
  if (end === 'first') window.scrollTo(0, 0);
}

export function goToMessage(step: 1 | -1): void {
  if (shown !== null) showMessage(Math.max(1, Math.min(shown.messageCount, current.value + step)));
}

function toStretch(position: number): number {
  return Math.floor((position - 1) / stretchSize);
}

/** Counts, so that a later jump ends an earlier one. */
let jumps = 0;
/** Until then the view moves by itself. */
let movesUntilMs = 0;

async function goTo(position: number): Promise<void> {
  jumps++;
  const own = jumps;
  wanted.value = toStretch(position);
  current.value = position;
  const startedMs = performance.now();
  let element: HTMLElement | null = null;
  while (element === null && performance.now() - startedMs < 10_000 && own === jumps) {
    element = document.getElementById(`m${position}`);
    if (element === null) await new Promise((resolve) => window.requestAnimationFrame(resolve));
  }
  for (const each of document.querySelectorAll('.aim')) each.classList.remove('aim');
  element?.classList.add('aim');
  // What is above may still get its real height: the place is found again until it stays.
  for (let i = 0; i < 6 && element !== null && own === jumps; i++) {
    movesUntilMs = performance.now() + 200;
    if (position === 1) window.scrollTo(0, 0);
    else element.scrollIntoView({ block: 'start', behavior: 'instant' });
    await new Promise((resolve) => window.setTimeout(resolve, 60));
  }
}

function Outline({ page }: { readonly page: SessionPage }) {
  const list = useRef<HTMLOListElement>(null);
  const prompts = page.prompts;
  const at = prompts.findLastIndex(({ position }) => position <= current.value);
  useEffect(() => {
    const item = list.current?.children[Math.max(0, at)] as HTMLElement | undefined;
    const box = list.current?.parentElement;
    if (item === undefined || box == null || box.scrollHeight <= box.clientHeight) return;
    box.scrollTop = item.offsetTop - box.clientHeight / 3;
  }, [at]);
  if (prompts.length < 2) return <div class="outline" />;
  return (
    <nav class="outline" aria-label="Prompts">
      <details open={window.innerWidth > 1000}>
        <summary>{formatNumbered(prompts.length, 'prompt')}</summary>
        <ol ref={list}>
          {prompts.map(({ position, text }, i) => (
            <li>
              <a
                href={`#${position}`}
                aria-current={i === at}
                onClick={(event) => {
                  event.preventDefault();
                  showMessage(position);
                }}
              >
                <span class="number">{position}</span> {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

interface StretchProps {
  readonly page: SessionPage;
  readonly index: number;
  readonly words: string;
  readonly isLast: boolean;
}

const maxDrawn = 30;

function Stretch({ page, index, words, isLast }: StretchProps) {
  const box = useRef<HTMLElement>(null);
  const height = useRef(Math.min(stretchSize, page.messageCount - index * stretchSize) * guessedHeight);
  const [isNear, setNear] = useState(false);
  const key = JSON.stringify([page.session.id, words, index]);
  const [parts, setParts] = useState<readonly ShownPart[] | null>(drawn.get(key) ?? null);
  const isDrawn = isNear || wanted.value === index;
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '1200px 0px',
    });
    if (box.current !== null) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  // The last stretch may have grown.
  const version = isLast ? `${changes.value} ${page.messageCount}` : '';
  // Not after the first painting: an outline of thousands of prompts takes its time.
  useLayoutEffect(() => {
    if (!isDrawn || (parts !== null && !isLast)) return;
    const abort = new AbortController();
    const from = index * stretchSize + 1;
    const given = { id: page.session.id, from: String(from), count: String(stretchSize), match: words };
    if (page.messageCount > 0)
      ask<MessagesPage>(toAddress('messages', given), abort.signal).then(
        (answer) => {
          drawn.delete(key);
          drawn.set(key, answer.parts);
          for (const old of [...drawn.keys()].slice(0, -maxDrawn)) drawn.delete(old);
          setParts(answer.parts);
        },
        () => {},
      );
    return () => abort.abort();
  }, [isDrawn, version]);
  useLayoutEffect(() => {
    if (isDrawn && parts !== null && box.current !== null) height.current = box.current.offsetHeight;
    const has = loaded.value.has(index);
    const isShown = isDrawn && parts !== null;
    if (has === isShown) return;
    const next = new Set(loaded.value);
    if (isShown) next.add(index);
    else next.delete(index);
    loaded.value = next;
  });
  const isShown = isDrawn && parts !== null;
  return (
    <section
      class="stretch"
      ref={box}
      aria-label={`Messages from ${index * stretchSize + 1}`}
      style={isShown ? { minHeight: '' } : { minHeight: `${height.current}px` }}
    >
      {isShown && <Parts parts={parts} page={page} />}
    </section>
  );
}

/** What follows a turn's heading belongs to it. */
function Parts({ parts, page }: { readonly parts: readonly ShownPart[]; readonly page: SessionPage }) {
  const turns: { speaker: string; parts: ShownPart[] }[] = [];
  for (const part of parts) {
    if (part.type === 'turn' || part.type === 'recap' || turns.length === 0)
      turns.push({ speaker: part.type === 'turn' ? part.speaker : part.type, parts: [] });
    turns.at(-1)?.parts.push(part);
  }
  return (
    <>
      {turns.map((turn) => (
        <section class={`turn ${turn.speaker}`}>
          {turn.parts.map((part) => (
            <PartView part={part} page={page} />
          ))}
        </section>
      ))}
    </>
  );
}

/** The HTML is made by the renderer of the export, which lets no markup of a transcript through. */
function PartView({ part, page }: { readonly part: ShownPart; readonly page: SessionPage }) {
  switch (part.type) {
    case 'turn':
      return (
        <h2>
          <span class="who">{part.name}</span>
          {part.position !== null && (
            <a href={`#${part.position}`} title="a link to this message">
              <time dateTime={part.timestamp ?? ''}>{formatMoment(part.timestamp)}</time>
              <span class="number">#{part.position}</span>
            </a>
          )}
        </h2>
      );
    case 'message':
      return (
        <div class="said" id={`m${part.position}`} data-position={part.position}>
          {part.note !== '' && <p class="note">{part.note}</p>}
          <div dangerouslySetInnerHTML={{ __html: part.html }} />
          {part.hasImages && <MessageImages sessionId={page.session.id} line={part.line} />}
        </div>
      );
    case 'recap':
      return (
        <details class="recap" id={`m${part.position}`} data-position={part.position}>
          <summary>
            compacted here <small>{part.note}</small>
          </summary>
          <div dangerouslySetInnerHTML={{ __html: part.html }} />
        </details>
      );
    case 'subagent':
      return (
        <p class="agent-name">
          <a href={toSessionAddress(part.id)}>
            <b>{part.name}</b> {part.title} <small>{formatNumbered(part.messageCount, 'message')}</small>
          </a>
        </p>
      );
    case 'calls':
      return <Calls part={part} page={page} />;
  }
}

function Calls({
  part,
  page,
}: {
  readonly part: Extract<ShownPart, { type: 'calls' }>;
  readonly page: SessionPage;
}) {
  const lines = page.matches?.callLines ?? [];
  const isMatch = part.calls.some(({ line }) => lines.includes(line));
  const [isOpen, setOpen] = useState(isMatch || showsCalls.value);
  const isAll = showsCalls.value;
  useEffect(() => setOpen(isMatch || isAll), [isMatch, isAll]);
  return (
    <details class="calls" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{part.summary}</span>
        {part.errors > 0 && <b class="error">{formatNumbered(part.errors, 'error')}</b>}
      </summary>
      {isOpen && (
        <ul>
          {part.calls.map((call) => (
            <Call
              key={`${call.line} ${call.nth}`}
              sessionId={page.session.id}
              call={call}
              isOpen={lines.includes(call.line) || part.calls.length === 1}
            />
          ))}
        </ul>
      )}
    </details>
  );
}

/** The browser's own find sees only what is in the document. */
function Remainder({ page, stretches }: { readonly page: SessionPage; readonly stretches: number }) {
  useEffect(() => {
    let isDue = false;
    const look = () => {
      isDue = false;
      if (performance.now() < movesUntilMs) return;
      const seen = document.elementsFromPoint(window.innerWidth / 2, 120);
      const message = seen.map((each) => each.closest('[data-position]')).find((each) => each !== null);
      const position = Number(message?.getAttribute('data-position') ?? 0);
      if (position > 0) current.value = position;
    };
    const schedule = () => {
      if (!isDue) window.requestAnimationFrame(look);
      isDue = true;
    };
    window.addEventListener('scroll', schedule, { passive: true });
    return () => window.removeEventListener('scroll', schedule);
  }, []);
  if (loaded.value.size >= stretches) return <p class="hint end">End of the conversation</p>;
  return <p class="remainder">{describeLoaded(page)}</p>;
}

function describeLoaded({ messageCount }: SessionPage): string {
  const count = Math.min(messageCount, loaded.value.size * stretchSize);
  return `${formatCount(count)} of ${formatCount(messageCount)} messages are loaded: the browser’s find sees only these; / finds in all.`;
}

/** When somebody uses the browser's find. */
export function warnOfFind(): void {
  if (shown !== null && loaded.value.size * stretchSize < shown.messageCount) say(describeLoaded(shown));
}
