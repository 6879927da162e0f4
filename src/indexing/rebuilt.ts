// A transcript that recall has rebuilt from the index holds less than the index does. Where its session is known, it is taken
// as if it had been read up to there: only what the program has added to it is read, and no row is replaced by a poorer one.

import { closeSync, readSync } from 'node:fs';
import { readFingerprint } from '../sources/files/fingerprint.ts';
import { openFile } from '../sources/files/open-file.ts';
import type { SourceReader } from '../sources/source.ts';
import type { PlannedRead } from './plan.ts';

const headBytes = 512;
const chunkBytes = 1024 * 1024;
const newline = 10;

/** The same read where the transcript is the program's own, or not known yet. */
export function continueRebuilt(read: PlannedRead, root: string, reader: SourceReader): PlannedRead {
  const { known, file } = read;
  const { findRebuiltLines } = reader;
  if (findRebuiltLines === undefined || known === null || known.bytesRead === 0 || file.isMachinery)
    return read;
  let fd: number;
  try {
    fd = openFile(`${root}/${file.path}`);
  } catch {
    // Reading it reports what is wrong.
    return read;
  }
  try {
    const head = Buffer.alloc(headBytes);
    const lines = findRebuiltLines(head.subarray(0, readSync(fd, head, 0, headBytes, 0)));
    if (lines === null) return read;
    // It was read before, and is so still.
    if (readFingerprint(fd, known.bytesRead) === known.fingerprint) return { ...read, change: 'grown' };
    const bytesRead = findEnd(fd, lines);
    const fingerprint = readFingerprint(fd, bytesRead);
    return { ...read, change: 'grown', known: { ...known, bytesRead, fingerprint } };
  } finally {
    closeSync(fd);
  }
}

/** Where so many lines end, or the file. */
function findEnd(fd: number, lines: number): number {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let left = lines;
  for (let position = 0; ; ) {
    const bytes = readSync(fd, chunk, 0, chunkBytes, position);
    if (bytes === 0) return position;
    for (let at = chunk.indexOf(newline); at >= 0 && at < bytes; at = chunk.indexOf(newline, at + 1)) {
      left--;
      if (left === 0) return position + at + 1;
    }
    position += bytes;
  }
}
