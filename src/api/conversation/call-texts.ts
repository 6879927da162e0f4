// What tools were given and what they answered, read from the index while a conversation is shown, a few calls at a time.

import type { Store } from '../../store/open/open-store.ts';
import { keepsWork } from '../../store/read/index-facts.ts';
import type { StoredCall } from '../../store/read/read-conversation.ts';
import { type CallText, listCallTexts, readToolTexts } from '../../store/read/tool-texts.ts';
import { toShownText } from '../../text/tool-text.ts';
import { type Matches, toMatchingLines } from './find-matches.ts';

export interface ShownCall extends StoredCall {
  /** Null where there is none, or where it is not in the index; absent if it was not asked for. */
  readonly input?: string | null;
  readonly output?: string | null;
}

/** Why calls are shown without their text. gone: their transcript went before texts were stored · off: they are not indexed. */
export interface Unread {
  readonly calls: number;
  readonly reason: 'gone' | 'off';
}

export class CallTexts {
  private readonly store: Store;
  /** Only calls that match, and of these only the lines that do; null for all texts as they are. */
  private readonly matches: Matches | null;
  private shown = 0;
  private unread = 0;

  constructor(store: Store, matches: Matches | null = null) {
    this.store = store;
    this.matches = matches;
  }

  /** Calls of one session, in the order of its transcript. */
  read(sessionId: number, calls: readonly StoredCall[]): ShownCall[] {
    const { matches } = this;
    const stretch = { from: calls[0]?.seq ?? 0, to: calls.at(-1)?.seq ?? 0 };
    const listed = listCallTexts(this.store.db, sessionId, stretch).filter(
      ({ id }) => matches === null || matches.work.has(id),
    );
    const texts = readToolTexts(
      this.store.db,
      listed.map(({ id }) => id),
      (stored) =>
        matches === null
          ? toShownText(stored)
          : (toMatchingLines(toShownText(stored, true), matches.terms) ?? ''),
    );
    return calls.map((call) => {
      const own = listed.filter(({ callSeq, callNth }) => callSeq === call.seq && callNth === call.nth);
      return matches !== null && own.length === 0 ? call : this.toShown(call, own, texts);
    });
  }

  findUnread(): Unread | null {
    if (this.matches !== null) return null;
    if (!keepsWork(this.store.db)) return { reason: 'off', calls: this.shown };
    return this.unread === 0 ? null : { reason: 'gone', calls: this.unread };
  }

  private toShown(call: StoredCall, own: readonly CallText[], texts: ReadonlyMap<number, string>): ShownCall {
    this.shown++;
    // The first answer counts, as it does for errors.
    const [given, answered] = [false, true].map((which) => own.find(({ isOutput }) => isOutput === which));
    const input = given === undefined ? null : (texts.get(given.id) ?? null);
    const output = answered === undefined ? null : (texts.get(answered.id) ?? null);
    if ((given && input === null) || (answered && output === null)) this.unread++;
    return { ...call, input, output };
  }
}
