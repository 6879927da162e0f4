// What can be written to bring a session back, and what of it is known to be lost.

import type { Damage } from '../../archive/read-kept.ts';

export interface RestorableFile {
  /** Where it goes, relative to its root. */
  readonly path: string;
  chunks(onDamage: (damage: Damage) => void): Iterable<Buffer>;
}

export interface RestorableContent {
  readonly from: 'archive' | 'text' | 'prompts';
  readonly transcript: RestorableFile;
  readonly beside: readonly RestorableFile[];
  /** Files beside it that the index reads, and of which a part is lost: written, they would take the place of the indexed text. */
  readonly damaged: readonly DamagedFile[];
  readonly olderVersions: number;
  /** The ids of sessions that are needed to resume it, and cannot be brought back. */
  readonly lacking: readonly string[];
}

export interface DamagedFile {
  readonly path: string;
  readonly damages: readonly Damage[];
}

export interface ContentOptions {
  /** Where it is to be resumed, if not where it ran. */
  readonly directory: string | null;
  /** The version before the last, where both are kept. */
  readonly older: boolean;
}

/** How much of it can be read. */
export interface Readable {
  readonly bytes: number;
  readonly lines: number;
  readonly damages: readonly Damage[];
}

const newline = 10;

/** What is damaged decides what is written, and is known only when all of it was read. */
export function readOnce({ chunks }: RestorableFile): Readable {
  const damages: Damage[] = [];
  let [bytes, lines] = [0, 0];
  for (const chunk of chunks((damage) => damages.push(damage))) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++;
  }
  return { bytes, lines, damages };
}
