// The report of `recall doctor`: what is there, what is wrong, and what to do about each.

import type { Diagnosis, Finding, FindingCode } from '../api/upkeep/diagnose.ts';
import { type Hint, hint, recall, toHintText } from '../hints.ts';
import { toPrintableLine } from '../text/printable.ts';
import { hang } from './fit-lines.ts';
import { formatBytes, formatCount, formatNumbered } from './quantities.ts';

interface Words {
  readonly message: string;
  /** The next command or step. */
  readonly fix: Hint;
}

const maxShown = 5;

/** What each finding is called, and what to do about it. */
const words: { readonly [Code in FindingCode]: (finding: Finding, diagnosis: Diagnosis) => Words } = {
  'index-damaged': () => ({ message: 'the index file is damaged', fix: repairing }),
  'words-damaged': () => ({ message: 'the full-text index is damaged or incomplete', fix: repairing }),
  'unreadable-files': ({ count }) => ({
    message: `${formatNumbered(count, 'file')} could not be read`,
    fix: hint`fix the permissions, then: ${recall('index')}`,
  }),
  'missing-folder': ({ subject, hint: given }) => ({
    message: toPrintableLine(subject),
    fix: hint`${given ?? hint`${recall('doctor', '--claude-dir <dir>')}`}; what is indexed stays searchable`,
  }),
  'empty-folder': ({ subject }) => ({
    message: `no session of Claude Code in ${toPrintableLine(subject)} yet`,
    fix: 'start one, or name another folder with --claude-dir <dir>',
  }),
  unsettled: ({ count }) => ({
    message: `${formatNumbered(count, 'session')} left half-way by an interrupted run`,
    fix: hint`${recall('index')}`,
  }),
  pending: ({ count }) => ({
    message: `${formatNumbered(count, 'file')} changed since the last index`,
    fix: hint`${recall('index')}`,
  }),
  obstacles: ({ count }) => ({
    message: `${formatNumbered(count, 'place')} not looked into`,
    fix: 'fix the permissions; give a linked folder with --claude-dir <dir>',
  }),
  'skipped-lines': ({ count }) => ({
    message: `${formatNumbered(count, 'line')} could not be read and ${count === 1 ? 'was' : 'were'} skipped`,
    fix: 'nothing to do: Claude Code wrote them broken; the rest of each file is indexed',
  }),
  'unknown-types': ({ count }) => ({
    message: `${formatNumbered(count, 'entry type')} recall does not know`,
    fix: 'update recall',
  }),
  expiring: ({ count }, { cleanupDays }) => ({
    message: `${formatNumbered(count, 'transcript')} will be deleted by Claude Code within 7 days (after ${cleanupDays} days)`,
    fix: 'they stay searchable here; to keep resuming them, raise cleanupPeriodDays in settings.json',
  }),
};

const repairing = hint`${recall('doctor', '--repair')}`;

interface WrittenFinding {
  readonly level: Finding['level'];
  readonly message: string;
  readonly details: readonly string[];
  readonly fix: string;
}

function toWritten(diagnosis: Diagnosis, givenFlags: string): WrittenFinding[] {
  return diagnosis.findings.map((finding) => {
    const { message, fix } = words[finding.code](finding, diagnosis);
    const details = toExamples(finding.details, finding.count);
    return { level: finding.level, message, details, fix: toHintText(fix, givenFlags) };
  });
}

/** What a repair did, a line each. */
function toRepairLines({ repair }: Diagnosis): string[] {
  if (repair === null) return [];
  const { salvagedSessions, damagedPath, filesRead } = repair;
  return [
    salvagedSessions === null
      ? 'built the full-text index again from the stored text'
      : `saved ${formatNumbered(salvagedSessions, 'session')} into a new index`,
    ...(damagedPath === null
      ? []
      : [`the damaged file is kept as ${damagedPath}; delete it when all is well`]),
    ...(filesRead === 0 ? [] : [`read ${formatNumbered(filesRead, 'file')} again`]),
  ];
}

/** The first few, and how many more there are. */
function toExamples(details: readonly string[], total: number): string[] {
  const shown = details.slice(0, maxShown).map(toPrintableLine);
  return shown.length > 0 && total > shown.length
    ? [...shown, `and ${formatCount(total - shown.length)} more`]
    : shown;
}

export function toDoctorReport(diagnosis: Diagnosis, givenFlags: string, columns: number): string {
  const { health } = diagnosis;
  const findings = toWritten(diagnosis, givenFlags);
  const kinds = Object.entries(health.sessions).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const sessions = Object.values(health.sessions).reduce((sum, count) => sum + count, 0);
  const sound = health.problems.length === 0 && health.wordProblems.length === 0;
  const lines = [
    `index      ${toPrintableLine(diagnosis.indexPath)}`,
    `           ${formatBytes(health.sizeBytes)}, schema ${diagnosis.schemaVersion}, ${sound ? 'integrity ok, full text ok' : 'DAMAGED'}`,
    `files      ${formatCount(health.files.known)} known, ${formatCount(health.files.gone)} gone (kept here), ${formatCount(health.files.failed)} failed`,
    `sessions   ${formatCount(sessions)}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
    `messages   ${formatCount(health.messages)}`,
  ];
  if (diagnosis.isRedacting) lines.push('secrets    of well-known formats are kept out');
  if (health.forgotten > 0) lines.push(`forgotten  ${formatCount(health.forgotten)}`);
  for (const step of toRepairLines(diagnosis)) lines.push(`repaired   ${toPrintableLine(step)}`);
  lines.push('');
  if (findings.length === 0) lines.push('nothing to report: all is well');
  for (const { level, message, details, fix } of findings) {
    lines.push(`${level === 'problem' ? '✗' : '•'} ${message}`);
    for (const detail of details) lines.push(`    ${detail}`);
    lines.push(`  → ${fix}`);
  }
  return lines.flatMap((line) => hang(line, toStart(line), columns)).join('\n');
}

/** Its mark or label. */
function toStart(line: string): string {
  return /^(?:[a-z]+ +|[✗•] | +(?:→ )?)/.exec(line)?.[0] ?? '';
}

export function toDoctorJson(diagnosis: Diagnosis, givenFlags: string) {
  const { health } = diagnosis;
  return {
    schemaVersion: 2,
    index: {
      path: diagnosis.indexPath,
      sizeBytes: health.sizeBytes,
      schemaVersion: diagnosis.schemaVersion,
      redact: diagnosis.isRedacting,
      integrity: health.problems.length === 0 ? 'ok' : health.problems,
      fullText: health.wordProblems.length === 0 ? 'ok' : health.wordProblems,
    },
    files: { ...health.files, pending: diagnosis.pendingFiles },
    failures: health.failures,
    sessions: health.sessions,
    messages: health.messages,
    forgotten: health.forgotten,
    skippedLines: health.skippedLines,
    skipped: health.skipped,
    unknownTypes: health.unknownTypes,
    obstacles: diagnosis.obstacles,
    cleanupPeriodDays: diagnosis.cleanupDays,
    expiring: diagnosis.expiring,
    repaired: toRepairLines(diagnosis),
    findings: toWritten(diagnosis, givenFlags),
  };
}
