// A session: its facts and what can be done with it, an outline of its prompts, a box to find in it, and the conversation. A running
// session grows while one looks.

import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatCount, formatNumbered } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { Conversation, current, goToMatch, showAim, showMessage, shown } from './conversation.tsx';
import { askForget, askLabel, askRestore, labelNames, setStar } from './dialogs.tsx';
import { Facts, Trouble } from './sessions.tsx';
import {
  askBlob,
  attempt,
  copyCommand,
  follow,
  navigate,
  place,
  say,
  toAddress,
  toSessionAddress,
  useAnswer,
} from './state.ts';

interface PageProps {
  readonly page: Answers['session'];
}

/** Another session is another one of these. */
export function SessionView({ id }: { readonly id: string }) {
  const { given, hash } = place.value;
  const words = given.get('find') ?? given.get('q') ?? '';
  const { answer: page, error, isWaiting } = useAnswer('session', { id, match: words });
  shown.page = page ?? null;
  useLayoutEffect(() => {
    current.value = 1;
    follow(id);
    return () => follow('');
  }, []);
  useEffect(() => {
    if (page !== undefined) document.title = `${page.title} – recall`;
  }, [page?.title]);
  const first = isWaiting ? undefined : page?.matches?.positions[0];
  useLayoutEffect(() => {
    if (page === undefined) return;
    if (/^\d+$/.test(hash)) showAim(Number(hash));
    else if (first !== undefined) showMessage(first);
  }, [page === undefined, place.value, first]);
  if (error !== undefined) return <Trouble error={error} />;
  if (page === undefined) return null;
  return (
    <div class="session">
      <Outline page={page} />
      <article>
        <Head page={page} />
        <Find page={page} words={words} />
        <Conversation page={page} words={words} />
      </article>
    </div>
  );
}

function Head({ page }: PageProps) {
  const { id, session, facts, title, pullRequest, owner, copies, subagents } = page;
  const { labels, restorable, resume } = session;
  const counts = [
    formatNumbered(page.toolCallCount, 'tool call'),
    ...(subagents.length > 0 ? [formatNumbered(subagents.length, 'subagent')] : []),
    ...(copies.length > 0 ? [formatNumbered(copies.length, 'copy', 'copies')] : []),
  ];
  return (
    <header class="head">
      <h1>{title}</h1>
      <Facts session={session}>
        {owner !== null && (
          <span>
            belongs to <a href={toSessionAddress(owner)}>{owner.title}</a>
          </span>
        )}
        {pullRequest.label !== '' && (
          <a href={pullRequest.url ?? undefined}>pull request {pullRequest.label}</a>
        )}
      </Facts>
      {labels.notes.map(({ position, text }) => (
        <p class="own-note">
          {position === null ? '' : `On message ${position}: `}
          {text}
        </p>
      ))}
      {resume !== null && (
        <div class="resume">
          <code>{resume.command}</code>
          <button type="button" onClick={() => copyCommand(resume.command)}>
            Copy
          </button>
        </div>
      )}
      {resume !== null && page.warning !== null && <p class="warning">Take care: {page.warning}.</p>}
      {page.isDeleted && (
        <p class="warning">
          Its transcript was deleted; this is what the index has of it.{' '}
          {restorable !== null && (
            <button type="button" onClick={() => askRestore(id, title, restorable)}>
              Restore…
            </button>
          )}
        </p>
      )}
      <p class="buttons">
        <button
          type="button"
          aria-pressed={labels.starred}
          onClick={() => attempt(setStar(id, !labels.starred))}
        >
          {labels.starred ? '★ Starred' : '☆ Star'}
        </button>
        {(['name', 'tags', 'note'] as const).map((what) => (
          <button type="button" onClick={() => askLabel(id, labels, what)}>
            {labelNames[what]}…
          </button>
        ))}
      </p>
      <details class="more">
        <summary>More: {counts.join(', ')}, export, forget</summary>
        <dl>
          {facts.map(([label, value]) => (
            <>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
        <RelatedList title="Copies" sessions={copies} />
        <RelatedList title="Subagents" sessions={subagents} />
        <p class="buttons">
          {exportFormats.map(([format, name, ending]) => (
            <button type="button" onClick={() => attempt(exportAs(id, format, ending))}>
              {name}
            </button>
          ))}
          <button type="button" class="danger" onClick={() => attempt(askForget(id))}>
            Forget…
          </button>
        </p>
      </details>
    </header>
  );
}

interface RelatedProps {
  readonly title: string;
  readonly sessions: Answers['session']['copies'];
}

function RelatedList({ title, sessions }: RelatedProps) {
  if (sessions.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="plain">
        {sessions.map((each) => (
          <li>
            <a href={toSessionAddress(each)}>{each.title}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

const exportFormats = [
  ['html', 'Export as HTML', 'html'],
  ['markdown', 'Markdown', 'md'],
  ['json', 'JSON', 'json'],
] as const;

async function exportAs(id: string, format: string, ending: string): Promise<void> {
  const address = URL.createObjectURL(await askBlob('export', { id, format }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${id.replace(/[^\w.-]/g, '_').slice(0, 80)}.${ending}`;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
  say(`exported ${link.download}`);
}

export function exportShown(): void {
  if (shown.page !== null) attempt(exportAs(shown.page.id, 'html', 'html'));
}

export function copyShown(): void {
  void copyCommand(shown.page?.session.resume?.command ?? '');
}

/** Words to find in all of the session, and the way from one match to the next. */
function Find({ page, words }: PageProps & { readonly words: string }) {
  const { path, given } = place.value;
  const { positions = [], isPartial = false } = page.matches ?? {};
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
          navigate(toAddress(path, given, { find: event.currentTarget.value, q: null }), true)
        }
      />
      {words.trim() !== '' && (
        <>
          <output>
            {positions.length === 0
              ? 'no match'
              : `${Math.max(1, at + 1)} of ${formatCount(positions.length)}${isPartial ? ', some of the words' : ''}`}
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

function Outline({ page: { prompts } }: PageProps) {
  const list = useRef<HTMLOListElement>(null);
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
              <a href={`#${position}`} aria-current={i === at}>
                <span class="number">{position}</span> {text}
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
