// Which messages of a session are shown: all, the last ones, those around one message, or those that match with some context. A
// selection consists of stretches of lines, so that nothing else has to be read.

import { UserError, usageError } from '../../errors.ts';
import { type Hint, hint, parameter, recall } from '../../hints.ts';
import type { Role } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { findLines, readLines, type Stretch, wholeTranscript } from '../../store/read/read-conversation.ts';
import type { PlacedSubagent } from '../../store/read/relatives.ts';
import { readSessions } from '../../store/read/sessions.ts';
import { toSeq, toSessionId } from '../../store/row-ids.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { ConversationRequest } from '../requests.ts';

interface Chosen {
  readonly stretch: Stretch;
  /** The number of its first message in the session, from 1. */
  readonly firstPosition: number;
  readonly gapBefore: number;
}

export interface Selection {
  readonly chosen: readonly Chosen[];
  readonly gapAfter: number;
  readonly matches: ReadonlySet<number>;
}

interface Wanted extends Pick<ConversationRequest, 'around' | 'range' | 'last' | 'context'> {
  readonly role: Role | null;
  /** Lines that match; null if there is nothing to match. */
  readonly matched: ReadonlySet<number> | null;
  /** Subagents in which something matches: the place where they were started is shown too. */
  readonly matchedSubagents?: readonly PlacedSubagent[];
}

const contextOfMatch = 2;
const contextOfOne = 8;

export function selectMessages(store: Store, session: SessionInfo, wanted: Wanted): Selection {
  const { around, range, last, role, matched, context, matchedSubagents = [] } = wanted;
  if (around === undefined && range === undefined && last === undefined && matched === null)
    return {
      chosen: [{ stretch: wholeTranscript, firstPosition: 1, gapBefore: 0 }],
      gapAfter: 0,
      matches: new Set(),
    };
  const lines = readLines(store.db, session.id);
  const end = lines.length - 1;
  const bounds = { first: 0, last: end };
  const requested = new Set<number>();
  if (around !== undefined) {
    const centre = getPlace(store, session, lines, around);
    bounds.first = Math.max(0, centre - (context ?? contextOfOne));
    bounds.last = Math.min(end, centre + (context ?? contextOfOne));
    requested.add(lines[centre] ?? 0);
  } else if (range !== undefined) {
    if (range.from > lines.length) throw notFound(session, `#${range.from}`, toExtent(lines));
    bounds.first = range.from - 1;
    bounds.last = Math.min(end, range.to - 1);
  } else if (last !== undefined) {
    const counted = role === null ? lines : readLines(store.db, session.id, role);
    bounds.first = Math.max(0, lines.indexOf(counted.at(-last) ?? lines[0] ?? 0));
  }
  if (matched === null) return toSelection(lines, lines.length === 0 ? [] : [bounds], requested);
  // A tool call, and the place where a subagent was started, are shown with the message before them.
  const shown = [...matched, ...matchedSubagents.map(({ seq }) => seq)].map(
    (seq) => lines[findAtOrBefore(lines, seq)] ?? 0,
  );
  return toSelection(lines, toPlaces(lines, new Set(shown), context ?? contextOfMatch, bounds), matched);
}

/** The place of the last message on this line or before it; the first of all where there is none before. */
export function findAtOrBefore(lines: readonly number[], seq: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low === 0 && lines.length > 0 ? 0 : low - 1;
}

/** Indexes into the list of a session's messages, from 0, inclusive. */
type Places = Readonly<Record<'first' | 'last', number>>;

/** `lines` has all messages of the session; `places` are in order and do not touch. */
export function toSelection(
  lines: readonly number[],
  places: readonly Places[],
  matches: ReadonlySet<number>,
  whole: Stretch = wholeTranscript,
): Selection {
  let next = 0;
  const chosen = places.map(({ first, last }): Chosen => {
    const gapBefore = first - next;
    next = last + 1;
    // Tools called before the very first message or after the very last one belong to it.
    const from = first === 0 ? whole.from : (lines[first] ?? whole.from);
    const to = (lines[last + 1] ?? whole.to + 1) - 1;
    return { stretch: { from, to }, firstPosition: first + 1, gapBefore };
  });
  return { chosen, gapAfter: lines.length - next, matches };
}

/** The places of these lines with `context` messages on either side, within bounds; adjacent ones are joined. */
export function toPlaces(
  lines: readonly number[],
  wanted: ReadonlySet<number>,
  context: number,
  bounds: Places,
): Places[] {
  const places: { first: number; last: number }[] = [];
  for (let i = bounds.first; i <= bounds.last; i++) {
    if (!wanted.has(lines[i] ?? -1)) continue;
    // Announcing a gap of one message would take as much room as the message.
    const first = i - context <= bounds.first + 1 ? bounds.first : i - context;
    const last = i + context >= bounds.last - 1 ? bounds.last : i + context;
    const before = places.at(-1);
    if (before !== undefined && first <= before.last + 2) before.last = last;
    else places.push({ first, last });
  }
  return places;
}

/** `ref` is #n or n, the id of a message as in `search --json`, or the start of its uuid. */
function getPlace(store: Store, session: SessionInfo, lines: readonly number[], ref: string): number {
  const position = /^#(\d+)$/.exec(ref)?.[1];
  if (position !== undefined) {
    const place = Number(position) - 1;
    if (place >= 0 && place < lines.length) return place;
    throw notFound(session, ref, toExtent(lines));
  }
  const id = /^\d+$/.test(ref) ? Number(ref) : Number.NaN;
  if (toSessionId(id) === session.id) {
    const place = findAtOrBefore(lines, toSeq(id));
    if (place >= 0) return place;
  }
  const other = readSessions(store.db, [toSessionId(id) || 0]).get(toSessionId(id));
  if (other?.parentNativeId === session.nativeId) {
    const subagent = toPrintableLine(other.nativeId);
    const next = hint`it is in the subagent ${subagent}: ${recall('show', subagent, '--around', ref)}`;
    throw notFound(session, ref, next);
  }
  const [line, second] = ref.length < 4 ? [] : findLines(store.db, session.id, ref.toLowerCase());
  if (second !== undefined)
    throw new UserError(`several messages have a uuid that starts with ${toPrintableLine(ref)}`, {
      code: 'ambiguous',
      hint: 'type more characters of the uuid',
    });
  if (line !== undefined) return lines.indexOf(line);
  // Message ids are far larger than message numbers.
  if (toSessionId(id) === 0) return getPlace(store, session, lines, `#${id}`);
  throw notFound(session, ref, `${toExtent(lines)}; or the id or uuid of a message, as in JSON output`);
}

function toExtent(lines: readonly number[]): string {
  return lines.length === 0 ? 'it has no messages' : `it has ${lines.length}: #1 to #${lines.length}`;
}

function notFound(session: SessionInfo, ref: string, next: Hint): UserError {
  return new UserError(`no message ${toPrintableLine(ref)} in ${toPrintableLine(session.nativeId)}`, {
    code: 'no-such-message',
    hint: next,
    exitCode: 1,
  });
}

export function parseRange(text: string | undefined): ConversationRequest['range'] {
  if (text === undefined) return undefined;
  const [, from, to] = /^#?(\d{1,7})\s*(?:-|–|\.\.)\s*#?(\d{1,7})$/.exec(text.trim()) ?? [];
  if (from !== undefined && to !== undefined && Number(from) >= 1 && Number(from) <= Number(to))
    return { from: Number(from), to: Number(to) };
  const shown = toPrintableLine(text);
  throw usageError(hint`${parameter('range')} takes two message numbers, such as 12-40, not ${shown}`);
}
