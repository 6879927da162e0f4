// Numbers, sizes, durations and points in time, formatted for people. Pure; the current time is an argument.

export function formatCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function formatNumbered(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${pad(seconds % 60)} min`;
  return `${Math.floor(seconds / 3600)}:${pad(Math.floor((seconds % 3600) / 60))} h`;
}

const dayMs = 86_400_000;
const monthMs = 30.44 * dayMs;
const yearMs = 365.25 * dayMs;

/** Weeks, months and years are used from two of them on, so that an age never seems to shrink. */
const steps: readonly (readonly [limitMs: number, unitMs: number, name: string])[] = [
  [3_600_000, 60_000, 'minute'],
  [dayMs, 3_600_000, 'hour'],
  [14 * dayMs, dayMs, 'day'],
  [2 * monthMs, 7 * dayMs, 'week'],
  [2 * yearMs, monthMs, 'month'],
  [Number.POSITIVE_INFINITY, yearMs, 'year'],
];

export function formatAgo(iso: string | null, now: Date): string {
  if (iso === null) return 'at an unknown time';
  const ageMs = now.getTime() - Date.parse(iso);
  if (ageMs < 60_000) return ageMs < -60_000 ? 'in the future' : 'just now';
  const step = steps.find(([limitMs]) => ageMs < limitMs);
  if (step === undefined) return iso;
  const [, unitMs, name] = step;
  return `${formatNumbered(Math.max(1, Math.floor(ageMs / unitMs)), name)} ago`;
}

/** The same in as few characters as possible: `now`, `5m`, `3h`, `12d`, `5w`, `4mo`, `2y`. */
export function formatAge(iso: string | null, now: Date): string {
  const [count = '', unit = ''] = formatAgo(iso, now).split(' ');
  if (!/^\d+$/.test(count)) return iso === null ? '' : 'now';
  return `${count}${unit.startsWith('month') ? 'mo' : unit.charAt(0)}`;
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Local day, with the year if it is not the current one: `Oct 21`, `2025-10-21`; empty if there is no time. */
export function formatDay(iso: string | null, now: Date): string {
  const date = new Date(iso ?? '');
  if (date.getFullYear() === now.getFullYear()) return `${months[date.getMonth()]} ${date.getDate()}`;
  return formatIsoDay(iso);
}

/** The local day in full, so that days can be compared: `2026-10-21`; empty if there is no time. */
export function formatIsoDay(iso: string | null): string {
  return formatMoment(iso).slice(0, 10);
}

/** The local day as a heading: `Today`, `Yesterday`, `Mon, Oct 6`. */
export function formatDayHeading(iso: string | null, now: Date): string {
  const day = formatDay(iso, now);
  if (day === '') return 'At an unknown time';
  const date = new Date(iso ?? '');
  const isDaysAgo = (count: number) =>
    date.toDateString() === new Date(now.getFullYear(), now.getMonth(), now.getDate() - count).toDateString();
  if (isDaysAgo(0)) return 'Today';
  if (isDaysAgo(1)) return 'Yesterday';
  return `${weekdays[date.getDay()]}, ${day}`;
}

export function formatClock(iso: string | null): string {
  return formatMoment(iso).slice(11);
}

/** Local day and time, whatever year it is: `2026-10-06 08:41`; empty if there is no time. */
export function formatMoment(iso: string | null): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** From one moment to another; the day is given once if it is the same. */
export function formatSpan(from: string | null, to: string | null): string {
  const [first, last] = [formatMoment(from), formatMoment(to)];
  if (first === '' || last === '' || first === last) return first || last;
  return `${first} – ${formatIsoDay(from) === formatIsoDay(to) ? formatClock(to) : last}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
