// The report of `recall doctor`: what the index contains, what is wrong, and what to do about it.

import type { Diagnosis, Finding, FindingCode } from '../api/upkeep/diagnose.ts';
import { type Hint, hint, recall, toHintText } from '../hints.ts';
import { maxSeq } from '../records.ts';
import type { Held } from '../store/upkeep/health.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatRatio } from './archive-page.ts';
import { clipPath, hang, widthOf } from './columns.ts';
import { formatBytes, formatCount, formatNumbered } from './quantities.ts';
import { type SessionLineOptions, shortenPath } from './sessions.ts';

const maxShown = 5;

const repair = hint`${recall('doctor', '--repair')}`;

type Wording = (finding: Finding, diagnosis: Diagnosis) => { readonly message: string; readonly fix: Hint };

const wordings: { readonly [Code in FindingCode]: Wording } = {
  'index-damaged': () => ({ message: 'the index file is damaged', fix: repair }),
  'words-damaged': () => ({ message: 'the full-text index is damaged or incomplete', fix: repair }),
  forgetting: () => ({
    message: 'something of forgotten sessions may be left',
    fix: hint`fix what each line says, then: ${recall('index')}`,
  }),
  'unreadable-files': ({ count }, { health }) => ({
    message: `${formatNumbered(count, 'file')} could not be read`,
    fix: hint`${chooseReadFix(health.failures.map(({ reason }) => reason))}, then: ${recall('index')}`,
  }),
  'missing-folder': ({ subject, hint: given }) => ({
    message: toPrintableLine(subject),
    fix: hint`${given ?? 'name another folder'}; what is indexed stays searchable`,
  }),
  'empty-folder': ({ subject, program, hint: given }) => ({
    message: `no ${program} sessions in ${toPrintableLine(subject)} yet`,
    fix: given ?? 'start one',
  }),
  unsettled: ({ count }) => ({
    message: `${formatNumbered(count, 'session')} left incomplete by an interrupted run`,
    fix: hint`${recall('index')}`,
  }),
  pending: ({ count }) => ({
    message: `${formatNumbered(count, 'file')} changed since the last index`,
    fix: hint`${recall('index')}`,
  }),
  obstacles: ({ count, hint: given }) => ({
    message: `${formatNumbered(count, 'place')} not searched for sessions`,
    fix: given ?? 'fix the permissions',
  }),
  'few-messages': ({ count, program }) => ({
    message: `the newest ${formatNumbered(count, 'transcript')} of ${program} gave hardly any messages`,
    fix: 'its format may have changed: update recall, then index again with --rebuild',
  }),
  'not-understood': ({ count }) => ({
    message: `nothing was understood of ${formatNumbered(count, 'transcript')}`,
    fix: 'the format may be newer than this recall: update it, then index again with --rebuild; or the files are damaged',
  }),
  'not-saved': ({ count, program }) => ({
    message: `${program} does not save what is said in ${formatNumbered(count, 'session')}: the prompt history is newer than the transcript`,
    fix: 'look for “Transcript saving is off” in its window, for a full disk, and for the permissions of its folder; then start it again',
  }),
  'skipped-lines': ({ count }) => ({
    message: `${formatNumbered(count, 'line')} could not be read and ${count === 1 ? 'was' : 'were'} skipped`,
    fix: `nothing to do: they are broken, or beyond what recall reads (lines of 16 MiB, ${maxSeq} of them in a file); the rest is indexed`,
  }),
  'unknown-types': ({ count, program }) => ({
    message: `${formatNumbered(count, 'unknown entry type')}${program === '' ? '' : `: newer ${program} than this recall knows; nothing was lost`}`,
    fix: 'update recall',
  }),
  'archive-unusable': () => ({
    message: 'the archive cannot be written',
    fix: hint`fix the permissions, then: ${recall('index')}; or use another folder with --archive <dir>`,
  }),
  'archive-holes': ({ count }) => ({
    message: `parts of ${formatNumbered(count, 'file')} are missing from the archive, or are not what they say`,
    fix: hint`check all of it: ${recall('archive', 'verify')}; what is still on disk is kept again by ${recall('index')}`,
  }),
  'archive-pending': ({ count }) => ({
    message: `${formatNumbered(count, 'session')} not archived yet`,
    fix: hint`${recall('index')}`,
  }),
  expiring: ({ count, program, cleanupDays, hint: given }, { expiryDays, expiring, archive }) => ({
    message: `${program} will delete ${formatNumbered(count, 'transcript')} within ${expiryDays} days (it keeps them for ${cleanupDays} days)`,
    fix: expiring.every(({ isKept }) => isKept)
      ? hint`nothing to do: copies are kept, and ${recall('restore', '<id>')} brings them back`
      : archive.isOn
        ? hint`to keep copies of all of them: ${recall('index')}`
        : hint`they stay searchable here; to be able to resume them, keep copies: ${recall('archive', 'on')}${given === undefined ? '' : hint`, or ${given}`}`,
  }),
};

