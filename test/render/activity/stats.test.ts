// The statistics page: golden screens of the demo home, and lines that fit whatever text they contain.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Activity, readActivityOf, tallyActivity, toDay } from '../../../src/api/activity.ts';
import type { ActivityRequest } from '../../../src/api/requests.ts';
import { formatStatsPage } from '../../../src/render/activity.ts';
import { quarterMs } from '../../../src/store/read/activity.ts';
import { readScope } from '../../../src/store/read/scope.ts';
import { readListed, readRecentIds } from '../../../src/store/read/sessions.ts';
import { noFilters } from '../../../src/store/word-index.ts';
import { type Indexed, indexed, now } from '../../search/ask.ts';
import { toHost, withDirectory } from '../../support/host.ts';
import { anyText, hit, toPlain } from '../made-hits.ts';

const plain = { columns: 80, useColor: false, now, homeDir: '/home/maya' };

describe('the demo home', () => {
  let index: Indexed;
  beforeAll(async () => {
    index = await indexed(() => {}, ['fixtures/demo-home']);
  });
  afterAll(() => index.close());

  /** Three of the longest are enough for a screen. */
  function gather(request: ActivityRequest = {}): Activity {
    const activity = readActivityOf(toHost(index.home), index.store, request);
    return { ...activity, longest: activity.longest.slice(0, 3).map(withDirectory) };
  }

  test.each([80, 40, 200])('golden screen of %d columns', async (columns) => {
    const page = `${formatStatsPage(gather(), { ...plain, columns })}\n`;
    await expect(page).toMatchFileSnapshot(`golden/stats-${columns}.txt`);
    for (const line of page.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
    expect(toPlain(formatStatsPage(gather(), { ...plain, columns, useColor: true }))).toBe(page.trimEnd());
  });

  test('counts the listed sessions and their messages once', () => {
    const { db } = index.store;
    const { ids, total } = readRecentIds(db, readScope(db, noFilters), 1000, false);
    const { tally } = gather();
    expect(tally.sessions).toBe(total);
    const listed = readListed(db, ids).reduce((sum, { session }) => sum + session.messageCount, 0);
    expect(tally.messages).toBe(listed);
    expect(db.prepare('select count(*) from message').pluck().get()).toBeGreaterThan(listed);
  });

  test('a period has the messages in it, and adjacent periods together have them all', () => {
    const whole = gather().tally.messages;
    for (const moment of [
      '2026-09-01T00:00:00.000Z',
      '2026-10-06T09:00:00.000Z',
      '2026-10-28T12:00:00.000Z',
    ]) {
      const before = new Date(Date.parse(moment) - 1).toISOString();
      const [early, late] = [gather({ until: before }), gather({ since: moment })];
      expect(early.tally.messages + late.tally.messages).toBe(whole);
      expect(early.tally.messages).toBeGreaterThan(0);
      expect(late.tally.days.every(({ day }) => day >= moment.slice(0, 10))).toBe(true);
    }
  });
});

test('any text: every line fits, nothing active is printed', () => {
  const count = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 1e8 }));
  const made = fc.record({ name: anyText, count });
  const moments = fc.integer({ min: Date.parse('2020-01-01'), max: now.getTime() });
  fc.assert(
    fc.property(
      fc.array(made, { minLength: 1, maxLength: 9 }),
      fc.array(fc.tuple(moments, count), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 30, max: 220 }),
      (each, said, columns) => {
        const rows = said.map(([ms, messages], sessionId) => {
          return { sessionId, quarter: Math.floor(ms / quarterMs), messages, prompts: 1 };
        });
        const page = formatStatsPage(
          {
            period: { since: null, until: null },
            tally: tallyActivity(rows),
            subagents: 3,
            projects: each.map(({ name, count }) => ({ path: name, sessions: count, messages: count })),
            models: each.map(({ name, count }) => ({ model: name, sessions: count, subagents: count })),
            tools: each.map(({ name, count }) => ({ name, calls: count, failed: count })),
            longest: each.slice(0, 2).map(({ name }) => hit({ title: name, project: name })),
            today: toDay(now),
            emptiness: null,
          },
          { ...plain, columns },
        );
        for (const line of page.split('\n'))
          expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
        expect(page).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      },
    ),
    { numRuns: 200 },
  );
});
