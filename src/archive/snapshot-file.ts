// What a root looked like when all of it was last kept, in the encoding that the index uses for its own snapshots: when both
// are the same bytes, there is nothing to do. Only a cache: without it, every file is compared with its copy.

import { readFileSync, rmSync } from 'node:fs';
import { decodeSnapshot, encodeSnapshot, type FolderSnapshot } from '../sources/files/snapshot.ts';
import type { ArchiveRoot } from './layout.ts';
import { prepareFile, putInPlace } from './segments.ts';

/** How many bytes of names there are (8 bytes), and whether secrets were taken out (1 byte). */
const headBytes = 9;

export class ArchiveSnapshot {
  private readonly path: string;
  private readonly saved: Buffer | null;

  constructor({ folder }: ArchiveRoot) {
    this.path = `${folder}/.snapshot`;
    const saved = readIfExists(this.path);
    this.saved = saved === null || saved.length < headBytes ? null : saved;
  }

  isSame(folders: readonly FolderSnapshot[], isRedacted: boolean): boolean {
    return this.saved?.equals(encode(folders, isRedacted)) ?? false;
  }

  /** By path; empty where secrets are still to be taken out. */
  decode(isRedacted: boolean): Map<string, FolderSnapshot> {
    const { saved } = this;
    if (saved === null || (isRedacted && !this.isRedacted)) return new Map();
    const end = headBytes + Number(saved.readBigUInt64BE(0));
    return decodeSnapshot({ names: saved.subarray(headBytes, end), stamps: saved.subarray(end) });
  }

  /** Whether secrets were taken out of every copy. */
  get isRedacted(): boolean {
    return this.saved?.[8] === 1;
  }

  async save(folders: readonly FolderSnapshot[], isRedacted: boolean): Promise<void> {
    await putInPlace(await prepareFile(this.path, encode(folders, isRedacted), 0));
  }

  delete(): void {
    rmSync(this.path, { force: true });
  }
}

function encode(folders: readonly FolderSnapshot[], isRedacted: boolean): Buffer {
  const { names, stamps } = encodeSnapshot(folders);
  const head = Buffer.alloc(headBytes);
  head.writeBigUInt64BE(BigInt(names.length), 0);
  head.writeUInt8(Number(isRedacted), 8);
  return Buffer.concat([head, names, stamps]);
}

function readIfExists(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
