// Dates as people write them, and as recall prints them → the range of local time they mean: "2026-01-31",
// "2026-01", "7d", "yesterday", "last week", "Oct 6", "June 2025". Pure; the current time is an argument.

interface DateRange {
  readonly fromMs: number;
  /** The last millisecond of the range. */
  readonly toMs: number;
}

type Unit = 'day' | 'week' | 'month' | 'year';

const unitLetters: Readonly<Record<string, Unit | 'hour'>> = {
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  y: 'year',
};
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

export function parseDate(text: string, now: Date): DateRange | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(leadingWeekday, '');
  return parseIso(words) ?? parseNamed(words, now) ?? parseAgo(words, now) ?? parseMonthDay(words, now);
}

/** The weekday in `Mon, Oct 6` is only there for people; without the comma, what follows has to be a day. */
const leadingWeekday =
  /^(?:sun|mon|tue|wed|thu|fri|sat)(?:[a-z]*, (?=.*\d)|(?:s|nes|rs?|ur)?(?:day)? (?=[a-z]{3,9}\.? \d|\d{1,2}\.? [a-z]{3}|\d{4}-))/;

function parseIso(text: string): DateRange | null {
  const match =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[t ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
      text,
    );
  if (match === null) return null;
  const [, year = '', month, day, time, zone] = match;
  if (time !== undefined) {
    const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
    if (parseIso(date) === null) return null;
    const ms = Date.parse(`${date}T${time.padStart(5, '0')}${(zone ?? '').toUpperCase()}`);
    // A time without seconds means that whole minute.
    const lengthMs = /^\d+:\d+$/.test(time) ? 60_000 : 1000;
    return Number.isNaN(ms) ? null : { fromMs: ms, toMs: ms + lengthMs - 1 };
  }
  const start = new Date(2000, 0, 1);
  // Not the constructor, which takes the years 0 to 99 as 1900 to 1999.
  start.setFullYear(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  if (month !== undefined && start.getMonth() !== Number(month) - 1) return null;
  if (day !== undefined && start.getDate() !== Number(day)) return null;
  return toRange(start, day !== undefined ? 'day' : month !== undefined ? 'month' : 'year');
}

function parseNamed(text: string, now: Date): DateRange | null {
  const today = startOf('day', now);
  if (text === 'today') return toRange(today, 'day');
  if (text === 'yesterday') return toRange(shift(today, 'day', -1), 'day');
  const named = /^(this|last) (week|month|year)$/.exec(text);
  if (named !== null) {
    const unit = named[2] as Unit;
    return toRange(shift(startOf(unit, now), unit, named[1] === 'last' ? -1 : 0), unit);
  }
  const weekday = weekdays.indexOf(text.replace(/^last /, ''));
  if (weekday < 0) return null;
  const daysBack = (today.getDay() - weekday + 7) % 7 || 7;
  return toRange(shift(today, 'day', -daysBack), 'day');
}

/** `7d` and `7 days ago`: that day; `3h`: that moment. */
function parseAgo(text: string, now: Date): DateRange | null {
  const match = /^(\d{1,5}) ?(h|d|w|m|y|hours?|days?|weeks?|months?|years?)(?: ago)?$/.exec(text);
  if (match === null) return null;
  const unit = unitLetters[match[2]?.[0] ?? ''];
  const count = Number(match[1]);
  if (unit === undefined) return null;
  if (unit === 'hour') return momentAt(now.getTime() - count * 3_600_000);
  const day = shift(startOf('day', now), unit, -count);
  return Number.isNaN(day.getTime()) ? null : toRange(day, 'day');
}

/** `Oct 6`, `6 October`, `Oct 6 2025`, `October 2025`; a day without a year is the most recent such day. */
function parseMonthDay(text: string, now: Date): DateRange | null {
  const match =
    /^(?:(?<before>\d{1,2})\.? )?(?<name>[a-z]{3,9})\.?(?: (?<after>\d{1,2})(?:st|nd|rd|th)?)?(?:,? (?<year>\d{4}))?$/.exec(
      text,
    );
  const { name = '', before, after, year } = match?.groups ?? {};
  const month = months.findIndex(
    (each) => each === name || each.slice(0, 3) === name || (name === 'sept' && each === 'september'),
  );
  const day = before ?? after;
  if (month >= 0 && day === undefined && year !== undefined) return parseIso(`${year}-${month + 1}`);
  if (month < 0 || day === undefined || (before !== undefined && after !== undefined)) return null;
  const dayOf = (ofYear: number) => parseIso(`${String(ofYear).padStart(4, '0')}-${month + 1}-${day}`);
  if (year !== undefined) return dayOf(Number(year));
  // The 29th of February is at most eight years away.
  for (let back = 0; back <= 8; back++) {
    const range = dayOf(now.getFullYear() - back);
    if (range !== null && range.fromMs <= now.getTime()) return range;
  }
  return null;
}

function momentAt(ms: number): DateRange {
  return { fromMs: ms, toMs: ms };
}

function toRange(start: Date, unit: Unit): DateRange {
  return { fromMs: start.getTime(), toMs: shift(start, unit, 1).getTime() - 1 };
}

/** Weeks start on Monday. */
function startOf(unit: Unit, date: Date): Date {
  const start = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  if (unit === 'week') return shift(start, 'day', -((start.getDay() + 6) % 7));
  if (unit === 'month') start.setDate(1);
  if (unit === 'year') start.setMonth(0, 1);
  return start;
}

/** By the calendar: a day with a clock change is still one day, even one that starts at one o'clock. */
function shift(date: Date, unit: Unit, count: number): Date {
  const moved = new Date(date);
  if (unit === 'day') moved.setDate(moved.getDate() + count);
  if (unit === 'week') moved.setDate(moved.getDate() + 7 * count);
  if (unit === 'month' || unit === 'year') {
    const day = moved.getDate();
    moved.setDate(1);
    moved.setMonth(moved.getMonth() + count * (unit === 'year' ? 12 : 1));
    // In a shorter month, its last day is used instead of days it does not have.
    moved.setDate(Math.min(day, new Date(moved.getFullYear(), moved.getMonth() + 1, 0).getDate()));
  }
  moved.setHours(0, 0, 0, 0);
  return moved;
}
