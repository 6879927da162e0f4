// How an agent lays out its files, as the walk over them has to know it. Pure: a layout looks at names only.

import type { FileStamp, SidecarFile, TranscriptFile } from '../../records.ts';

/** A folder that is looked into. An agent's layout adds what it knows of it. */
export interface FilePlace {
  /** Relative to the root, with forward slashes. */
  readonly folder: string;
  /** It belongs to one session: nothing changes in it but while its session is running. */
  readonly isSessionFolder?: boolean;
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
  /** The folder that belongs to the session of a transcript; null where sessions have none. */
  findSessionFolder?(place: P, name: string): string | null;
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
