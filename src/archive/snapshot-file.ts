// What a root looked like when all of it was last kept, in the encoding that the index uses for its own snapshots: when both
// are the same bytes, there is nothing to do. Only a cache: without it, every file is compared with what is kept of it.

import { readFileSync, rmSync } from 'node:fs';
import {
  decodeSnapshot,
  encodeSnapshot,
  type FolderSnapshot,
  toPathIn,
  withoutStamps,
} from '../sources/files/snapshot.ts';
import type { KeptRoot } from './places.ts';
import { prepareFile, putInPlace } from './write-segment.ts';

const fileName = '.snapshot';

function toPath({ folder }: KeptRoot): string {
  return `${folder}/${fileName}`;
}

/** How many bytes of names there are, and whether secrets were taken out: 9 bytes. */
function encode(folders: readonly FolderSnapshot[], isRedacted: boolean): Buffer {
  const { names, stamps } = encodeSnapshot(folders);
  const head = Buffer.alloc(9);
  head.writeBigUInt64BE(BigInt(names.length), 0);
  head.writeUInt8(Number(isRedacted), 8);
  return Buffer.concat([head, names, stamps]);
}

/** What is kept of a root, as far as the last runs say. */
export class KeptSnapshot {
  private readonly root: KeptRoot;
  private readonly saved: Buffer | null;

  constructor(root: KeptRoot) {
    this.root = root;
    this.saved = readIfThere(toPath(root));
  }

  isSame(folders: readonly FolderSnapshot[], isRedacted: boolean): boolean {
    return this.saved?.equals(encode(folders, isRedacted)) ?? false;
  }

  /** By path; empty where secrets are still to be taken out. */
  decode(isRedacted: boolean): Map<string, FolderSnapshot> {
    const { saved } = this;
    if (saved === null || saved.length < 9 || (isRedacted && saved[8] !== 1)) return new Map();
    const end = 9 + Number(saved.readBigUInt64BE(0));
    return decodeSnapshot({ names: saved.subarray(9, end), stamps: saved.subarray(end) });
  }

  /** Whether secrets were taken out of everything that is kept. */
  get isRedacted(): boolean {
    return this.saved?.[8] === 1;
  }

  /** From now on. Of the files that are left out, nothing is kept any more, whichever run has deleted it. */
  async setRedacted(isLeftOut: (path: string) => boolean): Promise<void> {
    const { saved } = this;
    const folders = [...this.decode(false).values()];
    const paths = folders.flatMap((folder) => folder.files.map((name) => toPathIn(folder, name)));
    const leftOut = new Set(paths.filter(isLeftOut));
    if (leftOut.size > 0) return this.save(withoutStamps(folders, leftOut), true);
    const bytes = saved === null || saved.length < 9 ? encode([], true) : Buffer.from(saved);
    bytes.writeUInt8(1, 8);
    await putInPlace(await prepareFile(toPath(this.root), bytes, 0));
  }

  async save(folders: readonly FolderSnapshot[], isRedacted: boolean): Promise<void> {
    await putInPlace(await prepareFile(toPath(this.root), encode(folders, isRedacted), 0));
  }

  drop(): void {
    rmSync(toPath(this.root), { force: true });
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
