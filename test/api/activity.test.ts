// Counting by local day and hour: every message once, in every time zone, even when the clock changes.

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { countModels, countProjects, tallyActivity, toDay } from '../../src/api/activity.ts';
import { type ActivityRow, type CountedSession, quarterMs } from '../../src/store/read/activity.ts';

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

/** For the quarter-hour that starts at `time`, UTC. */
function row(sessionId: number, time: string | null, messages = 1): ActivityRow {
  return rowAt(sessionId, time === null ? null : Date.parse(`${time}:00Z`), messages);
}

function rowAt(sessionId: number, ms: number | null, messages = 1): ActivityRow {
  return { sessionId, quarter: ms === null ? null : Math.floor(ms / quarterMs), messages, prompts: 0 };
}

const inZone = (name: string, rows: readonly ActivityRow[]) => {
  process.env.TZ = name;
  return tallyActivity(rows);
};

describe('days and hours', () => {
  test.each([
    ['UTC', '2026-10-06T23:45', '2026-10-06', 23],
    ['Asia/Kolkata', '2026-10-06T18:15', '2026-10-06', 23],
    ['Asia/Kolkata', '2026-10-06T18:30', '2026-10-07', 0],
    ['Asia/Kathmandu', '2026-10-06T18:00', '2026-10-06', 23],
    ['Asia/Kathmandu', '2026-10-06T18:15', '2026-10-07', 0],
    ['America/New_York', '2026-11-01T05:45', '2026-11-01', 1],
    ['America/New_York', '2026-11-01T06:00', '2026-11-01', 1],
    ['America/New_York', '2026-03-08T06:45', '2026-03-08', 1],
    ['America/New_York', '2026-03-08T07:00', '2026-03-08', 3],
    ['Pacific/Kiritimati', '2026-12-31T10:00', '2027-01-01', 0],
  ])('in %s %s is %s, %i o’clock', (name, quarter, day, hour) => {
    const { days, hours } = inZone(name, [row(1, quarter, 3)]);
    expect(days).toEqual([{ day, sessions: 1, messages: 3 }]);
    expect(hours.map((count, at) => (count > 0 ? at : -1)).filter((at) => at >= 0)).toEqual([hour]);
  });

  test('a session counts once a day, however many messages it has', () => {
    const { days, sessions, messages } = tallyActivity([
      row(1, '2026-10-06T08:00', 2),
      row(1, '2026-10-06T19:45', 3),
      row(2, '2026-10-06T08:00', 1),
      row(1, '2026-10-07T08:00', 1),
    ]);
    expect(days).toEqual([
      { day: '2026-10-06', sessions: 2, messages: 6 },
      { day: '2026-10-07', sessions: 1, messages: 1 },
    ]);
    expect({ sessions, messages }).toEqual({ sessions: 2, messages: 7 });
  });

  test('a message without a time counts but has no day', () => {
    expect(tallyActivity([row(1, null, 2)])).toMatchObject({ sessions: 1, messages: 2, days: [] });
  });

  test('gives the same as computing the local day of each message', () => {
    const moment = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-01-01') });
    const zones = fc.constantFrom(
      'UTC',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Europe/Berlin',
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), moment), { minLength: 1, maxLength: 40 }),
        zones,
        (said, name) => {
          const { days, hours, messages } = inZone(
            name,
            said.map(([session, ms]) => rowAt(session, ms)),
          );
          const expected = new Map<string, number>();
          for (const [, ms] of said)
            expected.set(toDay(new Date(ms)), (expected.get(toDay(new Date(ms))) ?? 0) + 1);
          expect(new Map(days.map((day) => [day.day, day.messages]))).toEqual(expected);
          for (let hour = 0; hour < 24; hour++)
            expect(hours[hour]).toBe(said.filter(([, ms]) => new Date(ms).getHours() === hour).length);
          expect(messages).toBe(said.length);
        },
      ),
    );
  });
});

test('projects and models of the counted sessions, subagents separately', () => {
  const user = (
    id: number,
    project: string | null,
    models: string[],
    isSubagent = false,
  ): CountedSession => ({
    id,
    isSubagent,
    project,
    models: JSON.stringify(models),
  });
  const tally = tallyActivity([row(1, '2026-10-06T08:00', 5), row(2, null, 1), row(3, null, 9)]);
  const users = [
    user(1, '/a', ['opus']),
    user(2, '/a', ['opus', 'haiku']),
    user(3, null, []),
    user(4, '/a', ['opus']),
    user(5, '/a', ['haiku'], true),
  ];
  expect(countProjects(tally, users)).toEqual([
    { path: null, sessions: 1, messages: 9 },
    { path: '/a', sessions: 2, messages: 6 },
  ]);
  expect(countModels(tally, users)).toEqual([
    { model: 'opus', sessions: 2, subagents: 0 },
    { model: 'haiku', sessions: 1, subagents: 1 },
  ]);
});
