// The list of sessions: golden screens of the demo home, headings by day, and lines that fit whatever text they contain.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListAnswer } from '../../../src/api/answers.ts';
import { listSessions } from '../../../src/api/list.ts';
import type { ListRequest } from '../../../src/api/requests.ts';
import { formatDayHeading } from '../../../src/render/quantities.ts';
import { formatListPage, formatSessionLines, type SessionLineOptions } from '../../../src/render/sessions.ts';
import { type Indexed, indexed, now } from '../../search/ask.ts';
import { toHost, withDirectory } from '../../support/host.ts';
import { anyText, hit, toPlain } from '../made-hits.ts';

const plain: SessionLineOptions = { columns: 80, useColor: false, now, homeDir: '/home/maya' };

describe('golden screens', () => {
  let index: Indexed;
  beforeAll(async () => {
    index = await indexed(() => {}, ['fixtures/demo-home']);
  });
  afterAll(() => index.close());

  const list = (request: ListRequest): ListAnswer => {
    const answer = listSessions(toHost(index.home), index.store, request);
    return { ...answer, sessions: answer.sessions.map(withDirectory) };
  };
  const screen = (options: Partial<SessionLineOptions> = {}, some: Partial<ListAnswer> = {}) =>
    `${formatListPage({ ...list({ limit: 8 }), ...some }, { ...plain, ...options })}\n`;

  test.each([
    ['list-80', { columns: 80 }],
    ['list-40', { columns: 40 }],
    ['list-200', { columns: 200 }],
  ] as const)('%s', async (name, options) => {
    const currentId = list({ limit: 2 }).sessions[1]?.session.nativeId ?? '';
    const page = screen(options, { currentId });
    await expect(page).toMatchFileSnapshot(`golden/${name}.txt`);
    for (const line of page.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(options.columns);
  });

  test('colour adds nothing but colour', () => {
    for (const columns of [40, 80, 200])
      expect(toPlain(screen({ columns, useColor: true }))).toBe(screen({ columns }));
  });

  test('shows the newest of several copies, subagents only on request, and filters before it limits', () => {
    const all = list({ limit: 100 });
    expect(all.total).toBe(all.sessions.length);
    expect(new Set(all.sessions.map(({ session }) => session.conversationId)).size).toBe(all.total);
    expect(all.sessions.some(({ copies }) => copies > 0)).toBe(true);
    expect(all.sessions.map(({ session }) => session.kind)).not.toContain('subagent');
    const agents = list({ kind: 'subagent', limit: 100, subagents: true });
    expect(new Set(agents.sessions.map(({ session }) => session.kind))).toEqual(new Set(['subagent']));
    const { sessions, total } = list({ branch: 'main', limit: 1 });
    expect(sessions[0]?.session.branch).toBe('main');
    expect(total).toBeGreaterThan(1);
  });

  test('a role selects the sessions in which it spoke', () => {
    const spoke = list({ role: 'assistant', limit: 100 }).sessions.map(({ session }) => session.kind);
    expect(spoke).toContain('main');
    expect(spoke).not.toContain('history');
    expect(list({ limit: 100 }).sessions.map(({ session }) => session.kind)).toContain('history');
  });
});

describe('any text', () => {
  const made = fc.record({ title: anyText, project: anyText, branch: anyText });

  test('every line fits, and nothing active is printed', () => {
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 24, max: 220 }),
        (each, columns) => {
          const answer = { sessions: each.map(hit), total: 5, currentId: null, emptiness: null };
          const page = formatListPage(answer, { ...plain, columns });
          for (const line of page.split('\n'))
            expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
          expect(page).not.toMatch(
            /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
          );
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('what is missing', () => {
  const page = (project: string, columns: number) => {
    const made = hit({ project });
    const gone = { ...made, resumption: { ...made.resumption, obstacle: null, goneDirectory: project } };
    return formatListPage(
      { sessions: [gone], total: 1, currentId: null, emptiness: null },
      { ...plain, columns },
    );
  };

  test('is said in the same words, however wide the terminal is', () => {
    const project = '/srv/maya/a-long-name-of-a-shop';
    for (const columns of [120, 96, 80]) expect(page(project, columns)).toMatch(/ directory gone$/m);
  });

  // `directory gone  11…`: a piece of a number says nothing.
  test('is said whole; a count that has no room beside it is left out', () => {
    const made = hit({ project: '/srv/maya/a-long-name-of-a-shop', branch: 'main' });
    const resumption = { ...made.resumption, obstacle: null, goneDirectory: '/srv/maya' };
    const lines = formatSessionLines({ ...made, copies: 2, resumption, marks: ['1,114 matches'] }, 1, {
      ...plain,
      columns: 64,
    });
    expect(lines[1]).toMatch(/ directory gone$/);
    expect(lines.join()).not.toMatch(/match|cop/);
  });

  test('projects that end alike can be told apart in 80 columns', () => {
    const projects = ['a', 'b', 'c'].map((name) => `/srv/maya/builds/tree-${name}/packages/build/dl`);
    const sessions = projects.map((project) => hit({ project, branch: 'feature/a-long-branch-name' }));
    const shown = formatListPage(
      { sessions, total: 3, currentId: null, emptiness: null },
      { ...plain, columns: 80 },
    );
    for (const name of ['a', 'b', 'c']) expect(shown).toContain(`/tree-${name}/`);
  });
});

describe('headings', () => {
  test.each([
    ['2026-11-16T00:00:00.000Z', 'Today'],
    ['2026-11-15T23:59:59.999Z', 'Yesterday'],
    ['2026-11-15T00:00:00.000Z', 'Yesterday'],
    ['2026-11-14T23:59:59.999Z', 'Sat, Nov 14'],
    ['2025-12-31T12:00:00.000Z', 'Wed, 2025-12-31'],
    ['2026-11-18T12:00:00.000Z', 'Wed, Nov 18'],
    ['no time', 'At an unknown time'],
    [null, 'At an unknown time'],
  ])('%s: %s', (iso, heading) => {
    expect(formatDayHeading(iso, now)).toBe(heading);
  });

  test('use the local day, also when the clocks change', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'America/New_York';
    try {
      // Clocks went back on the 1st: the day has 25 hours.
      const monday = new Date('2026-11-02T05:30:00.000Z');
      expect(formatDayHeading('2026-11-02T05:00:00.000Z', monday)).toBe('Today');
      expect(formatDayHeading('2026-11-02T04:59:00.000Z', monday)).toBe('Yesterday');
      expect(formatDayHeading('2026-11-01T04:00:00.000Z', monday)).toBe('Yesterday');
      expect(formatDayHeading('2026-11-01T03:59:00.000Z', monday)).toBe('Sat, Oct 31');
    } finally {
      process.env.TZ = zone;
    }
  });
});
