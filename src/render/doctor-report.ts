// The findings of `recall doctor`: what is there, what is wrong, and what to do about each.

import type { ExpiringSession, Health } from '../store/health.ts';
import { widthOf } from './columns.ts';
import { toPrintableLine } from './printable.ts';
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
  const add = (level: Finding['level'], message: string, details: readonly string[], fix: string) =>
    findings.push({ level, message, details: details.slice(0, maxShown).map(toPrintableLine), fix });

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
  return lines.map((line) => hang(line, columns)).join('\n');
}

/** Broken between words, what follows set in as far as what stands behind the mark or label; a path stays whole. */
function hang(line: string, columns: number): string {
  const indent = /^(?:[a-z]+ +|[✗•] | +(?:→ )?)/.exec(line)?.[0].length ?? 0;
  const lines: string[] = [];
  let current = line.slice(0, indent);
  for (const word of line.slice(indent).split(' ')) {
    const isFirst = current.length === indent;
    if (!isFirst && widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current);
      current = ' '.repeat(indent) + word;
    } else current = isFirst ? current + word : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}

export function toDoctorJson(facts: DoctorFacts, findings: readonly Finding[]) {
  const { health } = facts;
  return {
    schemaVersion: 1,
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
