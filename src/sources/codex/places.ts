// Where Codex keeps its rollouts: by day below sessions/, flat in archived_sessions/, and either may be compressed; and where a
// rollout was before that. Pure: it looks at names only.

import { asSidecar, asTranscript, type FileLayout, type FilePlace } from '../files/layout.ts';
import type { SessionFiles } from '../kept-files.ts';
import { toUsualFiles } from '../usual.ts';

interface CodexPlace extends FilePlace {
  /** How many folders below this one are still looked into: year, month, day. */
  readonly depth: number;
}

/** The names that people gave to sessions. */
const namesFile = 'session_index.jsonl';

const rollout = /^rollout-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-(.+?)\.jsonl(?:\.zst)?$/s;

export function isArchived(path: string): boolean {
  return path.startsWith('archived_sessions/');
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

export const layout: FileLayout<CodexPlace> = {
  stores: [
    { folder: 'sessions', depth: 3 },
    { folder: 'archived_sessions', depth: 0 },
  ],
  rootFiles: new Map([[namesFile, asSidecar({ path: namesFile, kind: 'sessions-index' })]]),
  toPlaceBelow: ({ folder, depth }, name) =>
    depth > 0 && /^\d{2,4}$/.test(name) ? { folder: `${folder}/${name}`, depth: depth - 1 } : null,
  isOfInterest: (_place, name) => rollout.test(name),
  isTranscript: (name) => name.startsWith('rollout-'),
  toMeaning: ({ folder }, name) =>
    asTranscript({ path: `${folder}/${name}`, kind: 'main', nativeId: rollout.exec(name)?.[1] ?? name }),
};

const dated = /^rollout-(\d{4})-(\d{2})-(\d{2})T/;
const usualFiles = toUsualFiles(layout);

/** The folder of its day is in the name of a rollout, so every place that it can have is known. */
function toFormerPaths(path: string): readonly string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, year, month, day] = dated.exec(name) ?? [];
  if (day === undefined) return [path];
  const here = path.slice(0, -name.length - 1);
  const folders = [here, `sessions/${year}/${month}/${day}`, 'archived_sessions'];
  const plain = isCompressed(name) ? name.slice(0, -'.zst'.length) : name;
  const other = isCompressed(name) ? plain : `${plain}.zst`;
  return [...new Set(folders.flatMap((folder) => [`${folder}/${name}`, `${folder}/${other}`]))];
}

export const sessionFiles: SessionFiles = {
  ...usualFiles,
  // The names that people gave to sessions are of no session alone, and Codex does not delete them.
  findOwner: (path) => usualFiles.findMeaning(path)?.transcript?.nativeId ?? null,
  findForm: (path) => (isCompressed(path) ? 'packed' : usualFiles.findForm(path)),
  toFormerPaths,
  // It goes on working in the directory where it is started.
  toMovedPath: (_directory, _nativeId, path) => path,
};
