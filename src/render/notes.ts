// What is said besides a result: that something new may be missing, why nothing was found, what is going on meanwhile.

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
    notes.push(hint`recall: ${files} left for later: ${recall('index')}`);
  }
  const reason = obstacle === null ? '' : toReason(obstacle);
  if (reason !== '') notes.push(`recall: ${reason}; searching what is there already`);
  return notes;
}

function toReason(obstacle: NonNullable<Freshness['obstacle']>): string {
  if (obstacle.type === 'busy') return 'another recall is indexing';
  if (obstacle.type === 'failed') return obstacle.message;
  const [first, ...others] = obstacle.places;
  const more = others.length === 0 ? '' : ` (and ${formatNumbered(others.length, 'other place')})`;
  return `${toPrintableLine(first?.path ?? '')} cannot be read: ${first?.reason ?? ''}${more}`;
}

/** Null for what is shown in another way. */
export function toEventNote(event: RecallEvent): Hint | null {
  switch (event.type) {
    case 'waiting': {
      const process = event.holderPid === 0 ? '' : ` (process ${event.holderPid})`;
      return `another recall${process} is indexing; waiting for it`;
    }
    case 'upgrade':
      return 'recall: upgrading the index for this version of recall';
    case 'redacted': {
      if (!event.isWiped)
        return 'another recall is reading the index; run any command again to finish wiping';
      return event.texts === 0
        ? null
        : `recall: took secrets out of ${formatNumbered(event.texts, 'stored text')}`;
    }
    case 'redaction-stopped':
      return hint`recall: secrets are no longer taken out; what was taken out comes back with: ${recall('index', '--rebuild')}`;
    default:
      return null;
  }
}

/** What in a query is not taken as it may have been meant. */
export function toQueryNotes({ unknownDays }: SearchAnswer): string[] {
  return unknownDays.map((typed) =>
    typed.startsWith('-')
      ? `${toPrintableLine(typed)} is not understood; since: and until: take no dash`
      : `${toPrintableLine(typed)} is not a day that recall knows; searched as words`,
  );
}

export interface NothingFound {
  readonly emptiness: Emptiness;
  /** What was not found, and what to try where no filter is to blame. */
  readonly message: string;
  readonly hint: Hint;
  /** Where sessions are looked for. */
  readonly folders: readonly string[];
  /** Whether --all is worth a try. */
  readonly offersAll: boolean;
}

export function toNothingNote(nothing: NothingFound): Hint {
  const { sessions, messages, blame } = nothing.emptiness;
  if (sessions === 0) {
    const folders = nothing.folders.map(toPrintableLine).join(', ');
    const where = folders === '' ? '' : `; sessions are looked for in ${folders}`;
    return hint`recall: the index is empty${where}\n  try: ${recall('index')}, or another folder with --claude-dir <dir>`;
  }
  if (blame !== null) {
    const { message, next } = toBlameText(blame, nothing.offersAll ? ', or --all' : '');
    return hint`recall: ${message}\n  try: ${next}`;
  }
  const looked = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return hint`recall: ${nothing.message} in ${looked}\n  try: ${nothing.hint}`;
}

function toBlameText(blame: Blame, orAll: string): { readonly message: string; readonly next: Hint } {
  if (blame.type === 'swapped')
    return { message: `${toTyped(blame.since)} is after ${toTyped(blame.until)}`, next: 'swap them' };
  if (blame.type === 'together')
    return {
      message: `no session fits ${blame.filters.map(toTyped).join(' and ')}`,
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
