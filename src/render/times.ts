// Points in time in words. Pure; the current time is an argument.

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
  for (const [limitMs, unitMs, name] of steps) {
    if (ageMs >= limitMs) continue;
    const count = Math.max(1, Math.floor(ageMs / unitMs));
    return `${count} ${name}${count === 1 ? '' : 's'} ago`;
  }
  return iso;
}

/** The same in as few characters as possible: `now`, `5m`, `3h`, `12d`, `5w`, `4mo`, `2y`. */
export function formatAge(iso: string | null, now: Date): string {
  const [count = '', unit = ''] = formatAgo(iso, now).split(' ');
  if (!/^\d+$/.test(count)) return iso === null ? '' : 'now';
  return `${count}${unit.startsWith('month') ? 'mo' : unit.charAt(0)}`;
}

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Local day, with the year if it is not the current one: `Oct 21`, `2025-10-21`. */
export function formatDay(iso: string | null, now: Date): string {
  if (iso === null) return '';
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  if (date.getFullYear() === now.getFullYear()) return `${months[date.getMonth()]} ${date.getDate()}`;
  return formatDate(date);
}

/** The local day in full, so that days can be compared: `2026-10-21`; empty if there is no time. */
export function formatIsoDay(iso: string | null): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '' : formatDate(date);
}

function formatDate(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The local day as a heading: `Today`, `Yesterday`, `Mon, Oct 6`. */
export function formatDayHeading(iso: string | null, now: Date): string {
  const day = formatDay(iso, now);
  if (iso === null || day === '') return 'At an unknown time';
  const date = new Date(iso);
  const isDaysAgo = (count: number) =>
    date.toDateString() === new Date(now.getFullYear(), now.getMonth(), now.getDate() - count).toDateString();
  if (isDaysAgo(0)) return 'Today';
  if (isDaysAgo(1)) return 'Yesterday';
  return `${weekdays[date.getDay()]}, ${day}`;
}

/** Local time of day: `08:41`. */
export function formatClock(iso: string | null): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '' : `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Local day and time, whatever year it is: `2026-10-06 08:41`. */
export function formatMoment(iso: string | null): string {
  const date = new Date(iso ?? '');
  return Number.isNaN(date.getTime()) ? '' : `${formatDate(date)} ${formatClock(iso)}`;
}

/** From one moment to another; the day is given once if it is the same. */
export function formatSpan(from: string | null, to: string | null): string {
  const [first, last] = [formatMoment(from), formatMoment(to)];
  if (first === '' || last === '' || first === last) return first || last;
  return `${first} – ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
