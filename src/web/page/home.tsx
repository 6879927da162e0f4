// What is shown before anything is typed: recent sessions by day, what is running, and what the agents will delete.

import { formatDayHeading, formatNumbered } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { type Session, SessionRows, shortenProject, Trouble } from './sessions.tsx';
import { now, toSessionAddress, useAnswer } from './state.ts';

export function Home() {
  const { answer, error } = useAnswer('home', {});
  const { answer: expiring } = useAnswer('expiring', {});
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return null;
  const { sessions, total } = answer;
  if (total === 0)
    return (
      <div class="nothing">
        <p>No sessions yet.</p>
        <p class="hint">
          recall looks for them where the agents keep them, and shows them here as soon as there are some.
        </p>
      </div>
    );
  const running = sessions.filter((session) => session.running);
  const days: { heading: string; before: number; rows: { session: Session }[] }[] = [];
  for (const [before, session] of sessions.entries()) {
    const heading = formatDayHeading(session.modifiedAt, now.value);
    if (days.at(-1)?.heading !== heading) days.push({ heading, before, rows: [] });
    days.at(-1)?.rows.push({ session });
  }
  return (
    <div class="home">
      <section aria-label="Recent sessions">
        {running.length > 0 && (
          <section class="day">
            <h2>Running now</h2>
            <ul class="plain">
              {running.map((session) => (
                <li>
                  <a href={toSessionAddress(session)}>{session.title ?? '(untitled)'}</a>{' '}
                  <small>{shortenProject(session.project)}</small>
                </li>
              ))}
            </ul>
          </section>
        )}
        {days.map(({ heading, before, rows }) => (
          <section class="day">
            <h2>{heading}</h2>
            <SessionRows rows={rows} before={before} />
          </section>
        ))}
        {total > sessions.length && (
          <p class="more">
            <a href="/search?q=">all {formatNumbered(total, 'session')}</a>
          </p>
        )}
      </section>
      {expiring !== undefined && expiring.sessions.length > 0 && <Expiring page={expiring} />}
    </div>
  );
}

const shownExpiring = 12;

function Expiring({ page: { sessions, days, isOn } }: { readonly page: Answers['expiring'] }) {
  const lost = sessions.filter(({ isKept }) => !isKept).length;
  return (
    <aside class="expiring" aria-label="Deleted soon">
      <h2>To be deleted within {formatNumbered(days, 'day')}</h2>
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
            <a href={toSessionAddress({ id })}>{title ?? '(untitled)'}</a>{' '}
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
