// The search: results while typing, with the passages that matched, and at the side what the results are of, as filters. Without
// words or filters it is the home: recent sessions by day, what is running, and what the agents will delete.

import { useRef, useState } from 'preact/hooks';
import { formatCount, formatDayHeading, formatNumbered } from '../../render/quantities.ts';
import type { Counted, ExpiringPage, HomePage, SearchPage } from '../answers.ts';
import { type ListedRow, SessionRows, shortenProject, Trouble } from './sessions.tsx';
import { home, navigate, place, toAddress, toSessionAddress, useAnswer } from './state.ts';

const filterNames = ['project', 'agent', 'branch', 'since', 'until', 'in', 'role', 'model', 'file', 'kind'];

export function Search() {
  const { given } = place.value;
  const words = given.get('q') ?? '';
  const [limit, setLimit] = useState(30);
  const asked = new URLSearchParams(given);
  asked.set('limit', String(limit));
  asked.set('facets', '1');
  if (given.get('q') !== null) asked.set('typing', '1');
  const { answer, error, isWaiting } = useAnswer<SearchPage>(`search?${asked}&refresh=1`);
  const active = filterNames.filter((name) => given.get(name) !== null);
  return (
    <div class="search">
      <Facets page={answer} />
      <section class="results" aria-busy={isWaiting} aria-label="Results">
        {active.length > 0 && (
          <p class="chips">
            {active.map((name) => (
              <a
                class="chip"
                href={toAddress('/search', given, { [name]: null })}
                title="leave this filter out"
              >
                {name}: {name === 'project' ? shortenProject(given.get(name)) : given.get(name)}
                <span aria-hidden="true"> ×</span>
              </a>
            ))}
          </p>
        )}
        {error !== undefined && <Trouble error={error} />}
        {answer !== undefined && <Results page={answer} words={words} />}
        {answer !== undefined && answer.hits.length >= limit && answer.total > limit && limit < 300 && (
          <button type="button" class="more" onClick={() => setLimit(Math.min(300, limit * 3))}>
            Show more
          </button>
        )}
      </section>
    </div>
  );
}

function Results({ page, words }: { readonly page: SearchPage; readonly words: string }) {
  const { given } = place.value;
  const isRecent = given.get('sort') === 'recent';
  const rows = page.hits.map((hit): ListedRow => {
    const best = hit.passages.find(({ position, subagentId }) => position !== null && subagentId === null);
    const passages = words.trim() === '' ? [] : hit.passages.slice(0, 3);
    const more = words.trim() === '' ? 0 : hit.matchCount - passages.length;
    const extra = more > 0 && <p class="others">and {formatNumbered(more, 'more match', 'more matches')}</p>;
    return { session: hit, passages, position: best?.position ?? null, extra };
  });
  if (page.nothing !== null)
    return (
      <div class="nothing" role="status">
        <p>{capitalize(page.nothing.message)}.</p>
        <p class="hint">Try: {page.nothing.hint}</p>
        {page.notes.map((note) => (
          <p class="hint">{note}</p>
        ))}
      </div>
    );
  return (
    <>
      <div class="summary">
        <p role="status">
          <b>
            {page.totalIsExact ? '' : 'more than '}
            {formatNumbered(page.total, 'session')}
          </b>
          {page.tier === 'fuzzy' || page.didYouMean !== undefined ? <DidYouMean page={page} /> : null}
          {page.tier === 'any' && <span> with some of the words</span>}
          {page.tier === 'prefix' && <span> with words that start so</span>}
        </p>
        {words.trim() !== '' && (
          <nav class="order" aria-label="Order">
            <a aria-current={!isRecent} href={toAddress('/search', given, { sort: null })}>
              best
            </a>
            <a aria-current={isRecent} href={toAddress('/search', given, { sort: 'recent' })}>
              newest
            </a>
          </nav>
        )}
      </div>
      {page.notes.map((note) => (
        <p class="note">{note}</p>
      ))}
      <SessionRows rows={rows} words={words} />
    </>
  );
}

function DidYouMean({ page }: { readonly page: SearchPage }) {
  const meant = Object.entries(page.didYouMean ?? {});
  if (meant.length === 0) return <span> with similar words</span>;
  return (
    <span>
      {' '}
      {meant.map(([typed, word]) => (
        <>
          for <b>{word}</b> instead of “{typed}”{' '}
        </>
      ))}
    </span>
  );
}

function capitalize(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}

