// The page of the archive on terminals of any height.

import { expect, test } from 'vitest';
import type { ArchiveStatus } from '../../src/api/archive/status.ts';
import { formatArchivePage } from '../../src/render/archive-page.ts';

const projects = Array.from({ length: 30 }, (_, i) => ({
  project: `/home/maya/project-${i}`,
  sessions: 2,
  bytes: 1000,
  transcriptBytes: 7000,
}));
const status: ArchiveStatus = {
  isOn: true,
  path: '/home/maya/archive',
  obstacle: null,
  sessions: 60,
  bytes: 30_000,
  transcriptBytes: 210_000,
  pending: 0,
  unkeepable: [],
  incomplete: [],
  expiringSoon: [],
  expiryDays: 7,
  projects,
};
const options = { columns: 80, useColor: false, homeDir: '/home/maya', now: new Date(0) };

test('fits on a terminal with its summary, and says how many projects it leaves out', () => {
  const lines = formatArchivePage(status, options, 24).split('\n');
  expect(lines.length).toBeLessThanOrEqual(22);
  expect(lines[0]).toContain('~/archive: on');
  expect(lines.at(-1)).toBe('and 15 more projects');
});

test('shows some projects on a very small one, and all of them in a pipe', () => {
  expect(formatArchivePage(status, options, 5)).toContain('and 27 more projects');
  const piped = formatArchivePage(status, options);
  expect(piped).toContain('project-29');
  expect(piped).not.toContain('more project');
});

test('names what cannot be kept', () => {
  const line = (changes: Partial<ArchiveStatus>) =>
    formatArchivePage({ ...status, ...changes }, options).split('\n')[2];
  const unkeepable = [{ program: 'OpenCode', sessions: 5 }];
  expect(line({})).toBe('not kept   none: all that is on disk is kept');
  expect(line({ unkeepable })).toBe('not kept   5 sessions of OpenCode, which cannot be kept');
  expect(line({ unkeepable, pending: 1 })).toBe(
    'not kept   1 session; 5 sessions of OpenCode, which cannot be kept',
  );
});
