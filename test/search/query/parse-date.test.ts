// Dates as people write them, in any local time zone, and a time in a question: alone it is the filter, among other words it
// stays words.

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { formatDay, formatDayHeading } from '../../../src/render/quantities.ts';
import { parseDate } from '../../../src/search/query/parse-date.ts';
import { findTime, parseQuery } from '../../../src/search/query/parse-query.ts';

/** A Monday; the previous week started on the 9th. */
const now = new Date(2026, 10, 16, 15, 30);

afterEach(() => vi.unstubAllEnvs());

function rangeOf(text: string, at = now): [string, string] | null {
  const range = parseDate(text, at);
  return range === null ? null : [local(range.fromMs), local(range.toMs)];
}

function local(ms: number): string {
  const date = new Date(ms);
  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

const whole = (first: string, last = first): [string, string] => [
  `${first} 00:00:00.000`,
  `${last} 23:59:59.999`,
];

const forms: [string, [string, string]][] = [
  ['2026-01-31', whole('2026-01-31')],
  ['2026-1-5', whole('2026-01-05')],
  ['2026-01', whole('2026-01-01', '2026-01-31')],
  ['2024-02', whole('2024-02-01', '2024-02-29')],
  ['2026', whole('2026-01-01', '2026-12-31')],
  ['Oct 2025', whole('2025-10-01', '2025-10-31')],
  ['today', whole('2026-11-16')],
  ['Today', whole('2026-11-16')],
  ['yesterday', whole('2026-11-15')],
  ['last week', whole('2026-11-09', '2026-11-15')],
  [' Last  Week ', whole('2026-11-09', '2026-11-15')],
  ['this week', whole('2026-11-16', '2026-11-22')],
  ['last month', whole('2026-10-01', '2026-10-31')],
  ['this month', whole('2026-11-01', '2026-11-30')],
  ['last year', whole('2025-01-01', '2025-12-31')],
  ['this year', whole('2026-01-01', '2026-12-31')],
  ['friday', whole('2026-11-13')],
  ['last friday', whole('2026-11-13')],
  ['monday', whole('2026-11-09')],
  ['Oct 6', whole('2026-10-06')],
  ['6 Oct', whole('2026-10-06')],
  ['october 6th', whole('2026-10-06')],
  ['6. October', whole('2026-10-06')],
  ['Oct 6 2025', whole('2025-10-06')],
  ['Oct 6, 2025', whole('2025-10-06')],
  ['6 oct 2025', whole('2025-10-06')],
  ['Tue, Oct 6', whole('2026-10-06')],
  ['Mon, 2025-10-06', whole('2025-10-06')],
  ['Mon Oct 6 2025', whole('2025-10-06')],
  ['tuesday 6 october', whole('2026-10-06')],
  ['Nov 16', whole('2026-11-16')],
  ['Nov 17', whole('2025-11-17')],
  ['Feb 29', whole('2024-02-29')],
  ['Sept 1', whole('2026-09-01')],
  ['7d', whole('2026-11-09')],
  ['7 days', whole('2026-11-09')],
  ['7 days ago', whole('2026-11-09')],
  ['1 day ago', whole('2026-11-15')],
  ['2w', whole('2026-11-02')],
  ['3 months ago', whole('2026-08-16')],
  ['1y', whole('2025-11-16')],
  ['2h', ['2026-11-16 13:30:00.000', '2026-11-16 13:30:00.000']],
  ['2026-01-31T10:00', ['2026-01-31 10:00:00.000', '2026-01-31 10:00:59.999']],
  ['2026-01-31 10:00:30', ['2026-01-31 10:00:30.000', '2026-01-31 10:00:30.999']],
  ['2026-01-31 10:00:30.25', ['2026-01-31 10:00:30.250', '2026-01-31 10:00:31.249']],
  ['2026-1-5 9:05', ['2026-01-05 09:05:00.000', '2026-01-05 09:05:59.999']],
  ['Jan 2025', whole('2025-01-01', '2025-01-31')],
  ['16 Oct', whole('2026-10-16')],
  ['sunday', whole('2026-11-15')],
  ['10 days ago', whole('2026-11-06')],
  ['1 hour ago', ['2026-11-16 14:30:00.000', '2026-11-16 14:30:00.000']],
  ['1 week ago', whole('2026-11-09')],
  ['1 month ago', whole('2026-10-16')],
  ['1 year ago', whole('2025-11-16')],
];

describe.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Auckland'])(
  'in %s',
  (zone) => {
    test.each(forms)('%s', (text, range) => {
      vi.stubEnv('TZ', zone);
      expect(rangeOf(text, new Date(2026, 10, 16, 15, 30))).toEqual(range);
    });
  },
);

test('the time zone really changes', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(parseDate('2026-07-01', now)?.fromMs).toBe(Date.parse('2026-06-30T22:00:00Z'));
  vi.stubEnv('TZ', 'America/Los_Angeles');
  expect(parseDate('2026-07-01', now)?.fromMs).toBe(Date.parse('2026-07-01T07:00:00Z'));
});

test.each([
  ['the clock goes forward', '2026-03-29', 23],
  ['the clock goes back', '2026-10-25', 25],
])('a day on which %s is still one day', (_, day, hours) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const range = parseDate(day, now);
  expect(((range?.toMs ?? 0) + 1 - (range?.fromMs ?? 0)) / 3_600_000).toBe(hours);
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const dayAfter = new Date(year, month - 1, date + 1, 0, 30);
  expect(parseDate('yesterday', dayAfter)).toEqual(range);
  expect(parseDate('1d', dayAfter)).toEqual(range);
});

