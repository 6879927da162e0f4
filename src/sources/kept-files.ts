// What has to be known of an agent's files to keep copies of them, and to bring a session back.

import type { MessageRecord } from '../records.ts';
import type { Meaning } from './files/layout.ts';

/** What the files of a root are, by their paths in it. */
export interface SessionFiles {
  /** The session that a file belongs to; null for one that is not kept. */
  findOwner(path: string): string | null;
  /** The folder of a file's session, of which everything is kept; null where it has none. */
  toFolder(path: string): string | null;
  /** What `discover` takes it for; null for one that it passes over. */
  findMeaning(path: string): Meaning | null;
  /** Where the transcript of a session is now, wherever that is in the root. */
  findOnDisk(root: string, nativeId: string): string | null;
  /** Where the transcript of a session goes that ran in this directory. */
  toTranscriptPath(nativeId: string, directory: string): string;
}

/** Of an agent whose files are kept. */
export interface KeptFilesReader {
  /** A transcript of what is left of a session, line by line, which the program can resume; `count` is that of the messages. */
  rebuild(session: RebuiltSession, messages: Iterable<RebuiltMessage>, count: number): Generator<string>;
  /** The first line of a transcript that holds less than the index may: so many lines after it are not read again. */
  toRebuiltMarker(nativeId: string, lines: number): string;
  /** How many lines of a transcript `rebuild` has made, by its first bytes; null where it is the program's own. */
  findRebuiltLines(head: Buffer): number | null;
  /** Without secrets, and still what the program can resume; at most as long as it was. */
  redactLine(line: Buffer): Buffer;
}

/** What is known of a session whose transcript is rebuilt. */
export interface RebuiltSession {
  readonly nativeId: string;
  /** Where it ran. */
  readonly cwd: string;
  readonly branch: string | null;
  /** Null where no line of it names them. */
  readonly version: string | null;
  readonly model: string | null;
}

export type RebuiltMessage = Pick<MessageRecord, 'uuid' | 'role' | 'kind' | 'timestamp' | 'text'>;