function Facets({ page }: { readonly page: SearchPage | undefined }) {
  const { given } = place.value;
  const facets = page?.facets ?? null;
  const part = given.get('in');
  return (
    <aside class="facets" aria-label="Filters">
      <details open={window.innerWidth > 800}>
        <summary>Filters</summary>
        <fieldset class="parts">
          <legend>Look in</legend>
          {[null, 'said', 'done'].map((each) => (
            <a aria-current={part === each} href={toAddress('/search', given, { in: each })}>
              {each === null ? 'all' : each === 'said' ? 'what was said' : 'what was done'}
            </a>
          ))}
        </fieldset>
        {facets !== null && facets.days.length > 0 && <TimeFacet days={facets.days} />}
        {facets !== null && (
          <>
            <Facet name="agent" title="Agent" counts={facets.agents} />
            <Facet name="project" title="Project" counts={facets.projects} show={shortenProject} />
            <Facet name="branch" title="Branch" counts={facets.branches} />
          </>
        )}
      </details>
    </aside>
  );
}

interface FacetProps {
  readonly name: string;
  readonly title: string;
  readonly counts: readonly Counted[];
  readonly show?: (value: string) => string;
}

const shownValues = 7;

function Facet({ name, title, counts, show = (value) => value }: FacetProps) {
  const { given } = place.value;
  const [isWhole, setWhole] = useState(false);
  const current = given.get(name);
  if (counts.length === 0 || (counts.length === 1 && current === null && name !== 'project')) return null;
  const most = counts[0]?.sessions ?? 1;
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <ul class="bars">
        {counts.slice(0, isWhole ? undefined : shownValues).map(({ value, sessions }) => (
          <li>
            <a
              aria-current={current === value}
              href={toAddress('/search', given, { [name]: current === value ? null : value })}
              title={value}
            >
              <i style={{ width: `${(100 * sessions) / most}%` }} />
              <span>{show(value)}</span>
              <b>{formatCount(sessions)}</b>
            </a>
          </li>
        ))}
      </ul>
      {counts.length > shownValues && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'fewer' : `${counts.length - shownValues} more`}
        </button>
      )}
    </nav>
  );
}

const dayMs = 86_400_000;
const maxBins = 40;
const [plotWidth, plotHeight] = [240, 48];

interface Bin {
  readonly from: string;
  readonly to: string;
  readonly sessions: number;
}

function toBins(days: readonly Counted[]): Bin[] {
  const times = days.map(({ value }) => Date.parse(`${value}T00:00:00Z`));
  const first = times[0] ?? 0;
  const span = Math.max(1, ((times.at(-1) ?? first) - first) / dayMs + 1);
  const perBin = Math.ceil(span / maxBins);
  const toDay = (index: number) => new Date(first + index * dayMs).toISOString().slice(0, 10);
  const bins = Array.from({ length: Math.ceil(span / perBin) }, (_, i) => ({
    from: toDay(i * perBin),
    to: toDay((i + 1) * perBin - 1),
    sessions: 0,
  }));
  for (const [i, { sessions }] of days.entries()) {
    const bin = bins[Math.floor(((times[i] ?? 0) - first) / dayMs / perBin)];
    if (bin !== undefined) bin.sessions += sessions;
  }
  return bins;
}

/** A histogram to drag over; the same as two dates for whoever does not drag. */
function TimeFacet({ days }: { readonly days: readonly Counted[] }) {
  const { given } = place.value;
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const plot = useRef<SVGSVGElement>(null);
  const bins = toBins(days);
  const most = Math.max(...bins.map(({ sessions }) => sessions));
  const step = plotWidth / bins.length;
  const findBin = (event: PointerEvent) => {
    const { left = 0, width = 1 } = plot.current?.getBoundingClientRect() ?? {};
    const at = Math.floor(((event.clientX - left) / width) * bins.length);
    return Math.max(0, Math.min(bins.length - 1, at));
  };
  const go = (since: string | null, until: string | null) =>
    navigate(toAddress('/search', given, { since, until }));
  const [low, high] = drag === null ? [-1, -1] : [Math.min(...drag), Math.max(...drag)];
  const isNarrowed = given.get('since') !== null || given.get('until') !== null;
  return (
    <nav aria-label="Time" class="time">
      <h2>
        Time
        {isNarrowed && (
          <button type="button" class="link" onClick={() => go(null, null)}>
            any time
          </button>
        )}
      </h2>
      <svg
        ref={plot}
        class="histogram"
        viewBox={`0 0 ${plotWidth} ${plotHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Sessions from ${bins[0]?.from} to ${bins.at(-1)?.to}; drag to choose a time`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag([findBin(event), findBin(event)]);
        }}
        onPointerMove={(event) => drag !== null && setDrag([drag[0], findBin(event)])}
        onPointerUp={() => {
          setDrag(null);
          if (drag !== null) go(bins[low]?.from ?? null, bins[high]?.to ?? null);
        }}
        onPointerCancel={() => setDrag(null)}
      >
        {bins.map(({ from, to, sessions }, i) => {
          const height = sessions === 0 ? 0 : Math.max(2, (plotHeight * sessions) / most);
          return (
            <g class={i >= low && i <= high ? 'selected' : ''}>
              <rect class="back" x={i * step} y={0} width={step} height={plotHeight} />
              <rect
                class="bar"
                x={i * step + step * 0.1}
                y={plotHeight - height}
                width={step * 0.8}
                height={height}
              >
                <title>{`${from === to ? from : `${from} – ${to}`}: ${sessions}`}</title>
              </rect>
            </g>
          );
        })}
      </svg>
      <p class="extent">
        <input
          type="date"
          aria-label="Since"
          value={toDateValue(given.get('since')) ?? bins[0]?.from}
          onChange={(event) => go(event.currentTarget.value || null, given.get('until'))}
        />
        <input
          type="date"
          aria-label="Until"
          value={toDateValue(given.get('until')) ?? bins.at(-1)?.to}
          onChange={(event) => go(given.get('since'), event.currentTarget.value || null)}
        />
      </p>
    </nav>
  );
}

