// The findings of `recall doctor`: what is there, what is wrong, and what to do about each.

import type { ExpiringSession, Health } from '../store/upkeep/health.ts';
import { hang } from './fit-lines.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatBytes, formatCount, formatNumbered } from './quantities.ts';

export interface DoctorFacts {
  readonly indexPath: string;
  readonly schemaVersion: number;
  readonly health: Health;
  readonly expiring: readonly ExpiringSession[];
  readonly cleanupDays: number;
  /** Files on disk that differ from the index; null when the Claude folder could not be looked at. */
  readonly pendingFiles: number | null;
  readonly obstacles: readonly { readonly path: string; readonly reason: string }[];
  /** Why there is no folder of Claude Code's to look at, and how to name one; null when there is. */
  readonly missingFolder: { readonly message: string; readonly hint: string | undefined } | null;
  /** Folders without a single transcript. */
  readonly emptyFolders: readonly string[];
  readonly repaired: readonly string[];
  readonly isRedacting: boolean;
}

export interface Finding {
  readonly level: 'problem' | 'note';
  readonly message: string;
  readonly details: readonly string[];
  /** The next command or step. */
  readonly fix: string;
}

const maxShown = 5;

export function toFindings(facts: DoctorFacts): Finding[] {
  const { health } = facts;
  const findings: Finding[] = [];
  const add = (
    level: Finding['level'],
    message: string,
    details: readonly string[],
    fix: string,
    total = details.length,
  ) => findings.push({ level, message, details: toExamples(details, total), fix });

  if (health.problems.length > 0)
    add('problem', 'the index file is damaged', health.problems, 'recall doctor --repair');
  if (health.wordProblems.length > 0) {
    add(
      'problem',
      'the full-text index is damaged or incomplete',
      health.wordProblems,
      'recall doctor --repair',
    );
  }
  if (health.files.failed > 0 || health.failures.length > 0) {
    const details = health.failures.map(({ path, reason }) => `${path}: ${reason}`);
    add(
      'problem',
      `${formatNumbered(health.files.failed, 'file')} could not be read`,
      details,
      'fix the rights, then: recall index',
      health.files.failed,
    );
  }
  if (facts.missingFolder !== null) {
    const { message, hint = 'recall doctor --claude-dir <dir>' } = facts.missingFolder;
    add('problem', toPrintableLine(message), [], `${hint}; what is indexed stays searchable`);
  }
  for (const folder of facts.emptyFolders) {
    const message = `no session of Claude Code in ${toPrintableLine(folder)} yet`;
    add('note', message, [], 'start one, or name another folder with --claude-dir <dir>');
  }
  if (health.unsettled > 0) {
    add(
      'note',
      `${formatNumbered(health.unsettled, 'session')} left half-way by an interrupted run`,
      [],
      'recall index',
    );
  }
  if (facts.pendingFiles !== null && facts.pendingFiles > 0) {
    add(
      'note',
      `${formatNumbered(facts.pendingFiles, 'file')} changed since the last index`,
      [],
      'recall index',
    );
  }
  if (facts.obstacles.length > 0) {
    const details = facts.obstacles.map(({ path, reason }) => `${path}: ${reason}`);
    const message = `${formatNumbered(facts.obstacles.length, 'place')} not looked into`;
    add('note', message, details, 'fix the rights; give a linked folder with --claude-dir <dir>');
  }
  if (health.skippedLines > 0) {
    const details = health.skipped.map(({ path, line, reason }) => `${path}:${line}: ${reason}`);
    const message = `${formatNumbered(health.skippedLines, 'line')} could not be read and ${health.skippedLines === 1 ? 'was' : 'were'} passed over`;
    add(
      'note',
      message,
      details,
      'nothing to do: Claude Code wrote them broken; the rest of each file is indexed',
      health.skippedLines,
    );
  }
  if (health.unknownTypes.length > 0) {
    const details = health.unknownTypes.map(
      ({ type, version, count }) => `${type} (Claude Code ${version}): ${formatCount(count)}`,
    );
    add(
      'note',
      `${formatNumbered(health.unknownTypes.length, 'entry type')} recall does not know`,
      details,
      'update recall',
    );
  }
  if (facts.expiring.length > 0) {
    const details = facts.expiring.map(
      ({ id, title, deletedAt }) => `${deletedAt.slice(0, 10)}  ${id}  ${title ?? ''}`,
    );
    const message = `${formatNumbered(facts.expiring.length, 'transcript')} will be deleted by Claude Code within 7 days (after ${facts.cleanupDays} days)`;
    add(
      'note',
      message,
      details,
      'they stay searchable here; to keep resuming them, raise cleanupPeriodDays in settings.json',
    );
  }
  return findings;
}

/** The first few, and how many more there are. */
function toExamples(details: readonly string[], total: number): string[] {
  const shown = details.slice(0, maxShown).map(toPrintableLine);
  return shown.length > 0 && total > shown.length
    ? [...shown, `and ${formatCount(total - shown.length)} more`]
    : shown;
}

export function toDoctorReport(facts: DoctorFacts, findings: readonly Finding[], columns: number): string {
  const { health } = facts;
  const kinds = Object.entries(health.sessions).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const sessions = Object.values(health.sessions).reduce((sum, count) => sum + count, 0);
  const sound = health.problems.length === 0 && health.wordProblems.length === 0;
  const lines = [
    `index      ${toPrintableLine(facts.indexPath)}`,
    `           ${formatBytes(health.sizeBytes)}, schema ${facts.schemaVersion}, ${sound ? 'integrity ok, full text ok' : 'DAMAGED'}`,
    `files      ${formatCount(health.files.known)} known, ${formatCount(health.files.gone)} gone (kept here), ${formatCount(health.files.failed)} failed`,
    `sessions   ${formatCount(sessions)}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`,
    `messages   ${formatCount(health.messages)}`,
  ];
  if (facts.isRedacting) lines.push('secrets    of well-known formats are kept out');
  if (health.forgotten > 0) lines.push(`forgotten  ${formatCount(health.forgotten)}`);
  for (const step of facts.repaired) lines.push(`repaired   ${toPrintableLine(step)}`);
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

export function toDoctorJson(facts: DoctorFacts, findings: readonly Finding[]) {
  const { health } = facts;
  return {
    schemaVersion: 2,
    index: {
      path: facts.indexPath,
      sizeBytes: health.sizeBytes,
      schemaVersion: facts.schemaVersion,
      redact: facts.isRedacting,
      integrity: health.problems.length === 0 ? 'ok' : health.problems,
      fullText: health.wordProblems.length === 0 ? 'ok' : health.wordProblems,
    },
    files: { ...health.files, pending: facts.pendingFiles },
    failures: health.failures,
    sessions: health.sessions,
    messages: health.messages,
    forgotten: health.forgotten,
    skippedLines: health.skippedLines,
    skipped: health.skipped,
    unknownTypes: health.unknownTypes,
    obstacles: facts.obstacles,
    cleanupPeriodDays: facts.cleanupDays,
    expiring: facts.expiring,
    repaired: facts.repaired,
    findings,
  };
}
