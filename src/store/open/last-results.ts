// The sessions of the last numbered list that each terminal showed, so that `recall open 2` knows what 2 is: one small file
// per terminal in a folder beside the index, as private as it. Never in the index itself, so that a search does not have to
// write to the database, and two terminals never write to the same file.

import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readForeignFile } from '../../open-file.ts';

interface ShownList {
  readonly shownAt: string;
  readonly nativeIds: readonly string[];
}

export type FoundList = ShownList & { readonly isOwn: boolean };

const maxTerminals = 50;

/** `terminal` is null where there is none: a script, or an agent's shell. */
export function saveLastResults(indexPath: string, terminal: string | null, list: ShownList): void {
  const folder = toFolder(indexPath);
  try {
    // Earlier versions had one list, in a file of this name.
    if (statSync(folder, { throwIfNoEntry: false })?.isFile()) rmSync(folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, toFileName(terminal)), JSON.stringify(list), { mode: 0o600 });
    for (const name of listNewest(folder).slice(maxTerminals)) rmSync(join(folder, name), { force: true });
  } catch {
    // In a read-only folder the numbers are lost, not the search.
  }
}

/** The list of this terminal; without a terminal, the latest of any. */
export function findLastResults(indexPath: string, terminal: string | null): FoundList | undefined {
  const folder = toFolder(indexPath);
  if (terminal !== null) return findList(join(folder, toFileName(terminal)), true);
  const lists = listNewest(folder).map((name) => findList(join(folder, name), false));
  return lists.find((list) => list !== undefined);
}

/** A forgotten session is not even named here. */
export function forgetLastResults(indexPath: string): void {
  rmSync(toFolder(indexPath), { force: true, recursive: true });
}

function toFolder(indexPath: string): string {
  return `${indexPath}.last`;
}

function toFileName(terminal: string | null): string {
  return `${terminal === null ? 'none' : `tty-${terminal.replace(/[^\w.-]/g, '_')}`}.json`;
}

function listNewest(folder: string): string[] {
  try {
    return readdirSync(folder)
      .map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
      .sort((a, b) => b.at - a.at)
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function findList(path: string, isOwn: boolean): FoundList | undefined {
  try {
    const { shownAt, nativeIds } = JSON.parse(readForeignFile(path).toString()) as Partial<ShownList>;
    if (typeof shownAt !== 'string' || !Array.isArray(nativeIds)) return undefined;
    return { shownAt, nativeIds: nativeIds.filter((id) => typeof id === 'string'), isOwn };
  } catch {
    return undefined;
  }
}
