// From a request to the messages that are shown.

import { UserError } from '../../errors.ts';
import { type Hint, hint, recall } from '../../hints.ts';
import type { Role } from '../../records.ts';
import type { Store } from '../../store/open/open-store.ts';
import { findLines, readLines, readLinesOf, wholeTranscript } from '../../store/read/read-conversation.ts';
import { type PlacedSubagent, readSessions } from '../../store/read/sessions.ts';
import { toSeq, toSessionId } from '../../store/row-ids.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import { toPrintableLine } from '../../text/printable.ts';
import { type Places, type Selection, toPlaces, toSelection, toWholeSelection } from './selection.ts';

export interface Wanted {
  readonly around: string | null;
  /** Message numbers from 1, inclusive. */
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly last: number | null;
  readonly role: Role | null;
  /** How many messages to show around the requested ones; null for the default. */
  readonly context: number | null;
  /** Lines that match; null if there is nothing to match. */
  readonly matched: ReadonlySet<number> | null;
  /** Subagents in which something matches: the place where they were started is shown too. */
  readonly matchedSubagents: readonly PlacedSubagent[];
}

const contextOfMatch = 2;
const contextOfOne = 8;

export function selectMessages(store: Store, session: SessionInfo, wanted: Wanted): Selection {
  const { around, range, last, matched, context } = wanted;
  if (around === null && range === null && last === null && matched === null)
    return toWholeSelection(wholeTranscript);
  const lines = readLines(store.db, session.id);
  const centre = around === null ? null : getPlace(store, session, lines, around);
  const bounds = readBounds(store, session, lines, centre, wanted);
  if (matched === null) {
    const requested = new Set(lines.slice(centre ?? 0, centre === null ? 0 : centre + 1));
    return toSelection(lines, lines.length === 0 ? [] : [bounds], requested, wholeTranscript);
  }
  // A tool call, and the place where a subagent was started, are shown with the message before them.
  const shown = [...matched, ...wanted.matchedSubagents.map(({ seq }) => seq)].map(
    (seq) => lines[findAtOrBefore(lines, seq)] ?? 0,
  );
  const places = toPlaces(lines, new Set(shown), context ?? contextOfMatch, bounds);
  return toSelection(lines, places, matched, wholeTranscript);
}

/** The place of the last message on this line or before it; the first of all where there is none before. */
function findAtOrBefore(lines: readonly number[], seq: number): number {
  const place = lines.findLastIndex((line) => line <= seq);
  return place < 0 && lines.length > 0 ? 0 : place;
}

function readBounds(
  store: Store,
  session: SessionInfo,
  lines: readonly number[],
  centre: number | null,
  { range, last, role, context }: Wanted,
): Places {
  const end = lines.length - 1;
  if (centre !== null) {
    const around = context ?? contextOfOne;
    return { first: Math.max(0, centre - around), last: Math.min(end, centre + around) };
  }
  if (range !== null) {
    if (range.from > lines.length) throw notFound(session, `#${range.from}`, toExtent(lines));
    return { first: range.from - 1, last: Math.min(end, range.to - 1) };
  }
  if (last === null) return { first: 0, last: end };
  const counted = role === null ? lines : readLinesOf(store.db, session.id, role);
  return { first: Math.max(0, lines.indexOf(counted.at(-last) ?? lines[0] ?? 0)), last: end };
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
    throw notFound(
      session,
      ref,
      hint`it is in the subagent ${subagent}: ${recall('show', subagent, '--around', ref)}`,
    );
  }
  const [line, second] = ref.length < 4 ? [] : findLines(store.db, session.id, ref.toLowerCase());
  if (second !== undefined) {
    throw new UserError(`several messages have a uuid that starts with ${toPrintableLine(ref)}`, {
      code: 'ambiguous',
      hint: 'type more characters of the uuid',
    });
  }
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
