// The projects as a table for people and as JSON for scripts.

import type { ProjectsAnswer } from '../../api/projects.ts';
import { recall, toHintText } from '../../hints.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { formatBytes, formatCount, formatNumbered } from '../quantities.ts';
import { toTable } from '../table.ts';
import { formatAgo } from '../times.ts';
import { type SessionLineOptions, toFooter, toFooterLines, toShortPath } from './session-lines.ts';

export function toProjectsPage({ projects, total }: ProjectsAnswer, options: SessionLineOptions): string {
  const { columns, useColor, now, homeDir } = options;
  const colors = toColors(useColor);
  const isAnyGone = projects.some((project) => project.exists === false);
  const rows = projects.map((project) => [
    project.path === null ? '(unknown)' : toShortPath(toPrintableLine(project.path), homeDir) || '(no name)',
    formatAgo(project.lastUsedAt, now),
    ...(isAnyGone ? [project.exists === false ? 'gone' : ''] : []),
    formatCount(project.sessions),
    formatCount(project.messages),
    formatBytes(project.textChars),
    project.diskBytes === 0 ? '–' : formatBytes(project.diskBytes),
  ]);
  const [heading = '', ...lines] = toTable(
    [
      { title: 'project', paint: colors.bold },
      { title: 'last used', paint: colors.dim },
      ...(isAnyGone ? [{ title: '', paint: colors.yellow }] : []),
      { title: 'sessions', side: 'right' },
      { title: 'messages', side: 'right' },
      { title: 'text', side: 'right' },
      { title: 'on disk', side: 'right', paint: colors.dim },
    ],
    rows,
    { width: columns, isPath: true },
  );
  const command = toHintText(recall('list', '--project', '<name>'), options.givenFlags);
  const footer = toFooterLines(
    { shown: projects.length, total, of: formatNumbered(total, 'project') },
    [`its sessions: ${command}`, command],
    options,
  );
  return [colors.dim(heading), ...lines, ...toFooter(footer, options)].join('\n');
}

export function toProjectsJson({ projects, total }: ProjectsAnswer) {
  return {
    schemaVersion: 2,
    total,
    projects: projects.map(
      ({ path, exists, sessions, subagents, messages, lastUsedAt, textChars, diskBytes }) => ({
        path,
        exists,
        sessions,
        subagents,
        messages,
        lastUsedAt,
        textChars,
        diskBytes,
      }),
    ),
  };
}
