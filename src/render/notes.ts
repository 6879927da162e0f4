// Messages besides the result: that new sessions may be missing, why nothing was found, what is happening meanwhile.

import type { Blame, Emptiness, Freshness, HiddenWords, NamedFilter, SearchAnswer } from '../api/answers.ts';
import type { RecallEvent } from '../api/host.ts';
import { filters } from '../filters.ts';
import { type Hint, hint, recall } from '../hints.ts';
import type { TypedTime } from '../search/query/parse-query.ts';
import { toPrintableLine } from '../text/printable.ts';
import { formatAgo, formatBytes, formatNumbered } from './quantities.ts';

/** `--since "last week"`. */
export function formatFlag(name: string, value: string): string {
  return `--${name} ${/\s/.test(value) ? `"${value}"` : value}`;
}

export function formatFreshnessNotes(freshness: Freshness): Hint[] {
  const { pendingFiles, pendingBytes, pendingAgain, obstacle } = freshness;
  const notes: Hint[] = [];
  if (pendingFiles > 0) {
    const files = `${formatNumbered(pendingFiles, 'file')} (${formatBytes(pendingBytes)})`;
    notes.push(
      pendingAgain === pendingFiles
        ? hint`recall: ${files} have to be read again, and are searched as they were indexed before; later searches read them; to do it now: ${recall('index')}`
        : hint`recall: ${files} not indexed yet; the newest were read first, later searches read the rest; to index them now: ${recall('index')}`,
    );
  }
  const reason = obstacle === null ? '' : explainStaleness(obstacle);
  if (reason !== '') notes.push(`recall: ${reason}; using what is already indexed`);
  return notes;
}

function explainStaleness(obstacle: NonNullable<Freshness['obstacle']>): string {
  if (obstacle.type === 'busy') return 'another recall is indexing';
  if (obstacle.type === 'failed') return obstacle.message;
  const [first, ...others] = obstacle.places;
  const more = others.length === 0 ? '' : ` (and ${formatNumbered(others.length, 'other place')})`;
  return `${toPrintableLine(first?.path ?? '')} cannot be read: ${first?.reason ?? ''}${more}`;
}

export function findEventNote(event: RecallEvent, now: Date): Hint | null {
  switch (event.type) {
    case 'waiting': {
      const process = event.holderPid === 0 ? '' : ` (process ${event.holderPid})`;
      return `another recall${process} is indexing; waiting for it to finish`;
    }
    case 'waiting-for-archive':
      return 'another recall is archiving; waiting for it to finish';
    case 'upgrade':
      return 'recall: upgrading the index for this version of recall';
    case 'redacted':
      if (!event.isWiped)
        return 'another recall is reading the index; run any command again to finish wiping';
      if (event.texts === 0) return null;
      return `recall: removed secrets from ${formatNumbered(event.texts, 'stored text')}`;
    case 'redaction-stopped':
      return hint`recall: secrets are no longer removed; to restore those already removed: ${recall('index', '--rebuild')}`;
    case 'numbered': {
      const where = event.list.isOwn ? 'in this terminal' : 'in any terminal';
      const shown = formatAgo(event.list.shownAt, now);
      return `recall: ${event.ref} is from the list that was last shown ${where}, ${shown}`;
    }
    default:
      return null;
  }
}

export function formatQueryNotes({ unknownDays, time, hub }: SearchAnswer, filter = formatFlag): string[] {
  const dates = unknownDays.map((typed) =>
    typed.startsWith('-')
      ? `${toPrintableLine(typed)} was not understood; since: and until: cannot be negated`
      : `${toPrintableLine(typed)} is not a date that recall recognises; searched for it as words`,
  );
  const unknown = [...dates, ...explainVersions(hub)];
  if (time === null || time.isAlone) return unknown;
  // Among other words it was searched for as words.
  const flags = `${filter('since', time.value)} ${filter('until', time.value)}`;
  return [...unknown, `only sessions ${formatWhen(time)}: add ${flags}`];
}

export interface NothingFound {
  readonly emptiness: Emptiness;
  readonly message: string;
  readonly hint: Hint;
  /** The query was only a time, so that it says nothing how much was searched. */
  readonly isOfTime?: boolean;
  readonly folders: readonly string[];
  /** The index has just been brought up to date. */
  readonly isUpToDate: boolean;
}

