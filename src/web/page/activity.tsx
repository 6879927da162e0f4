// The figures of `recall stats` as pictures. Every mark is a link to the sessions behind it. Drawn as plain SVG: the shapes are
// rectangles, and the smallest library for charts would be larger than all of the page.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatCount, formatNumbered, months } from '../../render/quantities.ts';
import type { StatsPage } from '../answers.ts';
import { SessionRows, shortenProject, Trouble } from './sessions.tsx';
import { navigate, place, toAddress, useAnswer } from './state.ts';

const scopeNames = ['project', 'agent', 'since', 'until'] as const;

export function ActivityView() {
  const { given } = place.value;
  const scope = Object.fromEntries(scopeNames.map((name) => [name, given.get(name)]));
  const { answer, error } = useAnswer<StatsPage>(toAddress('stats', scope));
  if (error !== undefined) return <Trouble error={error} />;
  if (answer === undefined) return null;
  const { totals } = answer;
  const toSearch = (more: Record<string, string | null>) => toAddress('/search', scope, more);
  return (
    <div class="figures">
      <h1>Activity</h1>
      <Scope scope={scope} agents={answer.agents.map(({ value }) => value)} />
      <ul class="totals">
        {(
          [
            ['sessions', totals.sessions],
            ['messages', totals.messages],
            ['prompts', totals.prompts],
            ['tool calls', totals.toolCalls],
            ['active days', totals.activeDays],
            ['projects', totals.projects],
          ] as const
        ).map(([name, count]) => (
          <li>
            <b>{formatCount(count)}</b> {name}
          </li>
        ))}
      </ul>
      <Calendar page={answer} toAddressOf={(day) => toSearch({ since: day, until: day })} />
      <div class="panels">
        <Panel title="Hours of the day">
          <Hours hours={answer.hours} />
        </Panel>
        <Panel title="Agents">
          <Bars
            rows={answer.agents.map(({ value, sessions }) => ({
              name: value,
              count: sessions,
              href: toSearch({ agent: value }),
            }))}
            unit="session"
          />
        </Panel>
        <Panel title="Projects">
          <Bars
            rows={answer.projects.map(({ path, messages, sessions }) => ({
              name: path === null ? '(unknown)' : shortenProject(path),
              count: messages,
              note: formatNumbered(sessions, 'session'),
              href: path === null ? null : toSearch({ project: path }),
            }))}
            unit="message"
          />
        </Panel>
        <Panel title="Models">
          <Bars
            rows={answer.models.map(({ model, sessions }) => ({
              name: model,
              count: sessions,
              href: toSearch({ model }),
            }))}
            unit="session"
          />
        </Panel>
        <Panel title="Tools">
          <Bars
            rows={answer.tools.map(({ name, calls, failed }) => ({
              name,
              count: calls,
              failed,
              href: toSearch({ q: name, in: 'done' }),
            }))}
            unit="call"
          />
        </Panel>
        <Panel title="Longest sessions">
          <SessionRows rows={answer.longest.map((session) => ({ session }))} />
        </Panel>
      </div>
    </div>
  );
}

interface ScopeProps {
  readonly scope: Readonly<Record<string, string | null>>;
  readonly agents: readonly string[];
}

