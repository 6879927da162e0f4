// The search: results while typing, with the passages that matched, and at the side what the results are of, as filters.

import { useState } from 'preact/hooks';
import { filterNames } from '../../filters.ts';
import { formatCount, formatNumbered } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { Bars, Histogram } from './charts.tsx';
import { type ListedRow, SessionRows, shortenProject, Trouble, toSentence } from './sessions.tsx';
import { place, toAddress, useAnswer } from './state.ts';

type Found = Answers['search'];

const [firstLimit, maxLimit] = [30, 300];

export function Search() {
  const { given } = place.value;
  const [limit, setLimit] = useState(firstLimit);
  const asked = { ...Object.fromEntries(given), limit, facets: 1, typing: given.has('q') ? 1 : null };
  const { answer, error, isWaiting } = useAnswer('search', asked);
  return (
    <div class="search">
      <Facets facets={answer?.facets ?? null} />
      <section class="results" aria-busy={isWaiting} aria-label="Results">
        <p class="chips">
          {filterNames
            .filter((name) => given.has(name))
            .map((name) => (
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
        {error !== undefined && <Trouble error={error} />}
        {answer !== undefined && <Results page={answer} words={given.get('q') ?? ''} />}
        {answer !== undefined && answer.hits.length >= limit && answer.total > limit && limit < maxLimit && (
          <button type="button" class="more" onClick={() => setLimit(Math.min(maxLimit, limit * 3))}>
            Show more
          </button>
        )}
      </section>
    </div>
  );
}

const shownPassages = 3;

function Results({ page, words }: { readonly page: Found; readonly words: string }) {
  const { given } = place.value;
  const isRecent = given.get('sort') === 'recent';
  const hasWords = words.trim() !== '';
  if (page.nothing !== null)
    return (
      <div class="nothing" role="status">
        <p>{toSentence(page.nothing.message)}</p>
        <p class="hint">Try: {page.nothing.hint}</p>
        {page.notes.map((note) => (
          <p class="hint">{toSentence(note)}</p>
        ))}
      </div>
    );
  const rows = page.hits.map((session): ListedRow => {
    const { passages, matchCount } = session;
    const best = passages.find(({ position, subagentId }) => position !== null && subagentId === null);
    const more = matchCount - Math.min(passages.length, shownPassages);
    return {
      session,
      passages: hasWords ? passages.slice(0, shownPassages) : [],
      position: best?.position ?? null,
      extra: hasWords && more > 0 && (
        <p class="others">and {formatNumbered(more, 'more match', 'more matches')}</p>
      ),
    };
  });
  return (
    <>
      <div class="summary">
        <p role="status">
          <b>
            {page.totalIsExact ? '' : 'more than '}
            {formatNumbered(page.total, 'session')}
          </b>{' '}
          {describeTier(page)}
        </p>
        {hasWords && (
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

function describeTier({ tier, didYouMean = {} }: Found): string {
  const meant = Object.entries(didYouMean).map(([typed, word]) => `for “${word}” instead of “${typed}”`);
  if (meant.length > 0) return meant.join(', ');
  if (tier === 'fuzzy') return 'with similar words';
  if (tier === 'any') return 'with some of the words';
  return tier === 'prefix' ? 'with words that start like these' : '';
}

const parts = [
  [null, 'everything'],
  ['said', 'what was said'],
  ['done', 'what was done'],
] as const;

function Facets({ facets }: { readonly facets: Found['facets'] }) {
  const { given } = place.value;
  const part = given.get('in');
  return (
    <aside class="facets" aria-label="Filters">
      <details open={window.innerWidth > 800}>
        <summary>Filters</summary>
        <nav aria-label="Look in">
          <h2>Look in</h2>
          <div class="parts">
            {parts.map(([each, name]) => (
              <a aria-current={part === each} href={toAddress('/search', given, { in: each })}>
                {name}
              </a>
            ))}
          </div>
        </nav>
        {facets !== null && (
          <>
            <Histogram days={facets.days} />
            <Facet name="project" title="Project" counts={facets.projects} show={shortenProject} />
            <Facet name="agent" title="Agent" counts={facets.agents} />
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
  readonly counts: NonNullable<Found['facets']>['agents'];
  readonly show?: (value: string) => string;
}

const shownValues = 7;

function Facet({ name, title, counts, show = (value) => value }: FacetProps) {
  const { given } = place.value;
  const [isWhole, setWhole] = useState(false);
  const current = given.get(name);
  if (counts.length === 0 || (counts.length === 1 && current === null && name !== 'project')) return null;
  const rows = counts.map(({ value, sessions }) => ({
    name: show(value),
    count: sessions,
    title: value,
    isCurrent: current === value,
    href: toAddress('/search', given, { [name]: current === value ? null : value }),
  }));
  return (
    <nav aria-label={title}>
      <h2>{title}</h2>
      <Bars rows={rows.slice(0, isWhole ? undefined : shownValues)} />
      {rows.length > shownValues && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'fewer' : `${formatCount(rows.length - shownValues)} more`}
        </button>
      )}
    </nav>
  );
}