function toDateValue(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
}

export function Home() {
  const { answer, error } = useAnswer<HomePage>('home?refresh=1');
  const { answer: expiring } = useAnswer<ExpiringPage>('expiring');
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return null;
  const now = new Date(home.value.nowMs);
  const running = answer.sessions.filter((session) => session.running);
  const days: { heading: string; rows: ListedRow[] }[] = [];
  for (const session of answer.sessions) {
    const heading = formatDayHeading(session.modifiedAt, now);
    if (days.at(-1)?.heading !== heading) days.push({ heading, rows: [] });
    days.at(-1)?.rows.push({ session });
  }
  if (answer.total === 0)
    return (
      <div class="nothing">
        <p>No sessions yet.</p>
        <p class="hint">
          recall looks for them where the agents keep them, and shows them here as soon as there are some.
        </p>
      </div>
    );
  return (
    <div class="home">
      <section class="recent" aria-label="Recent sessions">
        {running.length > 0 && (
          <section class="day">
            <h2>Running now</h2>
            <ul class="plain">
              {running.map(({ id, title, project }) => (
                <li>
                  <a href={toSessionAddress(id)}>{title ?? '(untitled)'}</a>{' '}
                  <small>{shortenProject(project)}</small>
                </li>
              ))}
            </ul>
          </section>
        )}
        <DayLists days={days} />
        {answer.total > answer.sessions.length && (
          <p class="more">
            <a href="/search?q=">all {formatNumbered(answer.total, 'session')}</a>
          </p>
        )}
      </section>
      {expiring !== undefined && expiring.sessions.length > 0 && <Expiring page={expiring} />}
    </div>
  );
}

/** One list for the keys, with a heading before the first row of each day. */
function DayLists({ days }: { readonly days: readonly { heading: string; rows: readonly ListedRow[] }[] }) {
  const countBefore = (index: number) => days.slice(0, index).reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <>
      {days.map(({ heading, rows }, i) => (
        <section class="day">
          <h2>{heading}</h2>
          <SessionRows rows={rows} before={countBefore(i)} />
        </section>
      ))}
    </>
  );
}

const shownExpiring = 12;

function Expiring({ page: { sessions, days, isOn } }: { readonly page: ExpiringPage }) {
  const lost = sessions.filter(({ isKept }) => !isKept).length;
  return (
    <aside class="expiring" aria-label="Deleted soon">
      <h2>Deleted within {formatNumbered(days, 'day')}</h2>
      <p class={lost > 0 ? 'warning' : 'hint'}>
        {lost === 0
          ? 'Copies of all of them are kept.'
          : isOn
            ? `${formatNumbered(lost, 'session')} without a copy yet: recall index makes them.`
            : 'No copies are kept. To be able to resume them later: recall archive on'}
      </p>
      <ul class="plain">
        {sessions.slice(0, shownExpiring).map(({ id, title, deletedOn, isKept }) => (
          <li>
            <a href={toSessionAddress(id)}>{title ?? '(untitled)'}</a>{' '}
            <small>
              {deletedOn}
              {isKept ? ', copy kept' : ''}
            </small>
          </li>
        ))}
      </ul>
      {sessions.length > shownExpiring && <p class="hint">and {sessions.length - shownExpiring} more</p>}
    </aside>
  );
}