test('a time zone in the text is respected', () => {
  expect(parseDate('2026-01-31T10:00Z', now)?.fromMs).toBe(Date.UTC(2026, 0, 31, 10));
  expect(parseDate('2026-01-31T10:00:00+02:00', now)?.fromMs).toBe(Date.UTC(2026, 0, 31, 8));
  expect(parseDate('2026-01-31 10:00-0130', now)?.fromMs).toBe(Date.UTC(2026, 0, 31, 11, 30));
});

test.each([
  ['this week', 'on a Sunday', new Date(2026, 10, 22, 9), whole('2026-11-16', '2026-11-22')],
  ['last week', 'on a Sunday', new Date(2026, 10, 22, 9), whole('2026-11-09', '2026-11-15')],
  ['this week', 'on a Wednesday', new Date(2026, 10, 18, 9), whole('2026-11-16', '2026-11-22')],
  ['1 month ago', 'on the 31st of March', new Date(2026, 2, 31, 9), whole('2026-02-28')],
  ['1 year ago', 'on the 29th of February', new Date(2024, 1, 29, 9), whole('2023-02-28')],
  ['Nov 16', 'at the first moment of that day', new Date(2026, 10, 16), whole('2026-11-16')],
  ['Feb 29', 'eight years after the last', new Date(2104, 0, 15), whole('2096-02-29')],
])('%s, %s', (text, _, at, range) => {
  expect(rangeOf(text, at)).toEqual(range);
});

test.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13',
  '2026-00',
  '2026-01-00',
  '2026-01-32',
  '2026-01-31T25:00',
  '2026-02-30 10:00',
  '2026-02-29T10:00Z',
  '31.01.2026',
  '01/31/2026',
  '20260131',
  'Oct',
  'Oct 0',
  'Oct 32',
  '0 may 2025',
  'may 0 2025',
  'Mon 2025',
  'money 6 Oct',
  'Feb 30',
  'Feb 29 2025',
  '6 Oct 6',
  'Octo 6',
  'Mon, ',
  'Mon, yesterday',
  'tomorrow',
  'next week',
  'last',
  'd',
  '7',
  '-7d',
  '7 parsecs',
  '',
  ' ',
])('%j is not a date', (text) => {
  expect(parseDate(text, now)).toBeNull();
});

// On these days there is no midnight: they start at one o'clock.
test.each([
  ['Africa/Cairo', '2026-04-24'],
  ['America/Santiago', '2026-09-06'],
])('in %s, %s ends when the next day starts', (zone, day) => {
  vi.stubEnv('TZ', zone);
  const range = parseDate(day, now);
  const next = new Date(`${day}T12:00`);
  next.setDate(next.getDate() + 1);
  next.setHours(0, 0, 0, 0);
  expect(new Date(range?.fromMs ?? 0).getHours()).toBe(1);
  expect(range?.toMs).toBe(next.getTime() - 1);
});

test.each(['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland'])(
  'in %s a day is understood as recall prints it',
  (zone) => {
    vi.stubEnv('TZ', zone);
    const moments = fc.date({
      min: new Date('2001-01-02'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 3000 }), (at, days) => {
        const moment = new Date(at.getTime() - days * 86_400_000);
        for (const print of [formatDay, formatDayHeading]) {
          const range = parseDate(print(moment.toISOString(), at), at);
          expect(range?.fromMs).toBeLessThanOrEqual(moment.getTime());
          expect(range?.toMs).toBeGreaterThanOrEqual(moment.getTime());
        }
      }),
    );
  },
);

test('any string gives a range of time or nothing', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^\d{1,6}[-hdwmy ]?\d{0,3}-?\d{0,3}$/),
    fc.stringMatching(/^\d{0,3} ?(feb|Oct|sept|mai)\.? ?\d{0,3}(st|th)?,? ?\d{0,5}$/),
    fc.stringMatching(/^(this|last|next) (week|month|day|monday|x)$/),
  );
  fc.assert(
    fc.property(text, (text) => {
      const range = parseDate(text, now);
      if (range === null) return;
      expect(range.toMs).toBeGreaterThanOrEqual(range.fromMs);
      expect(() => new Date(range.fromMs).toISOString() + new Date(range.toMs).toISOString()).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});

describe('a time in a question', () => {
  const find = (text: string) => findTime(parseQuery(text), now);

  test.each([
    ['yesterday', 'yesterday'],
    ['what did I do last week', 'last week'],
    ['What did we work on last week?', 'last week'],
    ['sessions of Oct 6', 'Oct 6'],
    ['2026-10-06', '2026-10-06'],
    ['june 2025', '2025-06'],
    ['project:shop yesterday', 'yesterday'],
    ['3 days ago', '3 days ago'],
    ['what did I do on Mon, Jun 9 2025', 'Mon Jun 9 2025'],
    ['sessions of Tue, Oct 6?', 'Tue Oct 6'],
    ['yesterday?!', 'yesterday'],
    // The first of a month is not the month.
    ['Oct 1 2025', 'Oct 1 2025'],
    ['1 oct 2025', '1 oct 2025'],
  ])('alone: %s', (text, value) => {
    expect(find(text)).toMatchObject({ isAlone: true, value });
  });

  test.each([
    ['wattpad in june 2025', '2025-06'],
    ['the camera that broke yesterday', 'yesterday'],
  ])('among other words: %s', (text, value) => {
    expect(find(text)).toMatchObject({ isAlone: false, value });
  });

  test.each([
    'what did I do',
    '2025',
    '7d',
    'may',
    '"last week"',
    'since:7d yesterday',
    'until:7d yesterday',
    '"connection pool" yesterday',
    'yesterday -camera',
    'week',
    '',
  ])('is not in: %s', (text) => {
    expect(find(text)).toBeUndefined();
  });
});
