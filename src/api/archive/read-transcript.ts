// The bytes of a transcript, wherever there are any: on disk, in the archive, or rebuilt from the index.

import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { toRestored } from '../../archive/restored-lines.ts';
import { toReason, UserError } from '../../errors.ts';
import { openFile } from '../../sources/files/open-file.ts';
import { getSource } from '../../sources/index.ts';
import type { Store } from '../../store/open/open-store.ts';
import { type FoundSession, type ResumeTarget, readResumeTargets } from '../../store/read/sessions.ts';
import { toPrintableLine } from '../../text/printable.ts';
import type { Host } from '../host.ts';
import { findPresent } from './find-present.ts';
import { getContent } from './get-content.ts';
import type { Restoration, RestoreRequest } from './restore.ts';

/** The bytes of a transcript that is kept or can be rebuilt, or of one that is there. */
export interface ReadTranscript extends Pick<Restoration, 'nativeId' | 'from' | 'damages'> {
  readonly chunks: Iterable<Buffer>;
}

/** `damages` is complete when the chunks were read. */
export async function readTranscript(
  host: Host,
  store: Store,
  { id }: FoundSession,
  { older = false }: Pick<RestoreRequest, 'older'>,
): Promise<ReadTranscript> {
  const target = readResumeTargets(store.db, [id]).get(id) as ResumeTarget;
  const { agent, nativeId } = target;
  const damages: Restoration['damages'][number][] = [];
  const { files } = getSource(agent);
  const present = older || files === null ? null : findPresent(host, target);
  if (present !== null) {
    const hasLines = files?.findForm(present.path) === 'lines';
    const chunks = readFrom(join(present.root.path, present.path), hasLines);
    return { nativeId, from: 'present', damages, chunks };
  }
  const content = await getContent(host, store, target, { directory: null, older, isIndexed: false });
  const chunks = content.transcript.chunks((damage) => damages.push(damage));
  return { nativeId, from: content.from, damages, chunks };
}

const chunkBytes = 1024 * 1024;

/** Of lines, up to the last newline. */
function* readFrom(path: string, hasLines: boolean): Generator<Buffer> {
  const fd = openTranscript(path);
  try {
    yield* toRestored(eachChunk(fd), hasLines, () => {});
  } finally {
    closeSync(fd);
  }
}

/** It is there for its program, but links are not followed below an agent's folder. */
function openTranscript(path: string): number {
  try {
    return openFile(path);
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
    throw new UserError(
      `${toPrintableLine(path)} cannot be read: ${isLink ? 'it is a symbolic link' : toReason(error)}`,
      {
        code: 'unreadable',
        hint: isLink ? 'copy the file that it points to' : 'fix the permissions, or copy it yourself',
        cause: error,
      },
    );
  }
}

function* eachChunk(fd: number): Generator<{ from: number; bytes: Buffer }> {
  for (let from = 0; ; ) {
    const bytes = Buffer.allocUnsafe(chunkBytes);
    const read = readSync(fd, bytes, 0, chunkBytes, from);
    if (read === 0) return;
    yield { from, bytes: bytes.subarray(0, read) };
    from += read;
  }
}
