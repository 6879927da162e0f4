// Which messages of a session are shown: all, the last ones, those around one message, or those that match
// with some context. Pure; a selection consists of stretches of lines, so that nothing else has to be read.

import { UserError } from '../../errors.ts';
import { hint, parameter } from '../../hints.ts';
import type { Stretch } from '../../store/read/read-conversation.ts';
import { toPrintableLine } from '../../text/printable.ts';

export interface Chosen {
  readonly stretch: Stretch;
  /** The number of its first message in the session, from 1. */
  readonly firstPosition: number;
  /** Messages left out before it. */
  readonly gapBefore: number;
}

export interface Selection {
  readonly chosen: readonly Chosen[];
  readonly gapAfter: number;
  /** The lines that match the request. */
  readonly matches: ReadonlySet<number>;
}

/** Indexes into the list of a session's messages, from 0, inclusive. */
export interface Places {
  readonly first: number;
  readonly last: number;
}

/** `lines` has all messages of the session; `places` are in order and do not touch. */
export function toSelection(
  lines: readonly number[],
  places: readonly Places[],
  matches: ReadonlySet<number>,
  whole: Stretch,
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

export function toWholeSelection(whole: Stretch): Selection {
  return { chosen: [{ stretch: whole, firstPosition: 1, gapBefore: 0 }], gapAfter: 0, matches: new Set() };
}

/**
 * The places of these lines with `context` messages on either side, within bounds; adjacent ones are joined.
 */
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

/** Message numbers from 1, inclusive. */
export interface MessageRange {
  readonly from: number;
  readonly to: number;
}

/** `12-40`, as people and agents write it. */
export function parseRange(text: string | undefined): MessageRange | undefined {
  if (text === undefined) return undefined;
  const [, from, to] = /^#?(\d{1,7})\s*(?:-|–|\.\.)\s*#?(\d{1,7})$/.exec(text.trim()) ?? [];
  if (from !== undefined && to !== undefined && Number(from) >= 1 && Number(from) <= Number(to))
    return { from: Number(from), to: Number(to) };
  throw new UserError(
    hint`${parameter('range')} takes two message numbers, such as 12-40, not ${toPrintableLine(text)}`,
    { code: 'usage' },
  );
}
