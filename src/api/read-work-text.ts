// The text of work that matched, read from the transcript when it is shown. The transcript may have changed since it was
// indexed, or be gone: then only the tool and what it was used on are known.

import { closeSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openFile } from '../sources/files/open-file.ts';
import { getSource } from '../sources/index.ts';
import type { WorkPassage } from '../sources/source.ts';
import type { WorkRow } from '../store/read/match.ts';
import { redact } from '../text/redact.ts';

/** A longer line is not read for a passage of it. */
const maxLineBytes = 4 * 1024 * 1024;

/** By the id of the row; those that cannot be read are missing. */
export async function readWorkPassages(
  rows: readonly WorkRow[],
  isRedacting: boolean,
): Promise<Map<number, WorkPassage>> {
  const clean = isRedacting ? redact : (text: string) => text;
  const passages = new Map<number, WorkPassage>();
  for (const row of rows) {
    const passage = await readWorkPassage(row, clean);
    if (passage !== null) passages.set(row.id, passage);
  }
  return passages;
}

async function readWorkPassage(row: WorkRow, clean: (text: string) => string): Promise<WorkPassage | null> {
  const { agent, root, path, nth, kind, sessionKind, lineFrom, lineBytes } = row;
  const line =
    path === null || lineBytes > maxLineBytes ? null : readLine(join(root, path), lineFrom, lineBytes);
  if (line === null) return null;
  const reader = await getSource(agent).loadReader();
  return reader.parseWork(line, { nth, isOutput: kind === 'tool-output', kind: sessionKind }, clean);
}

/** Null where the file is no longer as long, or the line does not end where it did. */
function readLine(path: string, from: number, bytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openFile(path);
  } catch {
    return null;
  }
  try {
    if (fstatSync(fd).size < from + bytes) return null;
    // With the byte before it and the byte after it, which are line ends.
    const start = Math.max(0, from - 1);
    const buffer = Buffer.alloc(from - start + bytes + 1);
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const line = buffer.subarray(from - start, from - start + bytes);
    const isStart = from === 0 || buffer[0] === newline;
    const isEnd = read < buffer.length || buffer[buffer.length - 1] === newline;
    return isStart && isEnd && !line.includes(newline) ? line : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

const newline = 10;
