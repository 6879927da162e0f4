// What tools were given and what they answered, read from the transcripts while a conversation is shown, a few calls at a
// time. Each text is bounded, and secrets are taken out if the index leaves them out.

import type { ToWorkText, WorkPlace, WorkReader } from '../../sources/source.ts';
import { toGivenText } from '../../sources/transcript/work-text.ts';
import type { Store } from '../../store/open/open-store.ts';
import { isRedacting, keepsWork } from '../../store/read/index-facts.ts';
import {
  type CallWork,
  readCallWork,
  readTranscriptsOf,
  type TranscriptOfSession,
} from '../../store/read/read-call-work.ts';
import type { StoredCall } from '../../store/read/read-conversation.ts';
import { readSessions, readSubagents } from '../../store/read/sessions.ts';
import type { SessionInfo } from '../../store/word-index.ts';
import type { Host } from '../host.ts';
import { KeptLines } from '../kept-lines.ts';
import { loadWorkReaders, readPlacedWork } from '../read-work-text.ts';
import { type Matches, toMatchingLines } from './find-matches.ts';

export interface ShownCall extends StoredCall {
  /** Null where there is none, or where it can no longer be read; absent if it was not asked for. */
  readonly input?: string | null;
  readonly output?: string | null;
}

/** Why calls are shown without their text. gone: their transcript has changed or is gone · off: it is not indexed. */
export interface Unread {
  readonly calls: number;
  readonly reason: 'gone' | 'off';
}

interface Origin {
  readonly transcript: TranscriptOfSession;
  /** Null if there never was a transcript. */
  readonly reader: WorkReader | null;
}

/** A conversation is read in one go, so whatever has to be loaded is loaded before. */
export async function openCallTexts(host: Host, store: Store, id: number): Promise<CallTexts> {
  const session = readSessions(store.db, [id]).get(id) as SessionInfo;
  const sessionIds = [id, ...readSubagents(store.db, session).map(({ subagent }) => subagent.id)];
  const transcripts = readTranscriptsOf(store.db, sessionIds);
  const readers = await loadWorkReaders(transcripts);
  const origins = new Map<number, Origin>();
  for (const transcript of transcripts)
    origins.set(transcript.sessionId, { transcript, reader: readers.get(transcript.agent) ?? null });
  return new CallTexts(store, new KeptLines(host), origins);
}

export class CallTexts {
  private readonly store: Store;
  private readonly lines: KeptLines;
  private readonly origins: ReadonlyMap<number, Origin>;
  private readonly isRedacting: boolean;
  private readonly toText: ToWorkText;
  /** Null for all texts as they are. */
  private readonly matches: Matches | null;
  private shown = 0;
  private unread = 0;

  constructor(
    store: Store,
    lines: KeptLines,
    origins: ReadonlyMap<number, Origin>,
    matches: Matches | null = null,
  ) {
    this.store = store;
    this.lines = lines;
    this.origins = origins;
    this.isRedacting = isRedacting(store.db);
    this.matches = matches;
    const shorten = (text: string) =>
      matches === null ? toBounded(text) : (toMatchingLines(text, matches.terms) ?? '');
    this.toText = (whole, given) => shorten(given === undefined ? whole : toGivenText(given));
  }

  /** Only of calls that match, and of these only the lines that do. */
  matching(matches: Matches): CallTexts {
    return new CallTexts(this.store, this.lines, this.origins, matches);
  }

  /** Calls of one session, in the order of its transcript. */
  read(sessionId: number, calls: readonly StoredCall[]): ShownCall[] {
    const stretch = { from: calls[0]?.seq ?? 0, to: calls.at(-1)?.seq ?? 0 };
    const work = readCallWork(this.store.db, sessionId, stretch);
    return calls.map((call) => {
      const own = work.filter(({ callSeq, callNth }) => callSeq === call.seq && callNth === call.nth);
      if (this.matches === null) return this.toShown(sessionId, call, own);
      const matching = own.filter(({ id }) => this.matches?.work.has(id));
      return matching.length === 0 ? call : this.toShown(sessionId, call, matching);
    });
  }

  findUnread(): Unread | null {
    if (this.matches !== null) return null;
    if (!keepsWork(this.store.db)) return { reason: 'off', calls: this.shown };
    return this.unread === 0 ? null : { reason: 'gone', calls: this.unread };
  }

  private toShown(sessionId: number, call: StoredCall, work: readonly CallWork[]): ShownCall {
    this.shown++;
    // The first answer counts, as it does for errors.
    const given = work.find(({ isOutput }) => isOutput === 0);
    const answered = work.find(({ isOutput }) => isOutput === 1);
    const input = given === undefined ? null : this.readText(sessionId, given);
    const output = answered === undefined ? null : this.readText(sessionId, answered);
    if ((given && input === null) || (answered && output === null)) this.unread++;
    return { ...call, input, output };
  }

  private readText(sessionId: number, { nth, isOutput, lineFrom, lineBytes }: CallWork): string | null {
    const { transcript, reader } = this.origins.get(sessionId) ?? {};
    if (!transcript || !reader || transcript.path === null) return null;
    const { agent, root, path, kind } = transcript;
    const { isRedacting } = this;
    const place: WorkPlace = { nth, isOutput: isOutput === 1, kind, lineFrom, lineBytes, isRedacting };
    return readPlacedWork(reader, this.lines, { agent, root, path }, place, this.toText)?.text ?? null;
  }
}

/** More of a text than anyone reads; a file that was written is mostly shorter. */
const maxHeadChars = 6000;
const maxTailChars = 2000;

function toBounded(text: string): string {
  const left = text.length - maxHeadChars - maxTailChars;
  if (left <= 0) return text;
  const head = text.slice(0, maxHeadChars).toWellFormed();
  return `${head}\n… ${left} characters left out …\n${text.slice(-maxTailChars).toWellFormed()}`;
}
