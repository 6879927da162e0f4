// What carries copies of transcripts between machines: a folder that something else syncs, or a PostgreSQL database. It is given
// names and bytes that are sealed or redacted already, and gives them back in the order in which they came; it knows nothing of
// what is in them. test/hub/contract.ts says what every carrier must do.

import type { UserError } from '../errors.ts';

export interface Machine {
  /** A uuid that was made when it joined. */
  readonly key: string;
  readonly name: string;
  /** Null where the hub has no people: all of it is one person's. */
  readonly owner: string | null;
}

/** Of what form a key is, and nothing else: it may come from a server that lies. */
export const machineKey = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface HubSession {
  /** Its id in the agent; of a private one an HMAC of it. */
  readonly name: string;
  readonly agent: string;
  readonly isTeam: boolean;
  readonly modifiedAt: string;
  /** Null for a private one. */
  readonly gitRemote: string | null;
  readonly cwd: string | null;
}

/** Names what a machine has sent: a file, and a part of it. */
export interface SentName {
  readonly path: string;
  readonly name: string;
}

export interface HubSegment extends SentName {
  readonly session: HubSession;
  readonly isRedacted: boolean;
  readonly bytes: Buffer;
}

export interface FoundSegment {
  /** By which the carrier finds its bytes. */
  readonly id: string;
  readonly machine: string;
  readonly owner: string | null;
  readonly session: string;
  readonly agent: string;
  readonly isTeam: boolean;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Whoever has copies of it drops them. */
export interface Withdrawal {
  readonly owner: string | null;
  readonly agent: string;
  readonly session: string;
  readonly isTeam: boolean;
}

export interface Changes {
  readonly segments: readonly FoundSegment[];
  readonly withdrawn: readonly Withdrawal[];
  /** Machines that have taken back all they had sent. */
  readonly left: readonly string[];
  readonly machines: readonly Machine[];
  /** Where to go on from, if all but these segments, by id, were received. */
  next(failed: ReadonlySet<string>): string;
  /** Ask again from there. */
  readonly hasMore: boolean;
}

/** A session, or a subagent's, as members find it: what is known of it, and its texts with their words. */
export interface WordedSession {
  /** Names its transcript on this machine. */
  readonly key: string;
  /** What its words were made from. */
  readonly mark: string;
  /** The id of the session that was shared. */
  readonly owner: string;
  /** Of the columns of its table. */
  readonly row: Readonly<Record<string, unknown>>;
  readonly texts: readonly WordedText[];
}

export interface WordedText {
  readonly kind: 'said' | 'done' | 'call' | 'name' | 'called';
  /** As text/lexemes.ts writes them. */
  readonly words: string;
  readonly chars: number;
  readonly facts: Readonly<Record<string, unknown>> | null;
  readonly text: string | null;
}

/** A part of a session: the first takes the place of what was there, and with the last it is whole. */
export type WordedPart = WordedSession & { readonly isFirst: boolean; readonly isLast: boolean };

export interface WordCarrier {
  /** What the words of this machine's sessions were made from, by key; null where they are not whole. */
  marks(): Promise<ReadonlyMap<string, string | null>>;
  /** All of it or nothing. Sessions that are not shared with the team are left out. `words` with their stems. */
  put(parts: readonly WordedPart[], words: readonly (readonly [word: string, stem: string])[]): Promise<void>;
  drop(keys: readonly string[]): Promise<void>;
  /** All that others have shared of the session, or of that of a subagent, with this id. */
  segmentsOf(session: string): Promise<readonly FoundSegment[]>;
}

export interface Carrier {
  /** Where members search on the hub; null where all is received instead. */
  readonly words: WordCarrier | null;
  /** Distinguishes this hub from any other, wherever it is moved to. */
  readonly hubId: string;
  /** The person who has joined; null where the hub has no people. */
  readonly owner: string | null;
  readonly knowsTeams: boolean;
  /** What the key of this person answers (`HubKey.check`); null until the first machine has joined. */
  readonly keyCheck: string | null;
  /** Also under another name. Saves the check of the key where there is none; false where there is another one. */
  join(machine: Machine, keyCheck: string): Promise<boolean>;
  machines(): Promise<readonly Machine[]>;
  /** The names, by path, of what this machine has sent of these files. */
  has(paths: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** All of it or nothing, and once. Segments of sessions that were forgotten are left out. */
  put(segments: readonly HubSegment[], replaced: readonly SentName[]): Promise<void>;
  /** For good, on every machine of this person; also those that were never sent. */
  forget(sessions: readonly Pick<HubSession, 'agent' | 'name' | 'isTeam'>[]): Promise<void>;
  /** From the team; they can be shared again. */
  unshare(sessions: readonly Pick<HubSession, 'agent' | 'name'>[]): Promise<void>;
  /** '' is the start. */
  changes(since: string): Promise<Changes>;
  /** Bytes by id, or why they cannot be read; what is no longer there is left out. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, Buffer | UserError>>;
  /** Takes back all that this machine has sent. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** As this recall reads and writes a hub; one with a higher number is refused. */
export const hubVersion = 1;
