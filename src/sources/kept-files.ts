// What has to be known of an agent's files to keep copies of them, and to bring a session back.

import type { MessageRecord } from '../records.ts';
import type { Meaning } from './files/layout.ts';

/**
 * lines: secrets are taken out line by line, and only whole lines are brought back · text: as a whole · packed: compressed by
 * the program itself, so that secrets cannot be taken out.
 */
export type KeptForm = 'lines' | 'text' | 'packed';

/** What the files of a root are, by their paths in it. */
export interface SessionFiles {
  /** The session that a file belongs to, as paths name it; null for a file that is not kept. */
  findOwner(path: string): string | null;
  /** How paths name a session. */
  toOwner(nativeId: string): string;
  /** The folder that belongs to the session of a file, of which everything is kept; null where it has none. */
  toFolder(path: string, nativeId: string): string | null;
  /** What `discover` takes it for; null for one that it passes over. */
  findMeaning(path: string): Meaning | null;
  findForm(path: string): KeptForm;
  /** Where the program may have had a transcript before it moved or packed it; first of all where it is. */
  toFormerPaths(path: string): readonly string[];
  /** Where the transcript of a session is now, wherever that is in the root. */
  findOnDisk(root: string, nativeId: string): string | null;
  /**
   * Where the transcript of a session goes so that it is resumed in this directory. `path` is where it was; null when it never
   * was anywhere. Null where the program resumes a session only in its own directory.
   */
  toMovedPath(directory: string, nativeId: string, path: string | null): string | null;
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
  /** The ids of sessions without whose transcripts the program cannot resume this one. */
  findNeeded(file: KeptBytes): readonly string[];
}

/** What is kept of a file, from its start. */
export interface KeptBytes {
  readonly path: string;
  chunks(): Iterable<Buffer>;
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
