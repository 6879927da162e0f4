// The table of projects: golden screens of the demo home, numbers that agree with the list, and lines that fit.

import fc from 'fast-check';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProjectsAnswer } from '../../../src/api/answers.ts';
import { listProjects } from '../../../src/api/projects.ts';
import { formatProjectsPage } from '../../../src/render/sessions.ts';
import { readScope } from '../../../src/store/read/scope.ts';
import { readRecentIds } from '../../../src/store/read/sessions.ts';
import { noFilters } from '../../../src/store/word-index.ts';
import { type Indexed, indexed, now } from '../../search/ask.ts';
import { toHost } from '../../support/host.ts';
import { anyText, toPlain } from '../made-hits.ts';

const plain = { columns: 80, useColor: false, now, homeDir: '/home/maya' };
type ListedProject = ProjectsAnswer['projects'][number];
const answer = (projects: readonly ListedProject[], total: number) => ({ projects, total, emptiness: null });

describe('the demo home', () => {
  let index: Indexed;
  let projects: ListedProject[];
  beforeAll(async () => {
    index = await indexed(() => {}, ['fixtures/demo-home']);
    const all = listProjects(toHost(index.home), index.store, { sort: 'name', limit: 1000 });
    projects = all.projects.map((project) => ({
      ...project,
      exists: project.path === null ? null : project.path.includes('shop'),
    }));
  });
  afterAll(() => index.close());

  test.each([80, 40, 200])('golden screen of %d columns', async (columns) => {
    const page = `${formatProjectsPage(answer(projects, 30), { ...plain, columns })}\n`;
    await expect(page).toMatchFileSnapshot(`golden/projects-${columns}.txt`);
    for (const line of page.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
    expect(toPlain(formatProjectsPage(answer(projects, 30), { ...plain, columns, useColor: true }))).toBe(
      page.trimEnd(),
    );
  });

  test('counts the sessions that a list of the project shows', () => {
    const { db } = index.store;
    for (const { id, sessions } of projects.filter((project) => project.id !== null)) {
      const scope = readScope(db, { ...noFilters, only: { project: [id as number] } });
      expect(readRecentIds(db, scope, 1, false).total).toBe(sessions);
    }
    const sum = (field: 'sessions' | 'diskBytes') =>
      projects.reduce((total, project) => total + project[field], 0);
    expect(sum('sessions')).toBe(readRecentIds(db, readScope(db, noFilters), 1, false).total);
    expect(sum('diskBytes')).toBeGreaterThan(0);
  });
});

test('any path and any number: every line fits, nothing active is printed', () => {
  const count = fc.oneof(fc.nat(20), fc.nat(1e9));
  const made = fc.record({
    path: fc.option(anyText),
    exists: fc.option(fc.boolean()),
    sessions: count,
    messages: count,
    textChars: count,
    diskBytes: count,
  });
  fc.assert(
    fc.property(
      fc.array(made, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 20, max: 220 }),
      (each, columns) => {
        const some: ListedProject[] = each.map((project) => ({
          id: 1,
          subagents: 0,
          lastUsedAt: '2026-10-01T10:00:00.000Z',
          ...project,
        }));
        const page = formatProjectsPage(answer(some, 9), { ...plain, columns });
        for (const line of page.split('\n'))
          expect(stringWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
        expect(page).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      },
    ),
    { numRuns: 300 },
  );
});
