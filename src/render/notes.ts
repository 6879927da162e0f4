// Messages besides the result: that new sessions may be missing, why nothing was found, what is happening meanwhile.

import type { Blame, NamedFilter } from '../api/blame-filter.ts';
import type { RecallEvent } from '../api/host.ts';
import type { Emptiness, SearchAnswer } from '../api/search.ts';
import type { Freshness } from '../api/upkeep/refresh.ts';
import { filters } from '../filters.ts';
import { type Hint, hint, recall } from '../hints.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatNumbered } from './quantities.ts';

export function toFreshnessNotes({ pendingFiles, obstacle }: Freshness): Hint[] {
  const notes: Hint[] = [];
  if (pendingFiles > 0) {
    const files = formatNumbered(pendingFiles, 'changed file');
    notes.push(hint`recall: ${files} not indexed yet; to index them: ${recall('index')}`);
  }
  const reason = obstacle === null ? '' : toReason(obstacle);
  if (reason !== '') notes.push(`recall: ${reason}; using what is already indexed`);
  return notes;
}

function toReason(obstacle: NonNullable<Freshness['obstacle']>): string {
  if (obstacle.type === 'busy') return 'another recall is indexing';
  if (obstacle.type === 'failed') return obstacle.message;
  const [first, ...others] = obstacle.places;
  const more = others.length === 0 ? '' : ` (and ${formatNumbered(others.length, 'other place')})`;
  return `${toPrintableLine(first?.path ?? '')} cannot be read: ${first?.reason ?? ''}${more}`;
}

/** Null for events that are shown in another way. */
export function toEventNote(event: RecallEvent): Hint | null {
  switch (event.type) {
    case 'waiting': {
      const process = event.holderPid === 0 ? '' : ` (process ${event.holderPid})`;
      return `another recall${process} is indexing; waiting for it to finish`;
    }
    case 'upgrade':
      return 'recall: upgrading the index for this version of recall';
    case 'redacted': {
      if (!event.isWiped)
        return 'another recall is reading the index; run any command again to finish wiping';
      return event.texts === 0
        ? null
        : `recall: removed secrets from ${formatNumbered(event.texts, 'stored text')}`;
    }
    case 'redaction-stopped':
      return hint`recall: secrets are no longer removed; to restore those already removed: ${recall('index', '--rebuild')}`;
    default:
      return null;
  }
}

/** The parts of a query that may not have been understood as intended. */
export function toQueryNotes({ unknownDays }: SearchAnswer): string[] {
  return unknownDays.map((typed) =>
    typed.startsWith('-')
      ? `${toPrintableLine(typed)} was not understood; since: and until: cannot be negated`
      : `${toPrintableLine(typed)} is not a date that recall recognises; searched for it as words`,
  );
}

export interface NothingFound {
  readonly emptiness: Emptiness;
  /** What was not found, and what to try if no filter is to blame. */
  readonly message: string;
  readonly hint: Hint;
  /** Where recall looks for sessions. */
  readonly folders: readonly string[];
  /** Whether --all is worth a try. */
  readonly offersAll: boolean;
}

export function toNothingNote(nothing: NothingFound): Hint {
  const { sessions, messages, blame } = nothing.emptiness;
  if (sessions === 0) {
    const folders = nothing.folders.map(toPrintableLine).join(', ');
    const where = folders === '' ? '' : `; recall looks for sessions in ${folders}`;
    return hint`recall: the index is empty${where}\n  try: ${recall('index')}, or another folder with --claude-dir <dir>`;
  }
  if (blame !== null) {
    const { message, next } = toBlameText(blame, nothing.offersAll ? ', or --all' : '');
    return hint`recall: ${message}\n  try: ${next}`;
  }
  const searched = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return hint`recall: ${nothing.message} in ${searched}\n  try: ${nothing.hint}`;
}

function toBlameText(blame: Blame, orAll: string): { readonly message: string; readonly next: Hint } {
  if (blame.type === 'swapped')
    return { message: `${toTyped(blame.since)} is after ${toTyped(blame.until)}`, next: 'swap them' };
  if (blame.type === 'together')
    return {
      message: `no session matches ${blame.filters.map(toTyped).join(' and ')}`,
      next: `fewer filters${orAll}`,
    };
  const { filter } = blame;
  const next = filter.name === 'project' ? hint`${recall('projects')}` : `leave ${toTyped(filter)} out`;
  return {
    message: `${filters[filter.name].complaint} ${toPrintableLine(filter.value)}`,
    next: hint`${next}${orAll}`,
  };
}

function toTyped({ name, value, isInline }: NamedFilter): string {
  return toPrintableLine(isInline ? `${name}:${value}` : `--${name} ${value}`);
}
