// The sessions that touched a file, each with the tools it used on it, and the files that matched.

import type { FileHistory } from '../../api/file-history.ts';
import type { Fresh } from '../../api/recall.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { toColors } from '../colors.ts';
import { clip, clipPath } from '../columns.ts';
import { formatCount, formatNumbered } from '../quantities.ts';
import { toTable } from '../table.ts';
import { toFreshnessJson, toSessionJson } from './hits-json.ts';
import {
  type SessionLineOptions,
  toIndent,
  toListFooter,
  toSessionLines,
  toShortPath,
} from './session-lines.ts';

type CountedFile = FileHistory['files'][number];

const maxFiles = 10;

export function toFilesPage(touched: FileHistory, options: SessionLineOptions): string {
  const colors = toColors(options.useColor);
  const hasOne = touched.files.length === 1;
  const lines = toFileLines(touched.files, options);
  for (const [i, each] of touched.sessions.entries()) {
    const { tools, subagentCalls, files } = each;
    const { indent, room } = toIndent(i + 1, options.columns);
    lines.push('', ...toSessionLines({ ...each, marks: [] }, i + 1, options));
    const bySubagents = subagentCalls === 0 ? '' : ` (${formatCount(subagentCalls)} by subagents)`;
    const paths = hasOne ? '' : `  ${files.map(({ path }) => toShown(path, options)).join(', ')}`;
    lines.push(`${indent}${colors.cyan(clip(`${toToolList(tools)}${bySubagents}${paths}`, room))}`);
  }
  return [...lines, ...toListFooter(touched.sessions, touched.total, options)].join('\n');
}

/** The file, or a table if there are several. */
function toFileLines(files: readonly CountedFile[], options: SessionLineOptions): string[] {
  const colors = toColors(options.useColor);
  const [only, ...others] = files;
  if (only === undefined) return [];
  if (others.length === 0) return [colors.bold(clipPath(toShown(only.path, options), options.columns))];
  const table = toTable(
    [
      { title: '', paint: colors.bold },
      { title: '', side: 'right' },
      { title: '', paint: colors.cyan },
    ],
    files
      .slice(0, maxFiles)
      .map(({ path, sessions, tools }) => [
        toShown(path, options),
        formatNumbered(sessions, 'session'),
        toToolList(tools),
      ]),
    { width: options.columns - 2, isPath: true },
  );
  const left = files.length - maxFiles;
  const more =
    left > 0
      ? [colors.dim(clip(`  and ${formatNumbered(left, 'more file', 'more files')}`, options.columns))]
      : [];
  const heading = clip(formatNumbered(files.length, 'file'), options.columns);
  return [heading, ...table.map((line) => `  ${line}`), ...more];
}

function toShown(path: string, { homeDir }: SessionLineOptions): string {
  return toShortPath(toPrintableLine(path), homeDir);
}

/** `Read ×3, Edit ×2`. */
function toToolList(tools: CountedFile['tools']): string {
  return tools.map(({ name, calls }) => `${toPrintableLine(name)} ×${formatCount(calls)}`).join(', ');
}

export function toFilesJson({ path, files, sessions, total, freshness }: Fresh<FileHistory>) {
  return {
    schemaVersion: 2,
    path,
    total,
    freshness: toFreshnessJson(freshness),
    files,
    sessions: sessions.map((each, i) => ({
      rank: i + 1,
      ...toSessionJson(each),
      tools: each.tools,
      subagentCalls: each.subagentCalls,
      files: each.files,
    })),
  };
}