function chooseReadFix(reasons: readonly string[]): string {
  if (reasons.every((reason) => /permi(ssion|tted)/.test(reason))) return 'fix the permissions';
  return reasons.every((reason) => reason.startsWith('cannot be decompressed'))
    ? 'the content is damaged: put an intact copy in its place, or delete it'
    : 'fix what each line says';
}

function formatFindings(
  diagnosis: Diagnosis,
  givenFlags: string,
  formatDetails: (finding: Finding) => string[] = formatExamples,
) {
  return diagnosis.findings.map((finding) => {
    const { message, fix } = wordings[finding.code](finding, diagnosis);
    const details = formatDetails(finding);
    return { level: finding.level, message, details, fix: toHintText(fix, givenFlags) };
  });
}

function formatRepair({ repair }: Diagnosis): string[] {
  if (repair === null) return [];
  const { salvagedSessions, damagedPath, filesRead } = repair;
  return [
    salvagedSessions === null
      ? 'rebuilt the full-text index from the stored text'
      : `recovered ${formatNumbered(salvagedSessions, 'session')} into a new index`,
    ...(damagedPath === null
      ? []
      : [`the damaged file was kept as ${damagedPath}; delete it once everything works`]),
    ...(filesRead === 0 ? [] : [`read ${formatNumbered(filesRead, 'file')} again`]),
  ];
}

function formatExamples({ details, count }: Finding): string[] {
  const shown = details.slice(0, maxShown).map(toPrintableLine);
  if (shown.length > 0 && count > shown.length) shown.push(`and ${formatCount(count - shown.length)} more`);
  return shown;
}

