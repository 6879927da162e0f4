// Sessions as every list shows them, a numbered title and a line of facts, and the pages made of them, with their JSON: the
// list, the projects, the sessions that touched a file. Every line fits the terminal. Search results are in hits.ts.

import type { FileHistory, Fresh, ListAnswer, ListedSession, ProjectsAnswer } from '../api/answers.ts';
import { recall, resultsFooters, toHintText } from '../hints.ts';
import { importedMachine, maxListed, type Note, sessionKinds } from '../records.ts';
import type { SessionInfo } from '../store/word-index.ts';
import { toPrintableLine } from '../text/printable.ts';
import { chooseColors } from './colors.ts';
import {
  clip,
  clipPath,
  formatTable,
  hang,
  leastPathColumns,
  pad,
  uncutColumns,
  widthOf,
} from './columns.ts';
import { toFreshnessJson, toSessionJson } from './json.ts';
import { formatAgo, formatBytes, formatCount, formatDayHeading, formatNumbered } from './quantities.ts';

export interface SessionLineOptions {
  readonly columns: number;
  readonly useColor: boolean;
  readonly now: Date;
  readonly homeDir: string;
  readonly isQuiet?: boolean;
  /** The projects of the sessions that are shown together: one that is shortened keeps what tells it from the others. */
  readonly projects?: readonly string[];
  /** Added to every suggested command. */
  readonly givenFlags?: string;
}

const wideColumns = 120;

/** Sessions by day, newest first. A narrow terminal shows two lines for each, a wide one shows a table. */
export function formatListPage(
  { sessions: listed, total, currentId }: ListAnswer,
  given: SessionLineOptions,
): string {
  const options = { ...given, projects: listProjectsOf(listed, given.homeDir) };
  const { columns, now } = options;
  const colors = chooseColors(options.useColor);
  const longestTitle = Math.max(...listed.map(({ session }) => widthOf(toStarredTitle(session))));
  const titleColumns = Math.min(longestTitle, Math.floor(columns / 2));
  const isWide = columns >= wideColumns && columns < uncutColumns;
  const lines: string[] = [];
  let heading = '';
  for (const [i, each] of listed.entries()) {
    const day = formatDayHeading(each.session.modifiedAt, now);
    if (day !== heading) lines.push(...(i === 0 ? [] : ['']), colors.cyan(clip(day, columns)));
    heading = day;
    const entry = { ...each, marks: each.session.nativeId === currentId ? [currentMark] : [] };
    if (!isWide) lines.push(...formatSessionLines(entry, i + 1, options));
    else {
      const label = formatLabel(i + 1);
      const title = pad(clip(toStarredTitle(each.session), titleColumns), titleColumns);
      const facts = formatFacts(entry, options, columns - label.length - 1 - titleColumns - 2);
      lines.push(`${colors.dim(label)} ${colors.bold(title)}  ${colors.dim(facts)}`);
    }
  }
  return [...lines, ...formatListFooter(listed, total, options)].join('\n');
}

export function toListJson({ sessions, total, freshness }: Fresh<ListAnswer>) {
  return {
    schemaVersion: 2,
    total,
    freshness: toFreshnessJson(freshness),
    sessions: sessions.map((each, i) => ({ rank: i + 1, ...toSessionJson(each) })),
  };
}

