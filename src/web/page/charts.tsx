// The pictures: bars, hours, a year of days, and a time to drag over. Marks are links to the sessions behind them. Plain HTML and
// SVG: the shapes are rectangles, and the smallest library for charts would be larger than all of the page.

import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, formatNumbered, months } from '../../render/quantities.ts';
import type { Answers } from '../routes.ts';
import { navigate, place, toAddress } from './state.ts';

const dayMs = 86_400_000;

function toMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export interface BarRow {
  readonly name: string;
  readonly count: number;
  readonly failed?: number;
  readonly title: string;
  readonly href: string | null;
  readonly isCurrent?: boolean;
}

export function Bars({ rows }: { readonly rows: readonly BarRow[] }) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  const toWidth = (count: number) => ({ width: `${(100 * count) / most}%` });
  return (
    <ul class="bars">
      {rows.map(({ name, count, failed = 0, title, href, isCurrent }) => (
        <li>
          <a href={href ?? undefined} title={title} aria-current={isCurrent}>
            <i style={toWidth(count)} />
            {failed > 0 && <i class="failed" style={toWidth(failed)} />}
            <span>{name}</span>
            <b>
              {failed > 0 && <small>{formatCount(failed)} failed</small>} {formatCount(count)}
            </b>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Hours({ hours }: Pick<Answers['stats'], 'hours'>) {
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

const weeks = 53;
const cell = 13;
/** Without messages for so long, the picture ends with the last ones instead of today. */
const maxQuietDays = 300;

interface CalendarProps extends Pick<Answers['stats'], 'days' | 'today'> {
  readonly toAddressOf: (day: string) => string;
}

/** Weeks are columns, from Monday down. One stop for Tab: arrow keys go from one day with messages to the next. */
export function Calendar({ days, today, toAddressOf }: CalendarProps) {
  const box = useRef<HTMLElement>(null);
  // Where it does not fit, its end is what one wants to see.
  useEffect(() => box.current?.scrollTo(box.current.scrollWidth, 0), []);
  const counts = new Map(days.map(({ day, messages }) => [day, messages]));
  const lastDay = days.at(-1)?.day ?? today;
  const endMs = toMs(toMs(today) - toMs(lastDay) > maxQuietDays * dayMs ? lastDay : today);
  const count = (weeks - 1) * 7 + ((new Date(endMs).getUTCDay() + 6) % 7) + 1;
  const sorted = [...counts.values()].sort((a, b) => a - b);
  const levels = [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
  const squares = Array.from({ length: count }, (_, i) => {
    const day = toDay(endMs - (count - 1 - i) * dayMs);
    const messages = counts.get(day) ?? 0;
    const level = messages === 0 ? 0 : 1 + levels.filter((limit) => messages > limit).length;
    return { day, messages, level, x: Math.floor(i / 7) * cell, y: (i % 7) * cell };
  });
  return (
    <section class="calendar" aria-label="Messages by day" ref={box}>
      <svg viewBox={`-28 -16 ${weeks * cell + 30} ${7 * cell + 18}`} onKeyDown={moveFocus}>
        <title>Messages by day</title>
        {squares
          .filter(({ day }) => day.endsWith('-01'))
          .map(({ day, x }) => (
            <text x={x} y={-5}>
              {months[Number(day.slice(5, 7)) - 1]}
            </text>
          ))}
        {['Mon', 'Wed', 'Fri'].map((name, i) => (
          <text x={-28} y={i * 2 * cell + 10}>
            {name}
          </text>
        ))}
        {squares.map(({ day, messages, level, x, y }) => {
          const square = (
            <rect class={`level-${level}`} x={x} y={y} width={cell - 2} height={cell - 2} rx={2} />
          );
          if (messages === 0) return square;
          const label = `${day}: ${formatNumbered(messages, 'message')}`;
          return (
            <a href={toAddressOf(day)} aria-label={label} tabIndex={day === lastDay ? 0 : -1}>
              <title>{label}</title>
              {square}
            </a>
          );
        })}
      </svg>
    </section>
  );
}

function moveFocus(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  const marks = [...(event.currentTarget as Element).querySelectorAll('a')];
  marks[marks.indexOf(document.activeElement as never) + step]?.focus();
}

const maxBins = 40;
const [plotWidth, plotHeight] = [240, 48];

interface HistogramProps {
  readonly days: readonly { readonly value: string; readonly sessions: number }[];
}

/** To drag over; the same as two dates for whoever does not drag. */
export function Histogram({ days }: HistogramProps) {
  const { given } = place.value;
  const [drag, setDrag] = useState<readonly [number, number] | null>(null);
  const plot = useRef<SVGSVGElement>(null);
  const bins = toBins(days);
  if (bins.length === 0) return null;
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
  const [since, until] = [given.get('since'), given.get('until')];
  return (
    <nav aria-label="Time">
      <h2>
        Time
        {(since ?? until) !== null && (
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
              <title>{`${from === to ? from : `${from} – ${to}`}: ${formatNumbered(sessions, 'session')}`}</title>
              <rect class="back" x={i * step} width={step} height={plotHeight} />
              <rect x={i * step + 0.6} y={plotHeight - height} width={step - 1.2} height={height} />
            </g>
          );
        })}
      </svg>
      <p class="extent">
        <DateInput name="Since" value={since ?? bins[0]?.from} onChoose={(day) => go(day, until)} />
        <DateInput name="Until" value={until ?? bins.at(-1)?.to} onChoose={(day) => go(since, day)} />
      </p>
    </nav>
  );
}

interface DateProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly onChoose: (day: string | null) => void;
}

/** Empty where the time was given in words. */
export function DateInput({ name, value = '', onChoose }: DateProps) {
  const choose = (event: Event) => onChoose((event.currentTarget as HTMLInputElement).value || null);
  return <input type="date" aria-label={name} value={value} onChange={choose} />;
}

/** Days that follow each other, of the same number each, but for the last ones. */
function toBins(days: HistogramProps['days']) {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [firstMs, lastMs] = [toMs(first.value), toMs(last.value)];
  const binMs = Math.ceil(((lastMs - firstMs) / dayMs + 1) / maxBins) * dayMs;
  const bins = Array.from({ length: Math.floor((lastMs - firstMs) / binMs) + 1 }, (_, i) => ({
    from: toDay(firstMs + i * binMs),
    to: toDay(Math.min(lastMs, firstMs + (i + 1) * binMs - dayMs)),
    sessions: 0,
  }));
  for (const { value, sessions } of days) {
    const bin = bins[Math.floor((toMs(value) - firstMs) / binMs)];
    if (bin !== undefined) bin.sessions += sessions;
  }
  return bins;
}
