// Sessions by day, newest first. A narrow terminal shows two lines for each, a wide one shows a table.

import type { ListAnswer, ListedSession } from '../../api/list.ts';
import type { Fresh } from '../../api/recall.ts';
import { toColors } from '../colors.ts';
import { clip, pad, uncutColumns, widthOf } from '../columns.ts';
import { formatDayHeading } from '../times.ts';
import { toFreshnessJson, toSessionJson } from './hits-json.ts';
import {
  currentMark,
  type SessionEntry,
  type SessionLineOptions,
  toFacts,
  toLabel,
  toListFooter,
  toSessionLines,
  toTitle,
} from './session-lines.ts';

/** From this width on, a title and its facts share one line. */
const wideColumns = 120;

export function toListPage(
  { sessions: listed, total, currentId }: ListAnswer,
  options: SessionLineOptions,
): string {
  const colors = toColors(options.useColor);
  const titleColumns = toTitleColumns(listed, options);
  const lines: string[] = [];
  let heading = '';
  for (const [i, each] of listed.entries()) {
    const { session } = each;
    const day = formatDayHeading(session.modifiedAt, options.now);
    if (day !== heading) lines.push(...(i === 0 ? [] : ['']), colors.cyan(clip(day, options.columns)));
    heading = day;
    const marks = session.nativeId === currentId ? [currentMark] : [];
    const entry: SessionEntry = { ...each, marks };
    if (options.columns >= wideColumns && options.columns < uncutColumns)
      lines.push(toWideLine(entry, i + 1, titleColumns, options));
    else lines.push(...toSessionLines(entry, i + 1, options));
  }
  return [...lines, ...toListFooter(listed, total, options)].join('\n');
}

/** As wide as the longest title, up to half the line. */
function toTitleColumns(listed: readonly ListedSession[], { columns }: SessionLineOptions): number {
  const longest = Math.max(...listed.map(({ session }) => widthOf(toTitle(session))));
  return Math.min(longest, Math.floor(columns / 2));
}

function toWideLine(
  entry: SessionEntry,
  number: number,
  titleColumns: number,
  options: SessionLineOptions,
): string {
  const colors = toColors(options.useColor);
  const label = toLabel(number);
  const title = pad(clip(toTitle(entry.session), titleColumns), titleColumns);
  const room = options.columns - label.length - 1 - titleColumns - 2;
  const facts = toFacts(entry, options, room);
  return `${colors.dim(label)} ${colors.bold(title)}  ${colors.dim(facts)}`;
}

export function toListJson({ sessions, total, freshness }: Fresh<ListAnswer>) {
  return {
    schemaVersion: 2,
    total,
    freshness: toFreshnessJson(freshness),
    sessions: sessions.map((each, i) => ({ rank: i + 1, ...toSessionJson(each) })),
  };
}
