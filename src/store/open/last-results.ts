// The ids of the last list of sessions that was shown, so that `recall open 2` knows what 2 is. Beside the index and
// as private as it; never in it, so that a search does not have to write to the database.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { makePrivate } from './open-store.ts';

export function saveLastResults(indexPath: string, nativeIds: readonly string[]): void {
  try {
    makePrivate(toPath(indexPath));
    writeFileSync(toPath(indexPath), JSON.stringify(nativeIds), { mode: 0o600 });
  } catch {
    // In a read-only folder the numbers are lost, not the search.
  }
}

export function readLastResults(indexPath: string): string[] {
  try {
    const ids: unknown = JSON.parse(readFileSync(toPath(indexPath), 'utf8'));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** A forgotten session is not even named here. */
export function forgetLastResults(indexPath: string): void {
  rmSync(toPath(indexPath), { force: true });
}

function toPath(indexPath: string): string {
  return `${indexPath}.last`;
}
