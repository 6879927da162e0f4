// How an agent lays out its files, as the walk over them has to know it. Pure: a layout looks at names only.

import type { FileStamp, SessionKind, SidecarFile, TranscriptFile } from '../../records.ts';

/** A folder that is looked into. An agent's layout adds what it knows of it. */
export interface FilePlace {
  /** Relative to the root, with forward slashes. */
  readonly folder: string;
}

type FoundTranscript = Omit<TranscriptFile, keyof FileStamp>;
type FoundSidecar = Omit<SidecarFile, keyof FileStamp>;

/** What a file is: one of its two meanings is not null. */
export interface Meaning {
  readonly transcript: FoundTranscript | null;
  readonly sidecar: FoundSidecar | null;
}

export interface FileLayout<P extends FilePlace> {
  readonly stores: readonly P[];
  /** Files in the root itself, of which nothing else is looked at, by their names. */
  readonly rootFiles?: ReadonlyMap<string, Meaning>;
  findPlaceBelow(place: P, name: string): P | null;
  isTranscript(name: string): boolean;
  /** There is nothing new in the file while its folder stays as it was. */
  isWrittenOnce?(place: P, name: string): boolean;
  findMeaning(place: P, name: string): Meaning | null;
}

type WithDefaults<Found, Rest extends keyof Found> = Omit<Found, Rest> & Partial<Pick<Found, Rest>>;

export function asTranscript(
  found: WithDefaults<FoundTranscript, 'parentNativeId' | 'slug' | 'isMachinery'>,
): Meaning {
  const { path, kind, nativeId, parentNativeId = null, slug = null, isMachinery = false } = found;
  return { transcript: { path, kind, nativeId, parentNativeId, slug, isMachinery }, sidecar: null };
}

export function asSidecar(
  found: WithDefaults<FoundSidecar, 'slug' | 'nativeId' | 'parentNativeId'>,
): Meaning {
  const { path, kind, slug = '', nativeId = null, parentNativeId = null } = found;
  return { transcript: null, sidecar: { path, kind, slug, nativeId, parentNativeId } };
}

/**
 * A layout by what paths look like, such as `projects/<slug>/chats/<id>.jsonl`, and what is there. `<parent>` is the session whose
 * subagent it is, `<nth>` what tells its subagents from each other where they have no ids, and `<>` anything. Where several fit a path, the first one counts. The first folder is named as it is.
 */
export function layoutOf(paths: Readonly<Record<string, SessionKind | 'sidecar'>>): FileLayout<FilePlace> {
  const patterns = Object.entries(paths).map(([path, holds]) => ({ path: toPattern(path), holds }));
  const folders = new Set(Object.keys(paths).flatMap(listFolders));
  const stores = [...folders].filter((folder) => !folder.includes('/'));
  const below = [...folders].map(toPattern);
  const names = patterns.flatMap(({ holds }, i) =>
    holds === 'sidecar' ? [] : [toPattern(Object.keys(paths)[i]?.split('/').at(-1) ?? '')],
  );
  return {
    stores: stores.map((folder) => ({ folder })),
    findPlaceBelow: ({ folder }, name) => {
      const path = `${folder}/${name}`;
      return below.some((pattern) => pattern.test(path)) ? { folder: path } : null;
    },
    isTranscript: (name) => names.some((pattern) => pattern.test(name)),
    findMeaning: ({ folder }, name) => {
      const path = `${folder}/${name}`;
      const fitting = patterns.find((pattern) => pattern.path.test(path));
      if (fitting === undefined) return null;
      const { nth, parent, slug, id = nth && `${nth}-${parent}` } = fitting.path.exec(path)?.groups ?? {};
      const found = { path, slug, parentNativeId: parent };
      return fitting.holds === 'sidecar'
        ? asSidecar({ ...found, kind: 'sidecar', nativeId: id })
        : asTranscript({ ...found, kind: fitting.holds, nativeId: id ?? name });
    },
  };
}

function listFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

function toPattern(path: string): RegExp {
  const source = path.replace(/<(\w*)>|[^\w/]/g, (part: string, name?: string) =>
    name === undefined ? `\\${part}` : name === '' ? '[^/]+?' : `(?<${name}>[^/]+?)`,
  );
  return new RegExp(`^${source}$`);
}

export function findMeaningOf<P extends FilePlace>(layout: FileLayout<P>, path: string): Meaning | null {
  const root = layout.rootFiles?.get(path);
  if (root !== undefined) return root;
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  const [store = '.', ...below] = parts;
  let place = layout.stores.find(({ folder }) => folder === store) ?? null;
  for (const part of below) place = place === null ? null : layout.findPlaceBelow(place, part);
  return place === null ? null : layout.findMeaning(place, name);
}

/** Field by field: V8 gives each object that is spread from others its own shape, 25 MB of them for 27,000 files. */
export function toTranscriptFile(found: FoundTranscript, stamp: FileStamp): TranscriptFile {
  const { path, kind, nativeId, parentNativeId, slug, isMachinery } = found;
  const { sizeBytes, mtimeMs, ctimeMs, inode } = stamp;
  return { path, kind, nativeId, parentNativeId, slug, isMachinery, sizeBytes, mtimeMs, ctimeMs, inode };
}

export function toSidecarFile(found: FoundSidecar, stamp: FileStamp): SidecarFile {
  const { path, kind, slug, nativeId, parentNativeId } = found;
  const { sizeBytes, mtimeMs, ctimeMs, inode } = stamp;
  return { path, kind, slug, nativeId, parentNativeId, sizeBytes, mtimeMs, ctimeMs, inode };
}
