// The projects as a table for people and as JSON for scripts.

import type { ProjectsAnswer } from '../../api/projects.ts';
import { recall, toHintText } from '../../hints.ts';
import { maxListed } from '../../records.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { widthOf } from '../columns.ts';
import { formatBytes, formatCount, formatNumbered } from '../quantities.ts';
import { toTable } from '../table.ts';
import { formatAgo } from '../times.ts';
import { type SessionLineOptions, toFooter, toShortPath } from './session-lines.ts';

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
  return [colors.dim(heading), ...lines, ...toProjectsFooter(projects.length, total, options)].join('\n');
}

/** A command to type stays on one line wherever one is wide enough for it. */
function toProjectsFooter(shown: number, total: number, options: SessionLineOptions): string[] {
  const fits = (line: string) => widthOf(line) <= options.columns;
  const more = total > shown ? [`more: --limit ${Math.min(total, shown * 3, maxListed)}`] : [];
  const count = `${formatCount(shown)} of ${formatNumbered(total, 'project')}`;
  const command = toHintText(recall('list', '--project', '<name>'), options.givenFlags);
  const next = `its sessions: ${command}`;
  const line = [count, next, ...more].join('   ');
  if (fits(line)) return toFooter([line], options);
  const counts = [count, ...more].join('   ');
  return toFooter([...(fits(counts) ? [counts] : [count, ...more]), fits(next) ? next : command], options);
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