export function formatNothingNote(nothing: NothingFound): Hint {
  const { isIndexEmpty, sessions, messages, blame } = nothing.emptiness;
  if (isIndexEmpty) {
    const folders = nothing.folders.map(toPrintableLine).join(', ');
    const where = folders === '' ? '' : `; recall looks for sessions in ${folders}`;
    const first = nothing.isUpToDate ? '' : hint`${recall('index')}, or `;
    return hint`recall: the index is empty${where}\n  try: ${first}another folder with --claude-dir <dir> or --agent-dir <agent=dir>`;
  }
  if (blame !== null) {
    const { message, next } = explainBlame(blame);
    return hint`recall: ${message}\n  try: ${next}`;
  }
  if (nothing.isOfTime) return hint`recall: ${nothing.message}\n  try: ${nothing.hint}`;
  const searched = `${formatNumbered(sessions, 'session')} with ${formatNumbered(messages, 'message')}`;
  return hint`recall: ${nothing.message} in ${searched}\n  try: ${nothing.hint}`;
}

/** Which filter leaves nothing to search, and what to do. --all is not suggested: nothing was said in the sessions it adds. */
export function explainBlame(blame: Blame): { readonly message: string; readonly next: Hint } {
  if (blame.type === 'swapped')
    return { message: `${formatTyped(blame.since)} is after ${formatTyped(blame.until)}`, next: 'swap them' };
  if (blame.type === 'hides')
    return {
      message: explainHiddenWords(blame),
      next: `leave ${listHiding(blame).join(' and ')} out${blame.excluded.length === 0 ? '' : ', or put it in quotes to search for it'}`,
    };
  if (blame.type === 'together')
    return {
      message: `no session matches ${blame.filters.map((each) => formatTyped(each)).join(' and ')}`,
      next: 'fewer filters',
    };
  const { filter, meant } = blame;
  const next = filter.name === 'project' ? hint`${recall('projects')}` : `leave ${formatTyped(filter)} out`;
  return { message: `${filters[filter.name].complaint} ${toPrintableLine(meant)}`, next };
}

export function formatResultNotes(
  { missing, shortened, hiddenWords, excludedWords, time }: SearchAnswer,
  filter = formatFlag,
): string[] {
  return [
    ...(time?.isAlone ? [`sessions that were active ${formatWhen(time)}, newest first`] : []),
    ...shortened.map(
      ([typed, searched]) =>
        `searched for “${toPrintableLine(searched)}” instead of “${toPrintableLine(typed)}”`,
    ),
    ...(excludedWords.length === 0
      ? []
      : [
          `left out: sessions that mention ${excludedWords.map(toPrintableLine).join(' or ')}; quote it to search for it`,
        ]),
    ...(hiddenWords === null ? [] : [explainHiddenWords(hiddenWords, filter)]),
    ...(missing.length === 0 ? [] : [`not found: ${missing.map(toPrintableLine).join(', ')}`]),
  ];
}

function explainVersions(hub: SearchAnswer['hub']): string[] {
  const { newer = 0, older = 0 } = hub ?? {};
  return [
    ...(newer === 0
      ? []
      : [`not searched: ${formatNumbered(newer, 'session')} sent by a newer recall; update recall here`]),
    ...(older === 0
      ? []
      : [`not searched: ${formatNumbered(older, 'session')} sent by an older recall, until that is updated`]),
  ];
}

function explainHiddenWords(hidden: HiddenWords, filter = formatFlag): string {
  const { words } = hidden;
  const quoted = words.map((word) => `“${toPrintableLine(word)}”`).join(', ');
  return `${quoted} ${words.length === 1 ? 'occurs' : 'occur'}, but not with ${listHiding(hidden, filter).join(' and ')}`;
}

function listHiding({ filters: hiding, excluded }: HiddenWords, filter = formatFlag): string[] {
  return [
    ...hiding.map((each) => formatTyped(each, filter)),
    ...excluded.map((word) => toPrintableLine(/\s/.test(word) ? `-"${word}"` : `-${word}`)),
  ];
}

function formatTyped({ name, value, isInline }: NamedFilter, filter = formatFlag): string {
  const quoted = /\s/.test(value) ? `"${value}"` : value;
  return toPrintableLine(isInline ? `${name}:${quoted}` : filter(name, value));
}

/** `last week`, `on Oct 6`. */
export function formatWhen({ phrase }: TypedTime): string {
  const shown = toPrintableLine(phrase);
  if (/^(today|yesterday|last|this)\b|ago$/i.test(shown)) return shown;
  return `${/^[a-z]+ \d{4}$|^\d{4}-\d{1,2}$/i.test(shown) ? 'in' : 'on'} ${shown}`;
}
