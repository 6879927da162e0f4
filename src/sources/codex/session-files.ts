// Which files below a root belong to which session, and where a rollout was before Codex archived or compressed it.

import { toUsualFiles } from '../files/usual-files.ts';
import type { SessionFiles } from '../kept-files.ts';
import { isCompressed, layout } from './places.ts';

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