function formatSkipped({ health }: Diagnosis, { columns, homeDir }: ReportOptions): string[] {
  const groups = new Map<string, { path: string; reason: string; lines: number[] }>();
  for (const { path, reason, line } of health.skipped) {
    const key = JSON.stringify([path, reason]);
    const group = groups.get(key) ?? { path, reason, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  const shown = [...groups.values()].slice(0, maxShown);
  const rest = health.skippedLines - shown.reduce((sum, { lines }) => sum + lines.length, 0);
  const details = shown.map(({ path, reason, lines }) => {
    const what = `: ${lines.length === 1 ? 'line' : 'lines'} ${formatRanges(lines)}: ${toPrintableLine(reason)}`;
    const room = Math.max(columns - detailIndent.length - widthOf(what), minPathColumns);
    return clipPath(toPrintableLine(shortenPath(path, homeDir)), room) + what;
  });
  return rest > 0 && shown.length > 0 ? [...details, `and ${formatCount(rest)} more`] : details;
}

/** Numbers in ascending order: `22, 51–54`. */
function formatRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

type ReportOptions = Required<Pick<SessionLineOptions, 'columns' | 'homeDir' | 'givenFlags'>>;

const detailIndent = '    ';
/** The name of a transcript is an id, which should not be cut. */
const minPathColumns = 45;

export function formatDoctorReport(diagnosis: Diagnosis, options: ReportOptions): string {
  const { columns, givenFlags } = options;
  const findings = formatFindings(diagnosis, givenFlags, (finding) =>
    finding.code === 'skipped-lines' ? formatSkipped(diagnosis, options) : formatExamples(finding),
  );
  const lines = listIndexFacts(diagnosis).map(([label, value]) => `${label.padEnd(11)}${value}`);
  for (const step of formatRepair(diagnosis)) lines.push(`repaired   ${toPrintableLine(step)}`);
  lines.push('');
  if (findings.length === 0 && (diagnosis.repair?.lost ?? []).length === 0) lines.push('no problems found');
  for (const { level, message, details, fix } of findings) {
    lines.push(`${level === 'problem' ? '✗' : '•'} ${message}`);
    for (const detail of details) lines.push(`${detailIndent}${detail}`);
    lines.push(`  → ${fix}`);
  }
  return lines
    .flatMap((line) => hang(line, /^(?:[a-z]+ +|[✗•] | +(?:→ )?)/.exec(line)?.[0] ?? '', columns))
    .join('\n');
}

/** What the index contains and how it is, each with its label. */
export function listIndexFacts(diagnosis: Diagnosis): (readonly [label: string, value: string])[] {
  const { health, engine, archive } = diagnosis;
  const { counted, held, files, sizeBytes } = health;
  const sound = health.problems.length === 0 && health.wordProblems.length === 0;
  const kept = `${formatNumbered(archive.sessions, 'session')}, ${formatRatio(archive)}`;
  const besides = formatHeld(held, counted);
  const facts: (readonly [string, string | false])[] = [
    ['index', toPrintableLine(diagnosis.indexPath)],
    [
      '',
      `${formatBytes(sizeBytes)}, schema ${diagnosis.schemaVersion}, ${sound ? 'integrity ok, full text ok' : 'DAMAGED'}`,
    ],
    ['engine', `${engine.name}, SQLite ${engine.sqliteVersion}`],
    [
      'files',
      `${formatCount(files.known)} known, ${formatCount(files.gone)} gone (kept here), ${formatCount(files.failed)} failed`,
    ],
    [
      'sessions',
      `${formatCount(counted.sessions)} in ${formatNumbered(counted.projects, 'project')}, ${formatNumbered(counted.messages, 'message')}`,
    ],
    ['besides', besides],
    [
      'archive',
      (archive.isOn || archive.bytes > 0) &&
        `${toPrintableLine(archive.path)}: ${archive.isOn ? 'on' : 'off'}, ${kept}`,
    ],
    ['secrets', diagnosis.isRedacting && 'in well-known formats are kept out'],
    ['forgotten', health.forgotten > 0 && formatCount(health.forgotten)],
  ];
  return facts.flatMap(([label, value]) => (value ? [[label, value] as const] : []));
}

/** What is in the index besides, so that every number that a person can count is explained. */
function formatHeld(held: Held, counted: Diagnosis['health']['counted']): string {
  const besides = [
    [held.subagents, 'subagent', 'subagents'],
    [held.copies, 'copy of a conversation', 'copies of conversations'],
    [held.savedHistories, 'history saved before a compaction', 'histories saved before compactions'],
    [
      held.hidden,
      'without messages or started by an agent for itself',
      'without messages or started by an agent for itself',
    ],
  ] as const;
  const parts = besides.flatMap(([count, one, many]) =>
    count === 0 ? [] : [formatNumbered(count, one, many)],
  );
  const messages = held.messages - counted.messages;
  return parts.length === 0 ? '' : `${parts.join(', ')}; ${formatNumbered(messages, 'more message')}`;
}

export function toDoctorJson(diagnosis: Diagnosis, givenFlags: string) {
  const { health } = diagnosis;
  const { isOn, path, sessions, bytes, transcriptBytes, pending, incomplete } = diagnosis.archive;
  return {
    schemaVersion: 3,
    index: {
      path: diagnosis.indexPath,
      sizeBytes: health.sizeBytes,
      schemaVersion: diagnosis.schemaVersion,
      redact: diagnosis.isRedacting,
      integrity: health.problems.length === 0 ? 'ok' : health.problems,
      fullText: health.wordProblems.length === 0 ? 'ok' : health.wordProblems,
    },
    engine: diagnosis.engine,
    files: { ...health.files, pending: diagnosis.pendingFiles },
    failures: health.failures,
    ...health.counted,
    held: health.held,
    forgotten: health.forgotten,
    skippedLines: health.skippedLines,
    skipped: health.skipped,
    unknownTypes: health.unknownTypes,
    obstacles: diagnosis.obstacles,
    cleanupPeriodDays: diagnosis.cleanupDays,
    expiring: diagnosis.expiring,
    archive: { isOn: isOn === true, path, sessions, bytes, transcriptBytes, pending, incomplete },
    repaired: formatRepair(diagnosis),
    findings: formatFindings(diagnosis, givenFlags),
  };
}
