// Sessions as every list of the page shows them, and what lists have in common: one row is chosen, by pointer or by key.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatAgo, formatMoment, formatNumbered } from '../../render/quantities.ts';
import { formatMachine, shortenPath } from '../../render/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Answers } from '../routes.ts';
import {
  type AskError,
  copyCommand,
  findHomeDir,
  navigate,
  now,
  toAddress,
  toSessionAddress,
} from './state.ts';

export type Session = Answers['session']['session'];
type Passage = Answers['search']['hits'][number]['passages'][number];

/** The place of the chosen row in the list that is shown. */
export const chosen = signal(0);

export function shortenProject(path: string | null): string {
  return toPrintableLine(shortenPath(path ?? '', findHomeDir()));
}

export function Ago({ at }: { readonly at: string | null }) {
  return (
    <time dateTime={at ?? ''} title={formatMoment(at)}>
      {formatAgo(at, now.value)}
    </time>
  );
}

interface FactsProps {
  readonly session: Session;
  readonly children?: ComponentChildren;
}

/** What a session is, in a line. */
export function Facts({ session, children }: FactsProps) {
  const isDeleted = !session.resumable && session.restorable !== null;
  return (
    <p class="facts">
      <span class={`agent agent-${session.agent}`}>{session.agent}</span>
      {session.project !== null && (
        <a class="quiet" href={toAddress('/search', { project: session.project })}>
          {shortenProject(session.project)}
        </a>
      )}
      {session.branch !== null && session.branch !== 'HEAD' && (
        <span class="branch">{toPrintableLine(session.branch)}</span>
      )}
      <Ago at={session.modifiedAt} />
      <span>{formatNumbered(session.messageCount, 'message')}</span>
      {session.labels.tags.map((tag) => (
        <a class="badge" href={toAddress('/search', { tag })}>
          #{toPrintableLine(tag)}
        </a>
      ))}
      {session.running && <span class="badge running">running</span>}
      {isDeleted && (
        <span class="badge deleted">
          {session.restorable === 'archive' ? 'deleted, copy kept' : 'deleted'}
        </span>
      )}
      {session.kind !== 'main' && <span class="badge">{session.kind}</span>}
      {session.machine !== null && <span class="badge">{formatMachine(session)}</span>}
      {session.copies > 0 && <span class="badge">+{formatNumbered(session.copies, 'copy', 'copies')}</span>}
      {children}
    </p>
  );
}

export interface ListedRow {
  readonly session: Session;
  readonly position?: number | null;
  readonly passages?: readonly Passage[];
  readonly extra?: ComponentChildren;
}

interface RowsProps {
  readonly rows: readonly ListedRow[];
  /** Marked in what is opened. */
  readonly words?: string;
  /** How many rows other lists above this one have. */
  readonly before?: number;
}

export function SessionRows({ rows, words = '', before = 0 }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const at = chosen.value - before;
  useEffect(() => {
    if (chosen.value > 0) list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <ol class="sessions" ref={list}>
      {rows.map(({ session, passages = [], position = null, extra }, i) => (
        <li
          key={session.id}
          class={i === at ? 'chosen' : ''}
          data-id={session.id}
          data-address={toSessionAddress(session, position, words)}
          data-command={session.resume?.command ?? ''}
          onPointerDown={() => {
            chosen.value = before + i;
          }}
        >
          <h3>
            <a href={toSessionAddress(session, position, words)}>
              {session.labels.starred ? '★ ' : ''}
              {toPrintableLine(session.title ?? '') || '(untitled)'}
            </a>
          </h3>
          <Facts session={session} />
          {passages.length > 0 && (
            <ul class="passages">
              {passages.map((passage) => (
                <li class={passage.tool === null ? '' : 'tool'}>
                  <a
                    href={toSessionAddress(
                      { ...session, id: passage.subagentId ?? session.id },
                      passage.position,
                      words,
                    )}
                  >
                    <span class={`who ${passage.isError ? 'error' : ''}`}>
                      {passage.tool ?? (passage.who === 'user' ? 'you' : passage.who)}
                    </span>
                    <span class="text">
                      {passage.text.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          )}
          {extra}
        </li>
      ))}
    </ol>
  );
}

/** Acts on the chosen row, for keys. */
export function openChosen(): void {
  const address = findChosen()?.dataset.address;
  if (address !== undefined) navigate(address);
}

export function copyChosen(): void {
  void copyCommand(findChosen()?.dataset.command ?? '');
}

export function choose(step: number | 'first' | 'last'): void {
  const count = document.querySelectorAll('.sessions > li').length;
  const next = step === 'first' ? 0 : step === 'last' ? count - 1 : chosen.value + step;
  chosen.value = Math.max(0, Math.min(count - 1, next));
  document.querySelectorAll<HTMLElement>('.sessions > li h3 a')[chosen.value]?.focus();
}

function findChosen(): HTMLElement | undefined {
  return document.querySelectorAll<HTMLElement>('.sessions > li')[chosen.value];
}

/** Messages of the commands start with a small letter, and end without a full stop. */
export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export function Trouble({ error }: { readonly error: AskError }) {
  return (
    <div class="nothing" role="alert">
      <p>{toSentence(error.message)}</p>
      {error.hint !== '' && <p class="hint">Try: {error.hint}</p>}
    </div>
  );
}