export function formatProjectsPage({ projects, total }: ProjectsAnswer, options: SessionLineOptions): string {
  const { columns, useColor, now, homeDir } = options;
  const colors = chooseColors(useColor);
  const isAnyGone = projects.some((project) => project.exists === false);
  const rows = projects.map((project) => [
    project.path === null ? '(unknown)' : shortenPath(toPrintableLine(project.path), homeDir) || '(no name)',
    formatAgo(project.lastUsedAt, now),
    ...(isAnyGone ? [project.exists === false ? 'gone' : ''] : []),
    formatCount(project.sessions),
    formatCount(project.messages),
    formatBytes(project.textChars),
    project.diskBytes === 0 ? '–' : formatBytes(project.diskBytes),
  ]);
  const [heading = '', ...lines] = formatTable(
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
  const counts = { shown: projects.length, total, of: formatNumbered(total, 'project') };
  const footer = fitFooter(counts, [`its sessions: ${command}`, command], columns);
  return [colors.dim(heading), ...lines, ...formatPageFooter(footer, options)].join('\n');
}

export function toProjectsJson({ projects, total }: ProjectsAnswer) {
  return {
    schemaVersion: 3,
    total,
    projects: projects.map(({ id: _, path, exists, ...counts }) => ({ path, exists, ...counts })),
  };
}

export function formatFilesPage(
  { files, sessions, total }: FileHistory,
  given: SessionLineOptions,
  maxFiles = 10,
): string {
  const options = { ...given, projects: listProjectsOf(sessions, given.homeDir) };
  const { columns, useColor, homeDir } = options;
  const lines = formatFiles(files, options, maxFiles);
  for (const [i, each] of sessions.entries()) {
    const { indent, room } = planIndent(i + 1, columns);
    const bySubagents = each.subagentCalls === 0 ? '' : ` (${formatCount(each.subagentCalls)} by subagents)`;
    const paths = each.files.map(({ path }) => shortenPath(toPrintableLine(path), homeDir)).join(', ');
    const touched = `${formatTools(each.tools)}${bySubagents}${files.length === 1 ? '' : `  ${paths}`}`;
    lines.push('', ...formatSessionLines({ ...each, marks: [] }, i + 1, options));
    lines.push(`${indent}${chooseColors(useColor).cyan(clip(touched, room))}`);
  }
  return [...lines, ...formatListFooter(sessions, total, options)].join('\n');
}

function formatFiles(
  files: FileHistory['files'],
  { columns, useColor, homeDir }: SessionLineOptions,
  maxFiles: number,
) {
  const colors = chooseColors(useColor);
  const rows = files
    .slice(0, maxFiles)
    .map(({ path, sessions, tools }) => [
      shortenPath(toPrintableLine(path), homeDir),
      formatNumbered(sessions, 'session'),
      formatTools(tools),
    ]);
  if (files.length <= 1) return rows.map(([path = '']) => colors.bold(clipPath(path, columns)));
  const table = formatTable(
    [
      { title: '', paint: colors.bold },
      { title: '', side: 'right' },
      { title: '', paint: colors.cyan },
    ],
    rows,
    { width: columns - 2, isPath: true },
  );
  const left = files.length - maxFiles;
  const more = `  and ${formatNumbered(left, 'more file', 'more files')}`;
  return [
    clip(formatNumbered(files.length, 'file'), columns),
    ...table.map((line) => `  ${line}`),
    ...(left > 0 ? [colors.dim(clip(more, columns))] : []),
  ];
}

function formatTools(tools: FileHistory['files'][number]['tools']): string {
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

const currentMark = 'this session';

type SessionEntry = ListedSession & { readonly marks: readonly string[] };

export function formatSessionLines(
  entry: SessionEntry,
  number: number,
  options: SessionLineOptions,
): string[] {
  const colors = chooseColors(options.useColor);
  const { indent, room } = planIndent(number, options.columns);
  const title = clip(toStarredTitle(entry.session), room);
  return [
    `${colors.dim(formatLabel(number))} ${colors.bold(title)}`,
    `${indent}${colors.dim(formatFacts(entry, options, room))}`,
  ];
}

export function planIndent(number: number, columns: number): { indent: string; room: number } {
  const indent = ' '.repeat(formatLabel(number).length + 1);
  return { indent, room: Math.max(10, columns - indent.length) };
}

function formatLabel(number: number): string {
  return `${number}`.padStart(2);
}

export function toTitle({ title }: Pick<SessionInfo, 'title'>): string {
  return toPrintableLine(title ?? '') || '(untitled)';
}

/** With a star where a person gave it one. */
export function toStarredTitle({ title, labels }: Pick<SessionInfo, 'title' | 'labels'>): string {
  return `${labels.isStarred ? '★ ' : ''}${toTitle({ title })}`;
}

const maxShownTags = 3;

/** `#billing #urgent +2`. */
export function formatTags({ labels: { tags } }: Pick<SessionInfo, 'labels'>): string {
  const more = tags.length > maxShownTags ? [`+${tags.length - maxShownTags}`] : [];
  return [...tags.slice(0, maxShownTags).map((tag) => `#${toPrintableLine(tag)}`), ...more].join(' ');
}

/** `66c737db:12: the fix` for a note on a message. */
export function formatNote(
  session: Pick<SessionInfo, 'nativeId'>,
  { message, position, text }: Note,
): string {
  if (message === null) return toPrintableLine(text);
  const where = position === null ? 'on a message that is gone' : formatReference(session, position);
  return `${where}: ${toPrintableLine(text)}`;
}

/** A session and what a person says of it, a line for each. */
export function formatLabels(session: SessionInfo): string {
  const { name, isStarred, tags, notes } = session.labels;
  const lines = [
    ...(name === null ? [] : [`name  ${toPrintableLine(name)}`]),
    ...(isStarred ? ['star  ★'] : []),
    ...(tags.length === 0 ? [] : [`tags  ${tags.map((tag) => `#${toPrintableLine(tag)}`).join(' ')}`]),
    ...notes.map((note) => `note  ${formatNote(session, note)}`),
  ];
  return [
    `${shortenId(session.nativeId)}  ${toTitle(session)}`,
    ...(lines.length === 0 ? ['no labels'] : lines).map((line) => `  ${line}`),
  ].join('\n');
}

/** The reference that names this session to a command. */
export function toReference({ nativeId, machine }: Pick<SessionInfo, 'nativeId' | 'machine'>): string {
  return machine === null ? nativeId : `${nativeId}@${machine}`;
}

/** `laptop`, or `ann@laptop` where it is somebody else's; nothing for a session of this machine. */
export function formatMachine({ machine, owner }: Pick<SessionInfo, 'machine' | 'owner'>): string {
  if (machine === null) return '';
  if (machine === importedMachine) return `imported from ${toPrintableLine(owner ?? 'yourself')}`;
  return toPrintableLine(owner === null ? machine : `${owner}@${machine}`);
}

/** With fewer columns, a project or a branch is no longer useful. */
const minColumns = 10;
/** What tells a project from others is worth this much of the line, at the cost of the branch. */
const leastShare = 0.3;

/** If not all facts fit, first what is missing is said in fewer words, then the project and the branch are shortened, then counts are left out. */
function formatFacts(
  { session, copies, resumption, marks }: SessionEntry,
  { now, homeDir, projects = [] }: SessionLineOptions,
  room: number,
): string {
  const id = shortenId(session.nativeId);
  const project = toPrintableLine(shortenPath(session.project ?? '', homeDir));
  const branch = session.branch === 'HEAD' ? '' : toPrintableLine(session.branch ?? '');
  const messages = formatNumbered(session.messageCount, 'message');
  const copied = copies > 0 ? `+${formatNumbered(copies, 'copy', 'copies')}` : '';
  const branched = session.branchedFrom === null ? '' : `branched from ${shortenId(session.branchedFrom)}`;
  const listRest = (missing: string) => [
    formatTags(session),
    session.isOfSeveral ? session.agent : '',
    formatMachine(session),
    formatAgo(session.modifiedAt, now),
    messages,
    copied,
    branched,
    sessionKinds[session.kind].mark,
    // The kind already says that only prompts are left.
    session.kind === 'history' ? '' : missing,
    resumption.live === null || marks.includes(currentMark) ? '' : 'running',
    ...marks,
  ];
  const join = (...facts: string[]) => facts.filter((fact) => fact !== '').join('  ');
  const missing = findDeleted({ session, resumption });
  const deleted = `transcript deleted${isOnlyCopy({ session, resumption }) ? ', copy kept' : ''}`;
  const fullRest = listRest(missing.transcript ? deleted : missing.directory === null ? '' : directoryGone);
  const isTight = widthOf(join(id, project, branch, ...fullRest)) > room;
  let rest = isTight ? listRest(formatShortDeleted({ session, resumption })) : fullRest;
  const excessOf = (...place: string[]) => widthOf(join(id, ...place, ...rest)) - room;
  const least = Math.max(minColumns, Math.min(room * leastShare, leastPathColumns(project, projects)));
  const leastProject = clipPath(project, Math.min(widthOf(project), least), projects);
  for (const spare of [...marks, copied, branched, messages].filter((each) => each !== currentMark))
    if (excessOf(leastProject) > 0) rest = rest.filter((fact) => fact !== spare);
  const shortProject = clipPath(project, reduceWidth(project, excessOf(project, branch), least), projects);
  const shortBranch = clip(branch, reduceWidth(branch, excessOf(shortProject, branch)));
  if (excessOf(shortProject, shortBranch) <= 0) return join(id, shortProject, shortBranch, ...rest);
  const alone = clipPath(project, reduceWidth(project, excessOf(project), least), projects);
  return clip(join(id, alone, ...rest), room);
}

function reduceWidth(text: string, excess: number, least = minColumns): number {
  const width = widthOf(text);
  return Math.max(width - Math.max(0, excess), Math.min(width, least));
}

const directoryGone = 'directory gone';

type ListedResumption = Pick<ListedSession, 'session' | 'resumption'>;

/** What of a session is no longer on disk, by the rule that says whether it can be resumed. */
export function findDeleted({ session, resumption }: ListedResumption) {
  const isOwn = resumption.nativeId === session.nativeId;
  const isHere = session.machine === null;
  const transcript = isOwn ? resumption.obstacle === 'transcript-deleted' : session.isDeleted && isHere;
  return { transcript, directory: isOwn && isHere && !transcript ? resumption.goneDirectory : null };
}

export function formatShortDeleted(listed: ListedResumption): string {
  const { transcript, directory } = findDeleted(listed);
  return transcript ? 'deleted' : directory === null ? '' : directoryGone;
}

function isOnlyCopy(listed: ListedResumption): boolean {
  return listed.resumption.restorable === 'archive' && findDeleted(listed).transcript;
}

/** The projects of sessions that are shown together, as they are shown: for `SessionLineOptions.projects`. */
export function listProjectsOf(listed: readonly Pick<ListedSession, 'session'>[], homeDir: string): string[] {
  return [
    ...new Set(listed.map(({ session }) => toPrintableLine(shortenPath(session.project ?? '', homeDir)))),
  ];
}

export function shortenPath(path: string, homeDir: string): string {
  return path === homeDir || path.startsWith(`${homeDir}/`) ? `~${path.slice(homeDir.length)}` : path;
}

export function formatListFooter(
  listed: readonly ListedResumption[],
  total: number,
  options: SessionLineOptions,
  isExact = true,
): string[] {
  const of = `${isExact ? '' : 'more than '}${formatNumbered(total, 'session')}`;
  const lines = fitFooter({ shown: listed.length, total, of }, formatNextCommands(options), options.columns);
  if (listed.some(isOnlyCopy))
    lines.push(`to bring a deleted one back: recall open <number> --restore${options.givenFlags ?? ''}`);
  return formatPageFooter(lines, options);
}

/** A command to type stays on one line wherever one is wide enough for it. `nexts` say what to do, the longest first. */
function fitFooter(
  { shown, total, of }: { shown: number; total: number; of: string },
  nexts: readonly [longer: string, shorter: string],
  columns: number,
): string[] {
  const fits = (line: string) => widthOf(line) <= columns;
  const count = `${formatCount(shown)} of ${of}`;
  const more = total > shown ? [`more: --limit ${Math.min(total, shown * 3, maxListed)}`] : [];
  const line = nexts.map((next) => [count, next, ...more].join('   ')).find(fits);
  if (line !== undefined) return [line];
  const counts = [count, ...more].join('   ');
  return [...(fits(counts) ? [counts] : [count, ...more]), nexts.find(fits) ?? nexts[1]];
}

export function formatNextCommand(options: SessionLineOptions): string {
  const nexts = formatNextCommands(options);
  return nexts.find((next) => widthOf(next) <= options.columns) ?? nexts[1];
}

function formatNextCommands({ givenFlags = '' }: SessionLineOptions): [longer: string, shorter: string] {
  return [`${resultsFooters[0]}${givenFlags}`, `${resultsFooters[1]}${givenFlags}`];
}

export function formatPageFooter(
  lines: readonly string[],
  { columns, useColor, isQuiet }: SessionLineOptions,
): string[] {
  if (isQuiet) return [];
  return ['', ...lines.flatMap((line) => hang(line, '', columns)).map(chooseColors(useColor).dim)];
}

/** The version of a UUID is the first digit of its third group. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-(.)/i;

/** Only the start of a UUID identifies a session. One of version 7 starts with the time, and needs its second group. */
export function shortenId(nativeId: string): string {
  const version = uuid.exec(nativeId)?.[1];
  if (version === undefined) return toPrintableLine(nativeId);
  return toPrintableLine(nativeId.slice(0, version === '7' ? 13 : 8));
}

/** `66c737db:12`, the twelfth message of that session. Transcripts only ever grow, so a message keeps its number. */
export function formatReference(session: Pick<SessionInfo, 'nativeId'>, position: number): string {
  return `${shortenId(session.nativeId)}:${position}`;
}