function Scope({ scope, agents }: ScopeProps) {
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    navigate(toAddress('/activity', scope, { [name]: event.currentTarget.value }));
  const known =
    scope.agent === null || agents.includes(scope.agent ?? '') ? agents : [...agents, scope.agent ?? ''];
  return (
    <form class="scope" onSubmit={(event) => event.preventDefault()}>
      <label>
        Project <input type="text" value={scope.project ?? ''} onChange={set('project')} />
      </label>
      <label>
        Agent{' '}
        <select value={scope.agent ?? ''} onChange={set('agent')}>
          <option value="">all</option>
          {known.map((agent) => (
            <option value={agent}>{agent}</option>
          ))}
        </select>
      </label>
      <label>
        Since <input type="date" value={scope.since ?? ''} onChange={set('since')} />
      </label>
      <label>
        Until <input type="date" value={scope.until ?? ''} onChange={set('until')} />
      </label>
    </form>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const dayMs = 86_400_000;
const weeks = 53;
const cell = 13;

/** Weeks are columns, from Monday down; the last one has today. One stop for Tab: arrow keys go from day to day. */
function Calendar({
  page,
  toAddressOf,
}: {
  readonly page: StatsPage;
  readonly toAddressOf: (day: string) => string;
}) {
  const counts = new Map(page.days.map(({ day, messages }) => [day, messages]));
  const lastMs = Date.parse(`${page.days.at(-1)?.day ?? page.today}T00:00:00Z`);
  const isOld = Date.parse(`${page.today}T00:00:00Z`) - lastMs > 300 * dayMs;
  const endMs = isOld ? lastMs : Date.parse(`${page.today}T00:00:00Z`);
  const weekday = (new Date(endMs).getUTCDay() + 6) % 7;
  const startMs = endMs - ((weeks - 1) * 7 + weekday) * dayMs;
  const sorted = [...counts.values()].sort((a, b) => a - b);
  const levels = [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
  const days = Array.from({ length: (weeks - 1) * 7 + weekday + 1 }, (_, i) => {
    const date = new Date(startMs + i * dayMs);
    const day = date.toISOString().slice(0, 10);
    const messages = counts.get(day) ?? 0;
    const level = messages === 0 ? 0 : 1 + levels.filter((limit) => messages > limit).length;
    return { day, date, messages, level, x: Math.floor(i / 7) * cell, y: (i % 7) * cell };
  });
  const box = useRef<HTMLElement>(null);
  // Where it does not fit, its end is what one wants to see.
  useEffect(() => box.current?.scrollTo(box.current.scrollWidth, 0), []);
  const firsts = days.filter(({ date }) => date.getUTCDate() === 1);
  const lastActive = days.findLast(({ messages }) => messages > 0)?.day;
  return (
    <section class="calendar" aria-label="Messages by day" ref={box}>
      <svg viewBox={`-28 -16 ${weeks * cell + 30} ${7 * cell + 18}`} onKeyDown={moveFocus}>
        <title>Messages by day</title>
        {firsts.map(({ date, x }) => (
          <text x={x} y={-5}>
            {months[date.getUTCMonth()]}
          </text>
        ))}
        {['Mon', 'Wed', 'Fri'].map((name, i) => (
          <text x={-28} y={i * 2 * cell + 10}>
            {name}
          </text>
        ))}
        {days.map(({ day, messages, level, x, y }) => {
          const box = <rect class={`level-${level}`} x={x} y={y} width={cell - 2} height={cell - 2} rx={2} />;
          if (messages === 0) return box;
          const label = `${day}: ${formatNumbered(messages, 'message')}`;
          return (
            <a
              href={toAddressOf(day)}
              aria-label={label}
              tabIndex={day === lastActive ? 0 : -1}
              data-x={x}
              data-y={y}
            >
              <title>{label}</title>
              {box}
            </a>
          );
        })}
      </svg>
    </section>
  );
}

/** To the nearest mark in that direction. */
function moveFocus(event: KeyboardEvent): void {
  const [dx = 0, dy = 0] =
    { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
  const from = document.activeElement;
  if ((dx === 0 && dy === 0) || !(from instanceof SVGAElement)) return;
  event.preventDefault();
  event.stopPropagation();
  const at = (each: Element) =>
    [Number(each.getAttribute('data-x')), Number(each.getAttribute('data-y'))] as const;
  const [x, y] = at(from);
  const others = [...(event.currentTarget as Element).querySelectorAll('a')].filter((each) => {
    const [ex, ey] = at(each);
    return (ex - x) * dx + (ey - y) * dy > 0;
  });
  const distance = (each: Element) => {
    const [ex, ey] = at(each);
    return dx === 0 ? Math.abs(ex - x) * 10 + Math.abs(ey - y) : Math.abs(ey - y) * 10 + Math.abs(ex - x);
  };
  const nearest = others.sort((a, b) => distance(a) - distance(b))[0];
  (nearest as SVGAElement | undefined)?.focus();
}

function Hours({ hours }: { readonly hours: StatsPage['hours'] }) {
  const most = Math.max(1, ...hours.map(({ messages }) => messages));
  return (
    <svg class="hours" viewBox="0 0 288 92" role="img" aria-label="Messages by hour of the day">
      {hours.map(({ hour, messages }) => {
        const height = (72 * messages) / most;
        return (
          <g>
            <rect x={hour * 12 + 1} y={74 - height} width={10} height={height} rx={1.5}>
              <title>{`${hour}:00: ${formatNumbered(messages, 'message')}`}</title>
            </rect>
            {hour % 6 === 0 && (
              <text x={hour * 12 + 1} y={89}>
                {hour}:00
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

interface BarRow {
  readonly name: string;
  readonly count: number;
  readonly failed?: number;
  readonly note?: string;
  readonly href: string | null;
}

function Bars({ rows, unit }: { readonly rows: readonly BarRow[]; readonly unit: string }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul class="bars">
      {rows.slice(0, 12).map(({ name, count, failed = 0, note, href }) => {
        const content = (
          <>
            <i style={{ width: `${(100 * count) / most}%` }} />
            {failed > 0 && <i class="failed" style={{ width: `${(100 * failed) / most}%` }} />}
            <span>{name}</span>
            <b>
              {formatCount(count)}
              {failed > 0 && <small> {formatCount(failed)} failed</small>}
            </b>
          </>
        );
        const title = `${name}: ${formatNumbered(count, unit)}${note === undefined ? '' : `, ${note}`}`;
        return (
          <li>
            {href === null ? (
              <span class="row" title={title}>
                {content}
              </span>
            ) : (
              <a href={href} title={title}>
                {content}
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}
