// What `recall --version --verbose` prints: all that a report of a problem should name.

import { getEngine } from '../api/upkeep/diagnose.ts';
import { UserError } from '../errors.ts';
import { toHintText } from '../hints.ts';

export function readLongVersion(version: string): string {
  return [version, `node ${process.versions.node}`, readSqlite()].join('\n');
}

/** Without SQLite only the version can be named, and what to do. */
function readSqlite(): string {
  try {
    const { name, sqliteVersion } = getEngine();
    return `SQLite ${sqliteVersion} (${name})`;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `no SQLite: ${error.message}\n  try: ${toHintText(error.hint ?? '', '')}`;
  }
}
