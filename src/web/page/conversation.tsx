// The conversation of a session. Only stretches of it that are near the view are in the document; the others are empty boxes of
// about their height. A link to a message keeps it in view until somebody scrolls, since what is above may still get its real height.

import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatMoment, formatNumbered } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { Call, MessageImages } from './call.tsx';
import { ask, changes, navigate, place, say, toAddress, toSessionAddress } from './state.ts';

type Part = Answers['messages']['parts'][number];

/** Messages of one stretch, and about how high one is before it was drawn. */
const stretchSize = 40;
const guessedHeight = 130;

/** Tool calls one by one, or in a line. */
export const showsCalls = signal(false);
/** The message that is at the top of the view. */
export const current = signal(1);
/** The message that is kept in view. */
const aim = signal<number | null>(null);
/** So that the end of a conversation that grows stays in view. */
let isAtEnd = false;
/** What is shown: the keys act on it. */
export const shown: { page: Answers['session'] | null } = { page: null };

/** The address says which message is meant; SessionView calls `showAim` for it. */
export function showMessage(position: number): void {
  // Before the address has changed: the next key may come sooner.
  current.value = position;
  const { path, given } = place.value;
  navigate(`${toAddress(path, given)}#${position}`, true);
}

export function showAim(position: number): void {
  aim.value = position;
  current.value = position;
  keepInView();
}

function keepInView(): void {
  if (aim.value === 1) window.scrollTo(0, 0);
  else document.getElementById(`m${aim.value}`)?.scrollIntoView({ block: 'start', behavior: 'instant' });
}

export function goToMatch(step: 1 | -1): void {
  const positions = shown.page?.matches?.positions ?? [];
  const next =
    step === 1
      ? (positions.find((position) => position > current.value) ?? positions[0])
      : (positions.findLast((position) => position < current.value) ?? positions.at(-1));
  if (next !== undefined) showMessage(next);
}

export function goToMessage(step: 1 | -1): void {
  const last = shown.page?.messageCount ?? 1;
  showMessage(Math.max(1, Math.min(last, current.value + step)));
}

export function goToEnd(end: 'first' | 'last'): void {
  showMessage(end === 'first' ? 1 : (shown.page?.messageCount ?? 1));
}

/** When somebody uses the browser's own find, which sees only what is in the document. */
export function warnOfFind(): void {
  const count = shown.page?.messageCount ?? 0;
  const loaded = document.querySelectorAll('[data-position]').length;
  if (loaded < count)
    say(
      `The browser finds in the ${formatCount(loaded)} messages that are loaded, of ${formatCount(count)}; / finds in all.`,
    );
}

interface ConversationProps {
  readonly page: Answers['session'];
  readonly words: string;
}

export function Conversation({ page, words }: ConversationProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current === null ? undefined : watch(box.current)), []);
  const stretches = Math.max(1, Math.ceil(page.messageCount / stretchSize));
  return (
    <div class="conversation" ref={box}>
      {Array.from({ length: stretches }, (_, i) => (
        <Stretch key={i} index={i} page={page} words={words} isLast={i === stretches - 1} />
      ))}
    </div>
  );
}

function watch(box: Element) {
  const sizes = new ResizeObserver(() => aim.value !== null && keepInView());
  sizes.observe(box);
  const letGo = () => {
    aim.value = null;
  };
  // Before keys act, which may aim at another message.
  const hands = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
  for (const name of hands) window.addEventListener(name, letGo, { capture: true, passive: true });
  document.addEventListener('scroll', look, { passive: true });
  return () => {
    sizes.disconnect();
    for (const name of hands) window.removeEventListener(name, letGo, { capture: true });
    document.removeEventListener('scroll', look);
  };
}

function look(): void {
  isAtEnd = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 80;
  if (aim.value !== null) return;
  const seen = document.elementsFromPoint(window.innerWidth / 2, 120);
  const message = seen.map((each) => each.closest('[data-position]')).find((each) => each !== null);
  const position = Number(message?.getAttribute('data-position') ?? 0);
  if (position > 0) current.value = position;
}

interface StretchProps extends ConversationProps {
  readonly index: number;
  readonly isLast: boolean;
}

