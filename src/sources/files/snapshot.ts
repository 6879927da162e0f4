// What a root looked like when it was last brought into the index as a whole: its folders, the files in them that
// matter, and a stamp of each. Two bytes of change in tens of thousands of files are found by comparing numbers,
// without asking the index about any file that stayed as it was.

import type { FileStamp } from '../../records.ts';

export interface FolderSnapshot {
  readonly path: string;
  /** Of the folder itself; `unknownStamp` when its list of names must be read again anyway. */
  readonly stamp: number;
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly stamps: ArrayLike<number>;
}

type EncodedSnapshot = Readonly<Record<'names' | 'stamps', Buffer>>;

/** Equal to no stamp of any file. */
export const unknownStamp = 0;

const doubles = new Float64Array(4);
const words = new Uint32Array(doubles.buffer);

/** 53 bits that differ, as good as surely, when size, times or inode differ. */
export function toStamp({ sizeBytes, mtimeMs, ctimeMs, inode }: FileStamp): number {
  doubles[0] = sizeBytes;
  doubles[1] = mtimeMs;
  doubles[2] = ctimeMs;
  doubles[3] = inode;
  let high = 0x811c9dc5;
  let low = 0x9e3779b9;
  for (let i = 0; i < 8; i++) {
    const word = words[i] ?? 0;
    high = Math.imul(high ^ word, 0x01000193);
    high ^= high >>> 15;
    low = Math.imul(low ^ word, 0x85ebca6b);
    low ^= low >>> 13;
  }
  return 1 + (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/** File names hold any character but NUL and the slash. An empty name ends a folder's files and its folders. */
export function encodeSnapshot(folders: readonly FolderSnapshot[]): EncodedSnapshot {
  const names: string[] = [];
  const stamps: number[] = [];
  for (const folder of folders) {
    names.push(folder.path);
    for (const name of folder.files) names.push(name);
    names.push('');
    for (const name of folder.folders) names.push(name);
    names.push('');
    stamps.push(folder.stamp);
    for (let i = 0; i < folder.stamps.length; i++) stamps.push(folder.stamps[i] ?? unknownStamp);
  }
  return { names: Buffer.from(names.join('\0')), stamps: Buffer.from(Float64Array.from(stamps).buffer) };
}

/** By path; empty when the bytes make no sense. */
export function decodeSnapshot(saved: EncodedSnapshot): Map<string, FolderSnapshot> {
  const folders = new Map<string, FolderSnapshot>();
  if (saved.names.length === 0 || saved.stamps.length % 8 !== 0) return folders;
  const names = saved.names.toString('utf8').split('\0');
  const stamps = new Float64Array(Uint8Array.from(saved.stamps).buffer);
  let stampAt = 0;
  for (let at = 0; at < names.length; ) {
    const path = names[at] ?? '';
    const filesEnd = names.indexOf('', at + 1);
    const foldersEnd = names.indexOf('', filesEnd + 1);
    if (filesEnd < 0 || foldersEnd < 0) return new Map();
    const files = names.slice(at + 1, filesEnd);
    folders.set(path, {
      path,
      stamp: stamps[stampAt] ?? unknownStamp,
      files,
      folders: names.slice(filesEnd + 1, foldersEnd),
      stamps: stamps.subarray(stampAt + 1, stampAt + 1 + files.length),
    });
    stampAt += 1 + files.length;
    at = foldersEnd + 1;
  }
  return folders;
}

export function toStampsByName({ files, stamps }: FolderSnapshot): Map<string, number> {
  return new Map(files.map((name, i) => [name, stamps[i] ?? unknownStamp]));
}

export function listPathsBelow(known: ReadonlyMap<string, FolderSnapshot>, path: string): string[] {
  const folder = known.get(path);
  if (folder === undefined) return [];
  return [
    ...folder.files.map((name) => `${path}/${name}`),
    ...folder.folders.flatMap((name) => listPathsBelow(known, `${path}/${name}`)),
  ];
}

export function toPathIn({ path }: FolderSnapshot, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/** Without the files and folders of forgotten sessions, so that nothing names these. */
export function withoutPaths(
  folders: readonly FolderSnapshot[],
  isDropped: (path: string) => boolean,
): readonly FolderSnapshot[] {
  return folders
    .filter(({ path }) => !isDropped(path))
    .map((folder) => {
      const isKept = (name: string) => !isDropped(toPathIn(folder, name));
      if (folder.files.every(isKept) && folder.folders.every(isKept)) return folder;
      const stamps = Array.from(folder.stamps).filter((_, i) => isKept(folder.files[i] ?? ''));
      const [files, below] = [folder.files.filter(isKept), folder.folders.filter(isKept)];
      return { ...folder, files, folders: below, stamps };
    });
}

export function withoutStamps(
  folders: readonly FolderSnapshot[],
  paths: ReadonlySet<string>,
): readonly FolderSnapshot[] {
  return folders.map((folder) => {
    const stamps = Array.from(folder.stamps, (stamp, i) =>
      paths.has(toPathIn(folder, folder.files[i] ?? '')) ? unknownStamp : stamp,
    );
    return { ...folder, stamps };
  });
}