function Stretch({ page, index, words, isLast }: StretchProps) {
  const box = useRef<HTMLElement>(null);
  const height = useRef(Math.min(stretchSize, page.messageCount - index * stretchSize) * guessedHeight);
  const [isNear, setNear] = useState(false);
  const [drawn, setDrawn] = useState<{ readonly parts: readonly Part[]; readonly of: string } | null>(null);
  const isWanted = isNear || (aim.value !== null && Math.floor((aim.value - 1) / stretchSize) === index);
  const isShown = isWanted && drawn !== null;
  // The last one may have grown; and once more when another follows it.
  const of = `${words} ${isLast ? `${changes.value} ${page.messageCount}` : ''}`;
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '1200px 0px',
    });
    if (box.current !== null) seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  // Not after the first painting: an outline of thousands of prompts takes its time.
  useLayoutEffect(() => {
    if (!isWanted || page.messageCount === 0 || drawn?.of === of) return;
    const abort = new AbortController();
    const range = { from: index * stretchSize + 1, count: stretchSize };
    ask('messages', { id: page.id, ...range, match: words }, abort.signal).then(
      ({ parts }) => setDrawn({ parts, of }),
      () => {},
    );
    return () => abort.abort();
  }, [isWanted, of]);
  useLayoutEffect(() => {
    if (!isShown || box.current === null) return;
    height.current = box.current.offsetHeight;
    if (aim.value !== null) keepInView();
    else if (isLast && isAtEnd) window.scrollTo(0, document.documentElement.scrollHeight);
    look();
  }, [isShown, drawn]);
  return (
    <section
      class="stretch"
      ref={box}
      aria-label={`Messages from ${index * stretchSize + 1}`}
      style={{ minHeight: isShown ? '' : `${height.current}px` }}
    >
      {isShown && <Turns parts={drawn.parts} page={page} />}
    </section>
  );
}

interface PartProps {
  readonly page: Answers['session'];
  readonly part: Part;
}

/** What follows a turn's heading belongs to it. */
function Turns({ parts, page }: Pick<PartProps, 'page'> & { readonly parts: readonly Part[] }) {
  const turns: { speaker: string; parts: Part[] }[] = [];
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

function PartView({ part, page }: PartProps) {
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
    case 'recap': {
      const isAim = place.value.hash === String(part.position) ? ' aim' : '';
      const marks = { id: `m${part.position}`, 'data-position': part.position };
      const text = <div dangerouslySetInnerHTML={{ __html: part.html }} />;
      return part.type === 'recap' ? (
        <details {...marks} class={`recap${isAim}`}>
          <summary>
            compacted here <small>{part.note}</small>
          </summary>
          {text}
        </details>
      ) : (
        <div {...marks} class={`said${isAim}`}>
          {part.note !== '' && <p class="note">{part.note}</p>}
          {text}
          {part.hasImages && <MessageImages sessionId={page.id} line={part.line} />}
        </div>
      );
    }
    case 'subagent':
      return (
        <p class="agent-name">
          <a href={toSessionAddress({ ...page.session, id: part.id })}>
            <b>{part.name}</b> {part.title} <small>{formatNumbered(part.messageCount, 'message')}</small>
          </a>
        </p>
      );
    case 'calls':
      return <Calls part={part} page={page} />;
  }
}

function Calls({ part, page }: PartProps & { readonly part: Extract<Part, { type: 'calls' }> }) {
  const lines = page.matches?.callLines ?? [];
  const isMeant = showsCalls.value || part.calls.some(({ line }) => lines.includes(line));
  const [isOpen, setOpen] = useState(isMeant);
  useEffect(() => setOpen(isMeant), [isMeant]);
  const errors = part.calls.filter(({ isError }) => isError).length;
  return (
    <details class="calls" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{part.summary}</span>
        {errors > 0 && <b class="error">{formatNumbered(errors, 'error')}</b>}
      </summary>
      {isOpen && (
        <ul>
          {part.calls.map((call) => (
            <Call
              key={`${call.line} ${call.nth}`}
              sessionId={page.id}
              call={call}
              isOpen={lines.includes(call.line) || part.calls.length === 1}
            />
          ))}
        </ul>
      )}
    </details>
  );
}
